//! The smallest point of a set, for counterexamples shown to users.

use crate::budget::Budget;
use crate::search::{Answer, find};
use crate::system::Stop;
use crate::{Form, Formula, Int};

/// As [`crate::find_point`], but the point is canonical and small. The dimensions are taken in `order`, then the
/// remaining ones by index; each gets the value of smallest magnitude (0, 1, −1, 2, −2, …) that the earlier ones allow.
/// If shrinking runs out of budget, the result is the smallest point found so far; it is never [`Answer::GaveUp`] once
/// a point is known.
pub fn smallest_point(dims: usize, formula: &Formula, order: &[usize]) -> Answer {
    let mut point = match find(dims, &[formula], &mut Budget::default()) {
        Ok(point) => point,
        Err(Stop::Empty) => return Answer::None,
        Err(Stop::GaveUp) => return Answer::GaveUp,
    };
    // Shrinking runs several queries per dimension, but none is harder than the first.
    let mut budget = Budget::default();
    let mut fixed = Formula::True;
    let mut taken = vec![false; dims];
    for k in order.iter().copied().chain(0..dims) {
        if k >= dims || std::mem::replace(&mut taken[k], true) {
            continue;
        }
        if shrink(formula, &fixed, k, &mut point, &mut budget).is_err() {
            break;
        }
        fixed = fixed.and(Formula::equal(&Form::var(k), &Form::constant(point[k])));
    }
    Answer::Point(point)
}

/// Makes one coordinate of the point as small in magnitude as the fixed coordinates allow.
fn shrink(formula: &Formula, fixed: &Formula, k: usize, point: &mut Vec<Int>, budget: &mut Budget) -> Result<(), Stop> {
    let dims = point.len();
    let x = Form::var(k);
    let mut try_with = |extra: &Formula, point: &mut Vec<Int>| -> Result<bool, Stop> {
        match find(dims, &[formula, fixed, extra], budget) {
            Ok(found) => {
                *point = found;
                Ok(true)
            }
            Err(Stop::Empty) => Ok(false),
            Err(Stop::GaveUp) => Err(Stop::GaveUp),
        }
    };
    let size = |point: &[Int]| point[k].checked_abs().ok_or(Stop::GaveUp);
    // Every magnitude below `from` is known to be impossible.
    let mut from = 0;
    let mut aim = 0;
    while from < size(point)? {
        let reach = Form::constant(aim);
        let inside = Formula::at_least(&x, &reach.neg()).and(Formula::at_most(&x, &reach));
        if !try_with(&inside, point)? {
            from = aim + 1;
        }
        let size = size(point)?;
        aim = from + (size - from) / 2;
    }
    if point[k] < 0 {
        let turned = Formula::equal(&x, &Form::constant(-point[k]));
        try_with(&turned, point)?;
    }
    Ok(())
}
