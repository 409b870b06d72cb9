//! Constant folding of conditions: a comparison that holds at every place of the program, or at none, is replaced by its
//! value.
//!
//! ```text
//! before, with lane0 in 0..=31 and block0 in 0..=floor((size0 - 1) / 32)
//!     v0: f32 = load x[32 block0 + lane0] if (32 block0 + lane0 >= 0 and size0 - 32 block0 - lane0 - 1 >= 0)
//! after
//!     v0: f32 = load x[32 block0 + lane0] if size0 - 32 block0 - lane0 - 1 >= 0
//! ```
//!
//! The ranges of lanes, warps, loops, blocks and sizes decide. `sweep` then removes what a decided condition selects or
//! guards. A comparison that these ranges leave open stays, and so does a test of a remainder, which `lower` has folded where
//! it can.
use crate::program::{Condition, Frame, Program, Ranges};
use std::collections::HashMap;

/// Folds the conditions of all values and stores.
pub fn decide(program: &mut Program) {
    let mut known: HashMap<Condition, Condition> = HashMap::new();
    let frame = program.frame.clone();
    let ranges = Ranges::of(&frame);
    program.each_condition(&mut |condition| {
        if *condition != Condition::True && *condition != Condition::False {
            let decided = known.entry(condition.clone()).or_insert_with(|| condition.map(&mut |c| one(&ranges, c)));
            *condition = decided.clone();
        }
    });
}

/// A condition without the comparisons that are decided.
pub fn decided(frame: &Frame, condition: &Condition) -> Condition {
    let ranges = Ranges::of(frame);
    condition.map(&mut |c| one(&ranges, c))
}

fn one(ranges: &Ranges<'_>, condition: &Condition) -> Condition {
    match condition {
        // A comparison is false where its form is not an integer, so only an integer form can make it true everywhere.
        Condition::AtLeast(form) if form.denominator() == 1 && ranges.never_negative(form) => Condition::True,
        Condition::AtLeast(form) if ranges.never_negative(&form.scale(-1, 1).plus(-1)) => Condition::False,
        Condition::Zero(form)
            if ranges.never_negative(&form.scale(-1, 1).plus(-1)) || ranges.never_negative(&form.plus(-1)) =>
        {
            Condition::False
        }
        other => other.clone(),
    }
}
