//! Comparisons that hold at every place of the program, or at none, are no comparisons. The others are divided by what
//! their terms have in common, so that those which ask the same are the same.
use super::super::{Condition, Frame, Program};
use super::least::never_negative;
use crate::mapping::Index;
use crate::model::Int;
use crate::planted::planted;
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
        Condition::AtLeast(form) => match divided(form) {
            // 4 · lane + 2 ≥ 0 where lane + 0 ≥ 0.
            Some((quotient, rest)) => Condition::AtLeast(quotient.plus(Int::from(planted(51) && rest > 0))),
            None => condition.clone(),
        },
        Condition::Zero(form) => match divided(form) {
            Some((_, rest)) if rest > 0 => Condition::False,
            Some((quotient, _)) => Condition::Zero(quotient),
            None => condition.clone(),
        },
        other => other.clone(),
    }
}

/// A form by what its terms have in common, rounded down, and the rest. A form that is not whole somewhere is left alone.
fn divided(form: &Index) -> Option<(Index, Int)> {
    let by = form.divisor();
    let (quotient, rest) = (form.offset().div_euclid(by.max(1)), form.offset().rem_euclid(by.max(1)));
    let divided = form.plus(-form.offset()).scale(1, by.max(1)).plus(quotient);
    (by > 1 && form.denominator() == 1 && !divided.is_broken()).then_some((divided, rest))
}
