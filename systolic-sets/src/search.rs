//! Decides a formula: collects the conditions that must hold, solves them, and splits a disjunction only if the point
//! found violates it.

use crate::budget::Budget;
use crate::omega::solve;
use crate::system::{Raw, Stop};
use crate::{Form, Formula, Int};

/// Whether a set has a point.
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The set is empty.
    None,
    /// A point of the set: one value for every dimension.
    Point(Vec<Int>),
    /// A number overflowed or the budget is used up: nothing is known.
    GaveUp,
}

/// Finds a point of the set, exactly. There are `dims` integer variables, unbounded unless the formula bounds them. A
/// formula may mention further dimensions; they are solved for too, but the point has only the first `dims`.
pub fn find_point(dims: usize, formula: &Formula) -> Answer {
    find_point_within(dims, formula, &mut Budget::default())
}

/// As [`find_point`], with a given budget. The unused part can serve another query.
pub fn find_point_within(dims: usize, formula: &Formula, budget: &mut Budget) -> Answer {
    match find(dims, &[formula], budget) {
        Ok(point) => Answer::Point(point),
        Err(Stop::Empty) => Answer::None,
        Err(Stop::GaveUp) => Answer::GaveUp,
    }
}

/// Returns a point that satisfies all formulas.
pub(crate) fn find(dims: usize, formulas: &[&Formula], budget: &mut Budget) -> Result<Vec<Int>, Stop> {
    let facts = Facts::of(dims, formulas)?;
    let mut point = descend(&facts, budget)?;
    // Every point is checked before it is returned. If its coordinates are so large that the check overflows, give up.
    for formula in formulas {
        if formula.holds(&point) != Some(true) {
            return Err(Stop::GaveUp);
        }
    }
    point.resize(dims, 0);
    Ok(point)
}

fn descend(facts: &Facts, budget: &mut Budget) -> Result<Vec<Int>, Stop> {
    let point = facts.solve(budget)?;
    let Some(chosen) = facts.violated(&point)? else {
        return Ok(point);
    };
    let mut stop = Stop::Empty;
    for alternative in facts.alternatives(chosen) {
        if let Some(facts) = facts.with(chosen, alternative)? {
            match descend(&facts, budget) {
                Ok(point) => return Ok(point),
                Err(Stop::Empty) => {}
                // Another alternative may still have a point.
                Err(Stop::GaveUp) if budget.is_spent() => return Err(Stop::GaveUp),
                Err(Stop::GaveUp) => stop = Stop::GaveUp,
            }
        }
    }
    Err(stop)
}

/// The state of one branch: atoms that must hold, and choices that are still open.
#[derive(Clone)]
pub(crate) struct Facts<'a> {
    pub dims: usize,
    atoms: Vec<(Atom, &'a Form)>,
    open: Vec<Literal<'a>>,
}

/// A formula, or its complement if the flag is false.
type Literal<'a> = (&'a Formula, bool);

/// The relation that an atom asserts of its form.
#[derive(Clone, Copy)]
enum Atom {
    AtLeast,
    /// form < 0.
    Below,
    /// form > 0.
    Above,
    Zero,
    Remainder {
        modulus: Int,
        is: Int,
        holds: bool,
    },
}

