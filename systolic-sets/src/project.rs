//! Exact projection of a set onto some of its dimensions.

use crate::budget::Budget;
use crate::residue::{Residue, eliminate};
use crate::search::{Facts, find};
use crate::system::Stop;
use crate::{Formula, Int};

/// The budget of a projection, in budgets of a query: a projection visits every branch.
const BRANCHES: u64 = 2;

/// Exact projection: { x restricted to the dimensions with keep\[k\] : values for the others exist }. The result is a
/// formula over the same dimensions in which the others have coefficient 0. A dimension beyond the end of `keep` is not
/// kept. Returns `None` if the exact projection is not found.
pub fn project(dims: usize, formula: &Formula, keep: &[bool]) -> Option<Formula> {
    let dims = dims.max(formula.dims());
    let kept = |k: usize| keep.get(k).copied().unwrap_or(false);
    let mut outer = Formula::True;
    let mut inner = Vec::new();
    separate(formula, true, &kept, &mut outer, &mut inner);
    let inner: Vec<&Formula> = inner.iter().collect();

    let mut budget = Budget::new(Budget::default().left() * BRANCHES);
    let mut branches = Vec::new();
    let facts = match Facts::of(dims, &inner) {
        Ok(facts) => facts,
        Err(Stop::Empty) => return Some(Formula::False),
        Err(Stop::GaveUp) => return None,
    };
    let order: Vec<usize> = (0..dims).filter(|k| kept(*k)).collect();
    match each_branch(&facts, &order, &mut branches, &mut budget) {
        Ok(()) | Err(Stop::Empty) => {}
        Err(Stop::GaveUp) => return None,
    }
    let inner = branches.into_iter().fold(Formula::False, Formula::or);
    Some(outer.and(inner))
}

/// Separates the parts that mention no eliminated dimension; the projection does not change them.
fn separate(
    formula: &Formula,
    holds: bool,
    kept: &impl Fn(usize) -> bool,
    outer: &mut Formula,
    inner: &mut Vec<Formula>,
) {
    match (formula, holds) {
        (Formula::All(parts), true) | (Formula::Any(parts), false) => {
            for part in parts {
                separate(part, holds, kept, outer, inner);
            }
        }
        (Formula::Not(part), _) => separate(part, !holds, kept, outer, inner),
        _ => {
            let part = if holds { formula.clone() } else { formula.negate() };
            if !part.mentions(&|k| !kept(k)) {
                let before = std::mem::replace(outer, Formula::True);
                *outer = before.and(part);
            } else {
                inner.push(part);
            }
        }
    }
}

/// Enumerates all combinations of alternatives and projects each resulting conjunction.
fn each_branch(facts: &Facts, kept: &[usize], branches: &mut Vec<Formula>, budget: &mut Budget) -> Result<(), Stop> {
    budget.spend(1)?;
    match facts.solve(budget) {
        Err(Stop::Empty) => return Ok(()),
        Err(Stop::GaveUp) if budget.is_spent() => return Err(Stop::GaveUp),
        // It is unknown whether the branch is empty; projecting it is correct in either case.
        Err(Stop::GaveUp) | Ok(_) => {}
    }
    if !facts.is_conjunction() {
        for alternative in facts.alternatives(0) {
            if let Some(facts) = facts.with(0, alternative)? {
                each_branch(&facts, kept, branches, budget)?;
            }
        }
        return Ok(());
    }
    let residue = Residue::of(facts.raw()?, kept);
    let mut found = Vec::new();
    eliminate(residue, &mut found, budget)?;
    for residue in found {
        let formula = residue.into_formula(kept)?;
        let known = branches.contains(&formula);
        if !known && find(facts.dims, &[&formula], budget) != Err(Stop::Empty) {
            branches.push(formula);
        }
    }
    Ok(())
}

/// The order of the columns with the kept ones first.
pub(crate) fn kept_first(width: usize, kept: &[usize]) -> Vec<usize> {
    let mut order = kept.to_vec();
    order.extend((0..width).filter(|k| !kept.contains(k)));
    order
}

/// The row with its columns in another order.
pub(crate) fn reorder(row: &[Int], order: &[usize]) -> Vec<Int> {
    let mut result: Vec<Int> = order.iter().map(|k| row[*k]).collect();
    result.push(row[row.len() - 1]);
    result
}
