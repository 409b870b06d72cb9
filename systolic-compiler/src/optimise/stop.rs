//! Ends the innermost loop after the last step that stores.
//!
//! ```text
//! before                                           after
//!
//! for t0 in 0..=size0 + 31                         for t0 in 0..=min(size0 + 31, size0 - 1)
//!     v0: f32 = load x[t0] if always                   v0: f32 = load x[t0] if always
//!     store out0[t0] = v0 if size0 - t0 - 1 >= 0       store out0[t0] = v0 if size0 - t0 - 1 >= 0
//! ```
//!
//! Later steps only compute the halo of an overlap, which other blocks store. The pass does nothing if the condition of some
//! store does not limit the time from above, or if values pass from one iteration of an outer loop to the next: then the last
//! steps do more than store.
use super::decide::decided;
use crate::mapping::{Atom, Bound, PlaceForm};
use crate::model::Int;
use crate::planted::planted;
use crate::program::{Condition, Frame, Program, above, at_extreme, level_of_form, never_negative};

/// Lowers the upper bound of the innermost loop to the last time that stores.
pub fn stop(program: &mut Program) {
    let Some(high) = program.frame.loops.last().map(|l| l.high.clone()) else { return };
    if hands_on(program) {
        return;
    }
    let Some(last) = last_store(program, &high) else { return };
    let last = last.plus(-Int::from(planted(52)));
    if let (Some(inner), Some(least)) = (program.frame.loops.last_mut(), Bound::least([high, last.clone()])) {
        inner.high = least;
        if let Some((_, busy)) = &mut inner.busy {
            *busy = Bound::least([busy.clone(), last]).unwrap_or_else(|| busy.clone());
        }
    }
}

/// Whether an iteration of the outer loops may hand values to the next one. Without outer loops, nothing reads registers,
/// rings and rows after the loop.
fn hands_on(program: &Program) -> bool {
    let hands_on = !program.registers.is_empty() || !program.rings.is_empty() || !program.rows.is_empty();
    program.frame.loops.len() > 1 && hands_on
}

/// The last time at which anything is stored; `None` if it is not found, or not below the bound of the loop.
fn last_store(program: &Program, high: &Bound) -> Option<Bound> {
    let frame = &program.frame;
    let conditions = program.stores.iter().map(|store| decided(frame, &store.condition));
    let stored = conditions.filter(|c| *c != Condition::False);
    let each: Option<Vec<Bound>> = stored.map(|condition| last_time(frame, &condition, high)).collect();
    Bound::greatest(each?)
}

/// The last time at which a condition holds in any lane of any warp.
fn last_time(frame: &Frame, condition: &Condition, high: &Bound) -> Option<Bound> {
    match condition {
        Condition::All(parts) => Bound::least(parts.iter().filter_map(|part| last_time(frame, part, high))),
        Condition::Any(parts) => {
            let each: Option<Vec<Bound>> = parts.iter().map(|part| last_time(frame, part, high)).collect();
            Bound::greatest(each?)
        }
        Condition::AtLeast(form) => last_positive(frame, form, high),
        Condition::Zero(form) => {
            last_positive(frame, form, high).or_else(|| last_positive(frame, &form.scale(-1, 1), high))
        }
        _ => None,
    }
}

/// The last time at which a form is at least 0: −c · t + rest ≥ 0 holds up to t = ⌊rest / c⌋. A constant bound is replaced
/// only by a constant.
fn last_positive(frame: &Frame, form: &PlaceForm, high: &Bound) -> Option<Bound> {
    let time = Atom::Time(frame.loops.len() - 1);
    let c = -form.coefficient(&time);
    if c <= 0 || form.denominator() != 1 {
        return None;
    }
    let rest = at_extreme(frame, &form.add(&PlaceForm::atom(time).scale(c, 1)), true)?;
    let is_earlier = || !above(high).iter().any(|high| never_negative(frame, &rest.sub(&high.scale(c, 1))));
    // The new bound may depend on sizes and blocks only.
    let is_bound =
        !rest.is_broken() && level_of_form(&rest) == 0 && (high.constant().is_none() || rest.number().is_some());
    (is_bound && is_earlier()).then(|| Bound::Form(rest.clone()).quotient(c))
}
