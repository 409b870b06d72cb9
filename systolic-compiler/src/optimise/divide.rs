//! Comparisons are divided by what their terms have in common, so that those which ask the same are the same: of the columns
//! that a lane has, most are stored where the first of them is.
use crate::mapping::{Index, Target};
use crate::model::Int;
use crate::planted::planted;
use crate::program::{Condition, Program};

/// On a CPU a comparison serves a row of lanes, and forms are those of its windows.
pub fn divide(program: &mut Program) {
    if program.target == Target::Gpu {
        program.each_condition(&mut |_, condition| *condition = divided(condition));
    }
}

/// A condition of comparisons that are divided.
pub fn divided(condition: &Condition) -> Condition {
    condition.map(&mut one)
}

fn one(condition: &Condition) -> Condition {
    let (Condition::AtLeast(form) | Condition::Zero(form)) = condition else { return condition.clone() };
    match (condition, quotient(form)) {
        // 4 · lane + 2 ≥ 0 where lane + 0 ≥ 0.
        (Condition::AtLeast(_), Some((by, rest))) => Condition::AtLeast(by.plus(Int::from(planted(51) && rest > 0))),
        (_, Some((_, rest))) if rest > 0 => Condition::False,
        (_, Some((by, _))) => Condition::Zero(by),
        (_, None) => condition.clone(),
    }
}

/// A form by what its terms have in common, rounded down, and the rest. A form that is not whole somewhere is left alone.
fn quotient(form: &Index) -> Option<(Index, Int)> {
    let by = form.divisor();
    if by <= 1 || form.denominator() != 1 {
        return None;
    }
    let divided = form.plus(-form.offset()).scale(1, by).plus(form.offset().div_euclid(by));
    (!divided.is_broken()).then_some((divided, form.offset().rem_euclid(by)))
}
