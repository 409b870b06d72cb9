//! The search for a map: the map of a kernel that has none, for a GPU.
//!
//! ```text
//! kernel ─ facts ─▶ loops ─ structures ─▶ sketches ─ map ─▶ laws ─ compile ─▶ schedules ─ cost ─▶ seconds
//!                                           ▲                                                      │
//!                                           └────────────── factors: other numbers ◀───────────────┘
//! ```
//!
//! A sketch becomes a map as a user would write it, and goes through the same laws. The best sketches by the cost model are improved
//! number by number. No clock is read: the effort is a number of candidates, so the same kernel always gets the same map.
mod facts;
mod factors;
mod rank;
mod sketch;
mod structures;

pub use rank::{Candidate, Search};

use crate::laws::{Lawful, LawfulMap};
use crate::syntax::tree;
use crate::target::Gpu;

/// The best map that the search finds for an instance; `None` if no structure is lawful.
pub fn find(tree: &tree::Kernel, lawful: &Lawful, gpu: &Gpu) -> Option<LawfulMap> {
    Search::new(tree, lawful, gpu).run().into_iter().next().map(|candidate| candidate.lawful)
}
