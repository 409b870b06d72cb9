//! The search for a map: the map of a kernel that has none, for a GPU.
//!
//! ```text
//! kernel ─ facts ─▶ loops ─ structures ─▶ sketches ─ map ─▶ laws ─ compile ─▶ schedules ─ cost ─▶ seconds
//!                                           ▲                                                      │
//!                                           └────────────── factors: other numbers ◀───────────────┘
//! ```
//!
//! A sketch becomes a map as a user would write it, and goes through the same laws. The best sketches by the cost model are improved
//! number by number. No clock is read: the effort is a number of operations that are compiled, so the same kernel always gets
//! the same map.
mod factors;
mod facts;
mod rank;
mod sketch;
mod structures;
mod units;

pub use rank::{Candidate, Search};
pub use units::{Effort, Kept, read_map, units_of};
