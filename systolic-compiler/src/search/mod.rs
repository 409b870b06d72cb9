//! The search for a map for a GPU: of a kernel that has none, or the best way to complete one.
//!
//! ```text
//! kernel ─ facts ─▶ loops ─ structures ─▶ sketches ─ map ─▶ laws ─ compile ─▶ schedules ─ cost ─▶ seconds
//!                                           ▲                                                      │
//!                                           └────────────── neighbours: other numbers ◀───────────────┘
//! ```
//!
//! A kernel that no single map suits may become a series of launches (`series`), each with a map of its own.
//!
//! A sketch becomes a map as a user would write it, and goes through the same laws. The best sketches by the cost model are improved
//! number by number. No clock is read: the effort is a number of operations that are compiled, so the same kernel always gets
//! the same map.
mod neighbours;
mod rank;
mod series;
mod units;
mod variants;

pub use rank::{Candidate, Search};
pub use series::{FoundSeries, find as find_series};
pub use units::{Effort, Kept, units_of};
