//! The exact range of a form over a set.

use crate::budget::Budget;
use crate::equalities::reduce;
use crate::omega::solve;
use crate::search::{Facts, find};
use crate::system::Stop;
use crate::{Form, Formula, Int};

/// The exact integer range of a form over a set.
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Range {
    /// The set is empty.
    Empty,
    /// The least and the greatest value, each attained at some point; `None` if unbounded.
    Bounds { low: Option<Int>, high: Option<Int> },
    /// A number overflowed or the budget is used up: nothing is known.
    GaveUp,
}

/// The exact integer range of a form over the set.
pub fn range(dims: usize, formula: &Formula, form: &Form) -> Range {
    let mut budget = Budget::default();
    let low = minimise(dims, formula, form, &mut budget);
    let low = match low {
        Ok(low) => low,
        Err(Stop::Empty) => return Range::Empty,
        Err(Stop::GaveUp) => return Range::GaveUp,
    };
    match minimise(dims, formula, &form.neg(), &mut budget) {
        Ok(None) => Range::Bounds { low, high: None },
        Ok(Some(high)) => match high.checked_neg() {
            Some(high) => Range::Bounds { low, high: Some(high) },
            None => Range::GaveUp,
        },
        // The set is known to have points, so this cannot be `Stop::Empty`.
        Err(_) => Range::GaveUp,
    }
}

/// The least value of a form over a set; `None` if it is unbounded below.
fn minimise(dims: usize, formula: &Formula, form: &Form, budget: &mut Budget) -> Result<Option<Int>, Stop> {
    let dims = dims.max(form.dims());
    // Each round either proves that the current value is the least or finds a smaller one.
    let point = find(dims, &[formula], budget)?;
    let mut best = at(form, &point)?;
    loop {
        let smaller = Formula::less(form, &Form::constant(best));
        let facts = match Facts::of(dims, &[formula, &smaller]) {
            Ok(facts) => facts,
            Err(Stop::Empty) => return Ok(Some(best)),
            Err(Stop::GaveUp) => return Err(Stop::GaveUp),
        };
        match least(&facts, form, budget) {
            Ok(None) => return Ok(None),
            Ok(Some(value)) => best = value,
            Err(Stop::Empty) => return Ok(Some(best)),
            Err(Stop::GaveUp) => return Err(Stop::GaveUp),
        }
    }
}

/// A value of the form on this branch that is the least on at least one of its sub-branches.
fn least(facts: &Facts, form: &Form, budget: &mut Budget) -> Result<Option<Int>, Stop> {
    let point = facts.solve(budget)?;
    let chosen = match least_of_atoms(facts, form, point, budget)? {
        Some(point) => match facts.violated(&point)? {
            None => return Ok(Some(at(form, &point)?)),
            Some(chosen) => chosen,
        },
        // Unbounded as far as the atoms alone say; the open choices may still bound it.
        None if facts.is_conjunction() => return Ok(None),
        None => 0,
    };
    let mut stop = Stop::Empty;
    for alternative in facts.alternatives(chosen) {
        if let Some(facts) = facts.with(chosen, alternative)? {
            match least(&facts, form, budget) {
                Ok(found) => return Ok(found),
                Err(Stop::Empty) => {}
                Err(Stop::GaveUp) if budget.is_spent() => return Err(Stop::GaveUp),
                Err(Stop::GaveUp) => stop = Stop::GaveUp,
            }
        }
    }
    Err(stop)
}

