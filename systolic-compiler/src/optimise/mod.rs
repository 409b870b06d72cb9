//! Optimisation: a fixed sequence of small passes over a program. None changes what is stored.
//!
//! The innermost loop is still one loop here; `schedule` cuts it.
mod decide;
mod divide;
mod extremes;
mod halo;
mod imply;
mod inside;
mod levels;
mod near;
mod reuse;
mod stage;
mod stop;
mod sweep;

pub use imply::{any_of, given, implied, in_common, without_implied};
pub use sweep::decided_operand;

use crate::program::Program;

/// A pass by its name.
pub type Pass = (&'static str, fn(&mut Program));

/// Every pass, in order.
pub const PASSES: [Pass; 12] = [
    // Ends the innermost loop after the last time that stores anything.
    ("stop", stop::stop),
    // Folds comparisons that the bounds of loops, blocks, lanes and sizes decide.
    ("decide", decide::decide),
    // Divides comparisons by common factors, so that equal ones are written alike.
    ("divide", divide::divide),
    // Removes comparisons that another one beside them implies.
    ("imply", imply::imply),
    // Common-subexpression and dead-code elimination, and selects whose condition is decided.
    ("sweep", sweep::sweep),
    // Loads arrays that the map stages from shared memory.
    ("stage", stage::stage),
    // Replaces reads of one input at several offsets by carried registers and shuffles, where loads cost more.
    ("reuse", reuse::reuse),
    // Halo exchange: lanes at one end load what lies beyond the other end, and rotate it there.
    ("halo", halo::halo),
    // Guards loads, so that nothing is loaded outside an array, and replaces constant borders by selects.
    ("inside", inside::inside),
    // Loop-invariant code motion.
    ("levels", levels::levels),
    // Reorders nested minima and maxima of integers for the machine, and removes operands that cannot matter.
    ("extremes", extremes::extremes),
    // Finds the barriers that a value must wait for.
    ("phases", levels::phases),
];

/// Runs all passes.
pub fn optimise(program: &mut Program) {
    for (_, pass) in PASSES {
        pass(program);
    }
}
