//! The range of a form over all places of a program, from the extents of lanes and warps and the bounds of loops and blocks.
//! Sizes are at least 1, lengths in their range.
use super::{Condition, Frame};
use crate::mapping::{Atom, Bound, PlaceForm};
use crate::model::Int;
use crate::planted::planted;
use crate::target::effort;

/// Whether a form is at least 0 at every place where it is an integer. `false` may also mean that this was not found.
pub fn never_negative(frame: &Frame, form: &PlaceForm) -> bool {
    let mut ways = vec![form.clone()];
    // Loops are bounded by blocks and sizes, blocks by sizes.
    let times = frame.loops.iter().enumerate().rev().map(|(k, row)| (Atom::Time(k), row));
    let blocks = frame.blocks.iter().enumerate().map(|(k, row)| (Atom::Block(k), row));
    for (atom, row) in times.chain(blocks) {
        // This is asked very often, and most forms have few atoms.
        if ways.iter().any(|way| way.coefficient(&atom) != 0) {
            let fewer = ways.iter().flat_map(|way| without(way, &atom, &row.low, &row.high));
            ways = fewer.take(effort::BOUND_WAYS).collect();
        }
    }
    for length in &frame.lengths {
        let (low, high) = (Bound::number(length.least), Bound::Form(length.most.clone()));
        ways = ways.iter().flat_map(|f| without(f, &Atom::Size(length.size), &low, &high)).collect();
    }
    ways.iter().any(|form| least(frame, form).is_some_and(|least| least > -form.denominator() - Int::from(planted(34))))
}

/// Forms without the atom that are at most this one everywhere.
fn without(form: &PlaceForm, atom: &Atom, low: &Bound, high: &Bound) -> Vec<PlaceForm> {
    let c = form.coefficient(atom);
    if c == 0 {
        return vec![form.clone()];
    }
    let ends = if c > 0 { below(low) } else { above(high) };
    ends.iter().map(|end| form.replaced(atom, end)).filter(|f| !f.is_broken()).collect()
}

/// Forms that are at most the bound everywhere.
pub fn below(bound: &Bound) -> Vec<PlaceForm> {
    match bound {
        Bound::Form(form) => vec![form.clone()],
        Bound::Sum(terms) => sums(terms, false),
        // floor(x / by) ≥ (x − by + 1) / by
        Bound::Quotient(of, by) => below(of).iter().map(|f| f.plus(1 - by).scale(1, *by)).collect(),
        Bound::Least(..) => Vec::new(),
        Bound::Greatest(a, b) => [below(a), below(b)].concat(),
    }
}

/// Forms that are at least the bound everywhere.
pub fn above(bound: &Bound) -> Vec<PlaceForm> {
    match bound {
        Bound::Form(form) => vec![form.clone()],
        Bound::Sum(terms) => sums(terms, true),
        Bound::Quotient(of, by) => above(of).iter().map(|f| f.scale(1, *by)).collect(),
        Bound::Least(a, b) => [above(a), above(b)].concat(),
        Bound::Greatest(..) => Vec::new(),
    }
}

fn sums(terms: &[(Int, Bound)], upper: bool) -> Vec<PlaceForm> {
    let mut sums = vec![PlaceForm::constant(0)];
    for (c, bound) in terms {
        let ends = if (*c > 0) == upper { above(bound) } else { below(bound) };
        let longer = sums.iter().flat_map(|sum| ends.iter().map(|end| sum.add(&end.scale(*c, 1))));
        sums = longer.take(effort::BOUND_WAYS).collect();
    }
    sums
}

/// The least numerator, by the extents of the atoms that are left.
fn least(frame: &Frame, form: &PlaceForm) -> Option<Int> {
    let mut total = form.offset();
    for (atom, c) in form.terms() {
        let (low, high) = extent(frame, atom)?;
        let end = if c > 0 { low } else { high? };
        total = total.checked_add(c.checked_mul(end)?)?;
    }
    Some(total)
}

/// The least and the greatest value of an atom, where its extent is a number.
pub fn extent(frame: &Frame, atom: &Atom) -> Option<(Int, Option<Int>)> {
    match atom {
        Atom::Size(k) => {
            let length = frame.lengths.iter().find(|length| length.size == *k);
            Some((length.map_or(1, |length| length.least), None))
        }
        Atom::Lane(k) => Some((0, Some(frame.lanes[*k] - 1))),
        Atom::Warp(k) => Some((0, Some(frame.warps[*k] - 1))),
        Atom::Remainder(_, by) => Some((0, Some(by - 1))),
        Atom::Block(_) | Atom::Time(_) | Atom::Register => None,
    }
}

/// Constant bounds of a loop that hold for all sizes; `None` where there are none.
pub fn range(low: &Bound, high: &Bound) -> Option<(Int, Int)> {
    let numbers = |forms: Vec<PlaceForm>| forms.iter().filter_map(PlaceForm::number).collect::<Vec<Int>>();
    Some((numbers(below(low)).into_iter().max()?, numbers(above(high)).into_iter().min()?))
}

/// A form with lanes, warps and remainders at the end of their extents where it is greatest, or least.
pub fn at_extreme(frame: &Frame, form: &PlaceForm, greatest: bool) -> Option<PlaceForm> {
    let mut result = PlaceForm::constant(form.offset());
    for (atom, c) in form.terms() {
        let value = match atom {
            Atom::Size(_) | Atom::Block(_) | Atom::Time(_) => PlaceForm::atom(atom.clone()),
            other => {
                let (low, high) = extent(frame, other)?;
                PlaceForm::constant(if (c > 0) == greatest { high? } else { low })
            }
        };
        result = result.add(&value.scale(c, 1));
    }
    Some(result)
}

/// The number of loops that change a form: one more than the innermost loop it depends on.
pub fn level_of_form(form: &PlaceForm) -> usize {
    let mut level = 0;
    form.each_atom(&mut |atom| {
        if let Atom::Time(k) = atom {
            level = level.max(k + 1);
        }
    });
    level
}

/// The number of loops that change a condition.
pub fn level_of_condition(condition: &Condition) -> usize {
    let mut level = 0;
    condition.each_form(&mut |form| level = level.max(level_of_form(form)));
    level
}
