//! The range of a form over all places of a program, from the extents of lanes and warps and the bounds of loops and blocks.
//! Sizes are at least 1, lengths in their range.
use super::{Condition, Frame};
use crate::mapping::{Atom, Bound, PlaceForm};
use crate::model::Int;
use crate::planted::planted;
use crate::target::effort;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// Whether a form is at least 0 at every place where it is an integer. `false` may also mean that this was not found.
pub fn never_negative(frame: &Frame, form: &PlaceForm) -> bool {
    Ranges::of(frame).is_never_negative(form)
}

/// The ranges of forms over one frame, for many questions: what one answer needed is kept for the next.
pub struct Ranges<'f> {
    frame: &'f Frame,
    /// Loops are bounded by blocks and sizes, blocks by sizes, lengths by other sizes. So the last come first.
    atoms: Vec<Bounded<'f>>,
    known: RefCell<HashMap<PlaceForm, bool>>,
}

/// An atom with its bounds, and forms that are at most the lower one everywhere, or at least the upper one.
struct Bounded<'f> {
    atom: Atom,
    low: Cow<'f, Bound>,
    high: Cow<'f, Bound>,
    below: OnceCell<Vec<PlaceForm>>,
    above: OnceCell<Vec<PlaceForm>>,
}

impl<'f> Bounded<'f> {
    fn new(atom: Atom, low: Cow<'f, Bound>, high: Cow<'f, Bound>) -> Bounded<'f> {
        Bounded { atom, low, high, below: OnceCell::new(), above: OnceCell::new() }
    }

    /// Forms without the atom that are at most this one everywhere.
    fn without(&self, form: &PlaceForm) -> Vec<PlaceForm> {
        let c = form.coefficient(&self.atom);
        if c == 0 {
            return vec![form.clone()];
        }
        let ends = match c > 0 {
            true => self.below.get_or_init(|| below(&self.low)),
            false => self.above.get_or_init(|| above(&self.high)),
        };
        ends.iter().map(|end| form.replaced(&self.atom, end)).filter(|f| !f.is_broken()).collect()
    }
}

impl<'f> Ranges<'f> {
    pub fn of(frame: &'f Frame) -> Ranges<'f> {
        let times = frame.loops.iter().enumerate().rev().map(|(k, row)| (Atom::Time(k), row));
        let blocks = frame.blocks.iter().enumerate().map(|(k, row)| (Atom::Block(k), row));
        let rows = times
            .chain(blocks)
            .map(|(atom, row)| Bounded::new(atom, Cow::Borrowed(&row.low), Cow::Borrowed(&row.high)));
        let lengths = frame.lengths.iter().map(|length| {
            let (low, high) = (Bound::number(length.least), Bound::Form(length.most.clone()));
            Bounded::new(Atom::Size(length.size), Cow::Owned(low), Cow::Owned(high))
        });
        Ranges { frame, atoms: rows.chain(lengths).collect(), known: RefCell::default() }
    }

    /// As [`never_negative`], and remembers the answer.
    pub fn never_negative(&self, form: &PlaceForm) -> bool {
        if let Some(known) = self.known.borrow().get(form) {
            return *known;
        }
        let never = self.is_never_negative(form);
        self.known.borrow_mut().insert(form.clone(), never);
        never
    }

    fn is_never_negative(&self, form: &PlaceForm) -> bool {
        let mut ways = vec![form.clone()];
        for bounded in &self.atoms {
            // Most forms have few atoms.
            if ways.iter().any(|way| way.coefficient(&bounded.atom) != 0) {
                ways = ways.iter().flat_map(|way| bounded.without(way)).take(effort::BOUND_WAYS).collect();
            }
        }
        let is_positive = |least: Int, form: &PlaceForm| least > -form.denominator() - Int::from(planted(34));
        ways.iter().any(|form| least(self.frame, form).is_some_and(|least| is_positive(least, form)))
    }
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
