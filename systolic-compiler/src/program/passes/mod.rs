//! Simplification: small passes over a program, one after the other, in this order. None changes what is stored.
mod ahead;
mod decide;
mod divide;
mod edges;
mod given;
mod groups;
mod imply;
mod inside;
mod least;
mod levels;
mod near;
mod reuse;
mod rims;
mod split;
mod stage;
mod stop;
mod sweep;
mod whole;
mod widen;

pub use ahead::is_fetched;
pub use least::{never_negative, range};
pub use levels::{of_condition, of_form};

use super::Program;

/// A pass by its name.
pub type Pass = (&'static str, fn(&mut Program));

/// Every pass, in order.
pub const PASSES: [Pass; 15] = [
    // Steps of the innermost loop behind the last one that stores.
    ("stop", stop::stop),
    // Comparisons that the bounds of loops, blocks, lanes and sizes settle.
    ("decide", decide::decide),
    // Comparisons that ask the same, written the same.
    ("divide", divide::divide),
    // Comparisons that another one beside them implies.
    ("imply", imply::imply),
    // Selects that are settled, values made twice, values that nothing needs.
    ("sweep", sweep::sweep),
    // Loads of arrays that the map stages, from shared memory.
    ("stage", stage::stage),
    // Reads of one input at several offsets, by rotation and shuffle where loads are dear.
    ("reuse", reuse::reuse),
    // What lies beyond the last lane, loaded by the lanes at the other end and sent around.
    ("rims", rims::rims),
    // What lies outside an array is not loaded; a border that is a number is chosen instead.
    ("inside", inside::inside),
    // What no inner loop changes is made before it.
    ("levels", levels::levels),
    // What lies behind which barrier of the step.
    ("phases", levels::phases),
    // The innermost loop in pieces, so that its steady piece evaluates no guard that its bounds settle.
    ("split", split::split),
    // Parts of a long step that its first and last iterations skip.
    ("groups", groups::groups),
    // Neighbours in memory that a lane loads or stores, by one access.
    ("widen", widen::widen),
    // What is loaded ahead of its step, and how many steps are written out for it.
    ("ahead", ahead::ahead),
];

pub fn simplify(program: &mut Program) {
    for (_, pass) in PASSES {
        pass(program);
    }
}
