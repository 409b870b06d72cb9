//! Checks the laws by plain enumeration at given sizes: without a solver and without sharing code with the laws, slow
//! and obvious. It is the reference for every random test of the compiler.
//!
//! - [`violations`], [`map_violations`] and [`more_violations`]: all violations at given sizes;
//! - [`confirm`]: whether the witness of a fault shows what the fault states;
//! - [`reordered`]: steps that compact time rows put into another order;
//! - [`find_copies`]: which variables are copies, determined independently;
//! - [`random_kernel`]: random kernels with maps, as text, lawful or broken in every way.
mod confirm;
mod copies;
mod cycle;
mod equations;
mod items;
mod maps;
mod origin;
mod placement;
mod random;
mod rank;
mod reorder;
mod shifts;
mod sites;
mod sizes;
mod step;
mod violation;
mod window;
mod world;

pub use confirm::{confirm, is_confirmable, is_limit};
pub use copies::{find_copies, wrong_copies};
pub use equations::violations;
pub use items::Items;
pub use maps::{map_violations, more_violations};
pub use placement::{Instance, Placement, Verdict, Wire};
pub use random::{Random, random_kernel};
pub use reorder::reordered;
pub use sizes::{few_sizes, some_sizes};
pub use step::Step;
pub use violation::{Site, Violation};
pub use world::World;

use std::borrow::Cow;
use systolic_compiler::model::{Int, Kernel, Mapping, Places};

/// The kernel whose points a map places. With the clause `direct` it is one that passes nothing on; `tests/direct.rs` compares its
/// values with those of the kernel as it is written.
pub fn placed<'k>(kernel: &'k Kernel, mapping: &Mapping) -> Cow<'k, Kernel> {
    let direct = if mapping.direct { kernel.direct() } else { None };
    direct.map_or(Cow::Borrowed(kernel), Cow::Owned)
}

/// The places of a map, for loops that are as long as its shifts require.
pub fn places(kernel: &Kernel, mapping: &Mapping) -> Places {
    Places::new(kernel.shifted(&mapping.shifts).as_ref().unwrap_or(kernel), mapping)
}

/// The points of the loops at these sizes, in the order of the loop nest.
pub fn points(kernel: &Kernel, sizes: &[Int]) -> Vec<Vec<Int>> {
    World::new(kernel, sizes).points()
}
