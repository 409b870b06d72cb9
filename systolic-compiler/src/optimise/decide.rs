//! Comparisons that hold at every place of the program, or at none, are no comparisons.
use crate::program::{Condition, Frame, Program, never_negative};
use std::collections::HashMap;

pub fn decide(program: &mut Program) {
    let mut known: HashMap<Condition, Condition> = HashMap::new();
    program.each_condition(&mut |frame, condition| {
        if *condition != Condition::True && *condition != Condition::False {
            let decided = known.entry(condition.clone()).or_insert_with(|| decided(frame, condition));
            *condition = decided.clone();
        }
    });
}

/// A condition without the comparisons that are settled.
pub fn decided(frame: &Frame, condition: &Condition) -> Condition {
    condition.map(&mut |c| one(frame, c))
}

fn one(frame: &Frame, condition: &Condition) -> Condition {
    match condition {
        // A form that is not whole makes a comparison false, so that it cannot be true everywhere.
        Condition::AtLeast(form) if form.denominator() == 1 && never_negative(frame, form) => Condition::True,
        Condition::AtLeast(form) if never_negative(frame, &form.scale(-1, 1).plus(-1)) => Condition::False,
        Condition::Zero(form)
            if never_negative(frame, &form.scale(-1, 1).plus(-1)) || never_negative(frame, &form.plus(-1)) =>
        {
            Condition::False
        }
        other => other.clone(),
    }
}