/// One way to satisfy an open choice.
#[derive(Clone, Copy)]
pub(crate) enum Alternative<'a> {
    Literal(Literal<'a>),
    Below(&'a Form),
    Above(&'a Form),
}

impl<'a> Facts<'a> {
    pub fn of(dims: usize, formulas: &[&'a Formula]) -> Result<Facts<'a>, Stop> {
        let mut facts = Facts { dims, atoms: Vec::with_capacity(32), open: Vec::new() };
        for formula in formulas {
            facts.dims = facts.dims.max(formula.dims());
            facts.assume(formula, true)?;
        }
        Ok(facts)
    }

    /// Returns a point that satisfies the atoms.
    pub fn solve(&self, budget: &mut Budget) -> Result<Vec<Int>, Stop> {
        let mut point = solve(self.raw()?, budget)?;
        point.truncate(self.dims);
        Ok(point)
    }

    /// Adds a formula or its complement. Stops if it is trivially false.
    fn assume(&mut self, formula: &'a Formula, holds: bool) -> Result<(), Stop> {
        match (formula, holds) {
            (Formula::True, true) | (Formula::False, false) => Ok(()),
            (Formula::True, false) | (Formula::False, true) => Err(Stop::Empty),
            (Formula::AtLeast(form), true) => self.add(Atom::AtLeast, form),
            (Formula::AtLeast(form), false) => self.add(Atom::Below, form),
            (Formula::Zero(form), true) => self.add(Atom::Zero, form),
            (Formula::Zero(_), false) => {
                self.open.push((formula, holds));
                Ok(())
            }
            (Formula::Remainder { form, modulus, is }, _) => {
                if *modulus < 1 {
                    return Err(Stop::GaveUp);
                }
                if *is < 0 || is >= modulus {
                    return if holds { Err(Stop::Empty) } else { Ok(()) };
                }
                self.add(Atom::Remainder { modulus: *modulus, is: *is, holds }, form)
            }
            (Formula::All(parts), true) | (Formula::Any(parts), false) => {
                for part in parts {
                    self.assume(part, holds)?;
                }
                Ok(())
            }
            (Formula::Any(parts), true) | (Formula::All(parts), false) => match &parts[..] {
                [] => Err(Stop::Empty),
                [only] => self.assume(only, holds),
                _ => {
                    self.open.push((formula, holds));
                    Ok(())
                }
            },
            (Formula::Not(part), _) => self.assume(part, !holds),
        }
    }

    fn add(&mut self, atom: Atom, form: &'a Form) -> Result<(), Stop> {
        self.atoms.push((atom, form));
        Ok(())
    }

    /// This branch with one more condition.
    pub fn also<'b>(&self, formula: &'b Formula) -> Result<Facts<'b>, Stop>
    where
        'a: 'b,
    {
        let mut facts: Facts<'b> = self.clone();
        facts.assume(formula, true)?;
        Ok(facts)
    }

    /// Whether no choice is open.
    pub fn is_conjunction(&self) -> bool {
        self.open.is_empty()
    }

    /// The atoms as rows: one column per dimension, then one per remainder.
    pub fn raw(&self) -> Result<Raw, Stop> {
        let mut width = self.dims;
        for (atom, _) in &self.atoms {
            if let Atom::Remainder { .. } = atom {
                width += 1;
            }
        }
        let mut raw = Raw { width, equal: Vec::new(), least: Vec::new() };
        raw.least.reserve(self.atoms.len() * (width + 1));
        let mut fresh = self.dims;
        for (atom, form) in &self.atoms {
            match *atom {
                Atom::AtLeast => push(&mut raw.least, width, form, 1, 0)?,
                Atom::Below => push(&mut raw.least, width, form, -1, -1)?,
                Atom::Above => push(&mut raw.least, width, form, 1, -1)?,
                Atom::Zero => push(&mut raw.equal, width, form, 1, 0)?,
                Atom::Remainder { modulus, is, holds: true } => {
                    // form − is = modulus·k.
                    push(&mut raw.equal, width, form, 1, -is)?;
                    let base = raw.equal.len() - width - 1;
                    raw.equal[base + fresh] = -modulus;
                    fresh += 1;
                }
                Atom::Remainder { modulus, is, holds: false } => {
                    // 1 ≤ form − is − modulus·k ≤ modulus − 1.
                    push(&mut raw.least, width, form, 1, -is - 1)?;
                    let base = raw.least.len() - width - 1;
                    raw.least[base + fresh] = -modulus;
                    let room = modulus.checked_add(is - 1).ok_or(Stop::GaveUp)?;
                    push(&mut raw.least, width, form, -1, room)?;
                    let base = raw.least.len() - width - 1;
                    raw.least[base + fresh] = modulus;
                    fresh += 1;
                }
            }
        }
        Ok(raw)
    }

    /// Among the open choices that a point violates, returns the one with the fewest alternatives.
    pub fn violated(&self, point: &[Int]) -> Result<Option<usize>, Stop> {
        let mut best = None;
        let mut fewest = usize::MAX;
        for (at, (formula, holds)) in self.open.iter().enumerate() {
            match formula.holds(point) {
                None => return Err(Stop::GaveUp),
                Some(value) if value == *holds => {}
                Some(_) => {
                    let count = self.alternatives(at).len();
                    if count < fewest {
                        fewest = count;
                        best = Some(at);
                    }
                }
            }
        }
        Ok(best)
    }

    /// The ways to satisfy an open choice.
    pub fn alternatives(&self, chosen: usize) -> Vec<Alternative<'a>> {
        match self.open[chosen] {
            (Formula::Zero(form), _) => vec![Alternative::Above(form), Alternative::Below(form)],
            (Formula::Any(parts), holds) | (Formula::All(parts), holds) => {
                parts.iter().map(|part| Alternative::Literal((part, holds))).collect()
            }
            literal => vec![Alternative::Literal(literal)],
        }
    }

    /// The branch in which a choice takes this alternative. Returns `None` if that is trivially false.
    pub fn with(&self, chosen: usize, alternative: Alternative<'a>) -> Result<Option<Facts<'a>>, Stop> {
        let mut facts = self.clone();
        facts.open.swap_remove(chosen);
        let added = match alternative {
            Alternative::Literal((formula, holds)) => facts.assume(formula, holds),
            Alternative::Below(form) => facts.add(Atom::Below, form),
            Alternative::Above(form) => facts.add(Atom::Above, form),
        };
        match added {
            Ok(()) => Ok(Some(facts)),
            Err(Stop::Empty) => Ok(None),
            Err(Stop::GaveUp) => Err(Stop::GaveUp),
        }
    }
}

fn push(rows: &mut Vec<Int>, width: usize, form: &Form, sign: Int, plus: Int) -> Result<(), Stop> {
    // Missing coefficients are zeros.
    let coefs = &form.coefs[..];
    let mut k = 0;
    while k < width {
        if k < coefs.len() {
            let c = Budget::admit(coefs[k])?;
            rows.push(if sign == 1 { c } else { -c });
        } else {
            rows.push(0);
        }
        k += 1;
    }
    let constant = Budget::admit(form.constant)?;
    let constant = if sign == 1 { constant } else { -constant };
    rows.push(constant.checked_add(plus).ok_or(Stop::GaveUp)?);
    Ok(())
}
