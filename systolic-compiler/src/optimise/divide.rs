//! Division of comparisons by the common factor of their terms, so that equivalent ones are written alike.
//!
//! ```text
//! before                                                     after
//!
//! store out0[4 lane0] = v0 if -4 lane0 + 111 >= 0            store out0[4 lane0] = v0 if -lane0 + 27 >= 0
//! store out0[4 lane0 + 1] = v1 if -4 lane0 + 110 >= 0        store out0[4 lane0 + 1] = v1 if -lane0 + 27 >= 0
//! store out0[4 lane0 + 2] = v2 if -4 lane0 + 109 >= 0        store out0[4 lane0 + 2] = v2 if -lane0 + 27 >= 0
//! ```
//!
//! The columns of one lane then share one comparison, and one wide access can store them. Terms without a common factor and
//! forms with a denominator are left alone. On a CPU the pass does nothing: there one comparison serves all lanes of a warp,
//! and an undivided form shares its lane offsets with the indices of loads and stores.
use crate::mapping::{PlaceForm, Target};
use crate::model::Int;
use crate::planted::planted;
use crate::program::{Condition, Program};

/// Divides the comparisons of all values and stores. Only for a GPU.
pub fn divide(program: &mut Program) {
    if program.target == Target::Gpu {
        program.each_condition(&mut |condition| *condition = divided(condition));
    }
}

/// A condition whose comparisons are divided.
pub fn divided(condition: &Condition) -> Condition {
    condition.map(&mut one)
}

fn one(condition: &Condition) -> Condition {
    let (Condition::AtLeast(form) | Condition::Zero(form)) = condition else { return condition.clone() };
    match (condition, quotient(form)) {
        // 4 · lane + 2 ≥ 0 holds where lane + ⌊2 / 4⌋ ≥ 0.
        (Condition::AtLeast(_), Some((by, rest))) => Condition::AtLeast(by.plus(Int::from(planted(51) && rest > 0))),
        (_, Some((_, rest))) if rest > 0 => Condition::False,
        (_, Some((by, _))) => Condition::Zero(by),
        (_, None) => condition.clone(),
    }
}

/// A form divided by the common factor of its terms, rounded down, and the remainder of its constant. `None` for a form
/// without such a factor, or with a denominator.
fn quotient(form: &PlaceForm) -> Option<(PlaceForm, Int)> {
    let by = form.divisor();
    if by <= 1 || form.denominator() != 1 {
        return None;
    }
    let divided = form.plus(-form.offset()).scale(1, by).plus(form.offset().div_euclid(by));
    (!divided.is_broken()).then_some((divided, form.offset().rem_euclid(by)))
}
