//! The times of the innermost loop at which a comparison is decided: it holds in every lane and warp, or in none.
//!
//! Example: `t - lane >= 0` with lanes 0 to 31 holds in all lanes from time 31 on, and in none up to time −1.
use crate::mapping::{Atom, Bound, PlaceForm};
use crate::model::Int;
use crate::program::{Condition, Frame, at_extreme, level_of_form};

/// A range of times at which a comparison is decided. A missing bound means that the range is open on that side.
pub struct Region {
    pub low: Option<Bound>,
    pub high: Option<Bound>,
    /// Whether the comparison holds there.
    pub holds: bool,
}

impl Region {
    /// Whether it contains all times from `low` to `high`, whatever the sizes are.
    pub fn covers(&self, low: Int, high: Int) -> bool {
        let from = self.low.as_ref().is_none_or(|b| b.constant().is_some_and(|b| b <= low));
        let to = self.high.as_ref().is_none_or(|b| b.constant().is_some_and(|b| b >= high));
        from && to
    }
}

/// The regions of a comparison; none where its form is not an affine function of the time.
pub fn regions(frame: &Frame, condition: &Condition) -> Vec<Region> {
    let innermost = frame.loops.len() - 1;
    let (Condition::AtLeast(form) | Condition::Zero(form)) = condition else { return Vec::new() };
    let c = form.coefficient(&Atom::Time(innermost));
    let rest = form.sub(&PlaceForm::atom(Atom::Time(innermost)).scale(c, 1));
    // The time may also stand inside a remainder, or the form may not be an integer everywhere.
    if c == 0 || form.denominator() != 1 || level_of_form(&rest) == innermost + 1 {
        return Vec::new();
    }
    let (Some(least), Some(most)) = (at_extreme(frame, &rest, false), at_extreme(frame, &rest, true)) else {
        return Vec::new();
    };
    let not_negative = |rest: &PlaceForm, holds: bool| half_line(c, rest, holds);
    let negative = |rest: &PlaceForm, holds: bool| half_line(-c, &rest.scale(-1, 1).plus(-1), holds);
    match condition {
        Condition::AtLeast(_) => vec![not_negative(&least, true), negative(&most, false)],
        _ => {
            let apart = [not_negative(&least.plus(-1), false), negative(&most, false)];
            apart.into_iter().chain(root(c, &least, &most)).collect()
        }
    }
}

/// The times at which c · t + rest ≥ 0.
fn half_line(c: Int, rest: &PlaceForm, holds: bool) -> Region {
    // c > 0: t ≥ ⌈−rest / c⌉ = −⌊rest / c⌋; c < 0: t ≤ ⌊rest / −c⌋.
    let quotient = Bound::Form(rest.clone()).quotient(c.abs());
    match c > 0 {
        true => Region { low: Some(Bound::sum(vec![(-1, quotient)])), high: None, holds },
        false => Region { low: None, high: Some(quotient), holds },
    }
}

/// The one time at which c · t + rest = 0, if it is the same in all lanes.
fn root(c: Int, least: &PlaceForm, most: &PlaceForm) -> Option<Region> {
    let at = least.scale(-c.signum(), 1);
    let single = least == most && c.abs() == 1;
    single.then(|| Region { low: Some(Bound::Form(at.clone())), high: Some(Bound::Form(at)), holds: true })
}