/// A point at which the form is least among the points that satisfy the atoms; `None` if it is unbounded.
fn least_of_atoms(facts: &Facts, form: &Form, point: Vec<Int>, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
    let mut hunt = Hunt { facts, form, value: at(form, &point)?, point };
    let mut low = match box_low(facts, form, budget)? {
        // The bound is usually attained.
        Some(low) => {
            if hunt.reach(low, budget)? {
                return Ok(Some(hunt.point));
            }
            low.checked_add(1).ok_or(Stop::GaveUp)?
        }
        None if is_unbounded(facts, form, budget)? => return Ok(None),
        None => {
            let mut step: Int = 1;
            loop {
                let aim = hunt.value.checked_sub(step).ok_or(Stop::GaveUp)?;
                if !hunt.reach(aim, budget)? {
                    break aim.checked_add(1).ok_or(Stop::GaveUp)?;
                }
                step = step.checked_mul(2).ok_or(Stop::GaveUp)?;
            }
        }
    };
    while low < hunt.value {
        let room = hunt.value.checked_sub(low).ok_or(Stop::GaveUp)?;
        let aim = low + room / 2;
        if !hunt.reach(aim, budget)? {
            low = aim + 1;
        }
    }
    Ok(Some(hunt.point))
}

/// The best point found so far.
struct Hunt<'a> {
    facts: &'a Facts<'a>,
    form: &'a Form,
    point: Vec<Int>,
    value: Int,
}

impl Hunt<'_> {
    /// Searches for a point at which the form is at most `aim`.
    fn reach(&mut self, aim: Int, budget: &mut Budget) -> Result<bool, Stop> {
        if self.value <= aim {
            return Ok(true);
        }
        let near = Formula::at_most(self.form, &Form::constant(aim));
        match self.facts.also(&near).and_then(|facts| facts.solve(budget)) {
            Ok(point) => {
                self.value = at(self.form, &point)?;
                self.point = point;
                Ok(true)
            }
            Err(Stop::Empty) => Ok(false),
            Err(Stop::GaveUp) => Err(Stop::GaveUp),
        }
    }
}

/// Whether the form is unbounded below on atoms that have a point. This holds if there is a direction along which no
/// row decreases and the form does: integer multiples of it lead from that point to ever smaller values.
fn is_unbounded(facts: &Facts, form: &Form, budget: &mut Budget) -> Result<bool, Stop> {
    let mut raw = facts.raw()?;
    let stride = raw.width + 1;
    for row in raw.equal.chunks_mut(stride).chain(raw.least.chunks_mut(stride)) {
        row[stride - 1] = 0;
    }
    let mut falls = row_of(form, raw.width)?;
    for c in &mut falls {
        *c = c.checked_neg().ok_or(Stop::GaveUp)?;
    }
    falls[stride - 1] = -1;
    raw.least.extend_from_slice(&falls);
    match solve(raw, budget) {
        Ok(_) => Ok(true),
        Err(Stop::Empty) => Ok(false),
        Err(Stop::GaveUp) => Err(Stop::GaveUp),
    }
}

/// A lower bound of the form computed from the bounds of single columns, if those are enough.
fn box_low(facts: &Facts, form: &Form, budget: &mut Budget) -> Result<Option<Int>, Stop> {
    let raw = facts.raw()?;
    let mut row = row_of(form, raw.width)?;
    let reduced = reduce(raw, true, budget)?;
    reduced.steps.rewrite(&mut row)?;
    let mut low = row[row.len() - 1];
    for (k, column) in reduced.columns.iter().enumerate() {
        let c = row[*column];
        let bound = match c.signum() {
            0 => continue,
            1 => reduced.system.low_of(k),
            _ => reduced.system.high_of(k),
        };
        let Some(bound) = bound else { return Ok(None) };
        let term = c.checked_mul(bound).ok_or(Stop::GaveUp)?;
        low = low.checked_add(term).ok_or(Stop::GaveUp)?;
    }
    Ok(Some(low))
}

fn row_of(form: &Form, width: usize) -> Result<Vec<Int>, Stop> {
    let mut row = vec![0; width + 1];
    for (k, c) in form.coefs.iter().take(width).enumerate() {
        row[k] = Budget::admit(*c)?;
    }
    row[width] = Budget::admit(form.constant)?;
    Ok(row)
}

fn at(form: &Form, point: &[Int]) -> Result<Int, Stop> {
    form.eval(point).ok_or(Stop::GaveUp)
}
