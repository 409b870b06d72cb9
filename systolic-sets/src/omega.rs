//! Decides a conjunction by the Omega test: finds an integer point or proves that there is none.

use crate::Int;
use crate::budget::Budget;
use crate::equalities::reduce;
use crate::number::{ceil_div, floor_div, nearest_zero};
use crate::shadow::{Choice, Plan, shadow};
use crate::system::{Raw, Stop, System, row_at};

/// If the distance between two opposite rows is smaller than this, each value between them is tried before any inexact
/// shadow. Fixing a value gives an equality, which eliminates a column.
const NARROW: Int = 4;

/// Returns a point of a conjunction.
pub(crate) fn solve(raw: Raw, budget: &mut Budget) -> Result<Vec<Int>, Stop> {
    let width = raw.width;
    let reduced = reduce(raw, false, budget)?;
    let inner = solve_system(reduced.system, budget)?;
    let mut point = vec![0; width];
    let mut k = 0;
    while k < inner.len() {
        point[reduced.columns[k]] = inner[k];
        k += 1;
    }
    reduced.steps.carry_back(&mut point)?;
    Ok(point)
}

fn solve_system(system: System, budget: &mut Budget) -> Result<Vec<Int>, Stop> {
    if system.equal.is_empty() { solve_inequalities(system, budget) } else { solve(system.into_raw(), budget) }
}

fn solve_inequalities(system: System, budget: &mut Budget) -> Result<Vec<Int>, Stop> {
    budget.spend_pass(system.count(), system.width)?;
    let mut plan = Plan::new(&system, 0);
    if plan.tidy(&system)? {
        return Ok(plan.into_guess());
    }
    plan.drop_one_sided(&system);
    let Some(choice) = plan.choose() else {
        // Only the deferred rows are left to satisfy.
        let mut point = vec![0; system.width];
        plan.carry_back(&system, &mut point)?;
        return Ok(point);
    };
    let narrow = if choice.is_exact() { None } else { system.narrowest(&plan.state, 0) };
    if let Some((row, room)) = narrow
        && room < NARROW
    {
        return slices(&system, &plan, row, room, budget);
    }
    let columns = plan.columns_without(choice.column);
    if let Some(point) = below(&system, &plan, &columns, &choice, false, budget)? {
        return Ok(point);
    }
    // The shadow has an integer point, but no integer point of the system lies above it. Above every integer point of
    // the dark shadow there is one.
    match below(&system, &plan, &columns, &choice, true, budget) {
        Ok(point) => return point.ok_or(Stop::GaveUp),
        Err(Stop::Empty) => {}
        Err(Stop::GaveUp) => return Err(Stop::GaveUp),
    }
    match narrow {
        Some((row, room)) if room < choice.splinters => slices(&system, &plan, row, room, budget),
        _ => splinters(&system, &plan, &choice, budget),
    }
}

/// Finds a point of the shadow and extends it to a point of the system. Returns `None` if the point found in the shadow
/// cannot be extended.
fn below(
    system: &System,
    plan: &Plan,
    columns: &[usize],
    choice: &Choice,
    dark: bool,
    budget: &mut Budget,
) -> Result<Option<Vec<Int>>, Stop> {
    let mut sparing = true;
    loop {
        let child = shadow(system, plan, columns, choice, dark, sparing, budget)?;
        let left_out = child.left_out;
        let inner = solve_system(child, budget)?;
        let point = extend(system, plan, choice, columns, &inner)?;
        let must = dark || choice.is_exact();
        if point.is_some() || !left_out || !must {
            return Ok(point);
        }
        // A row that was left out mattered after all: repeat with every row.
        sparing = false;
    }
}

/// Extends a point by values for the eliminated column and the deferred columns. Returns `None` if there is no integer
/// between the bounds of the eliminated column.
fn extend(
    system: &System,
    plan: &Plan,
    choice: &Choice,
    columns: &[usize],
    inner: &[Int],
) -> Result<Option<Vec<Int>>, Stop> {
    let mut point = vec![0; system.width];
    let mut k = 0;
    while k < columns.len() {
        point[columns[k]] = inner[k];
        k += 1;
    }
    let (low, high) = interval(system, &plan.state, 0, choice.column, &mut point)?;
    let Some(value) = nearest_zero(low, high) else {
        return Ok(None);
    };
    point[choice.column] = value;
    plan.carry_back(system, &mut point)?;
    Ok(Some(point))
}

/// Tries each value of a row between its bounds, as one equality each.
fn slices(system: &System, plan: &Plan, row: usize, room: Int, budget: &mut Budget) -> Result<Vec<Int>, Stop> {
    let least = plan.remaining(system);
    let stride = system.width + 1;
    let row = &system.rows[row * stride..(row + 1) * stride];
    let mut above = 0;
    while above <= room {
        match slice(system, plan, &least, row, above, budget) {
            Err(Stop::Empty) => above += 1,
            other => return other,
        }
    }
    Err(Stop::Empty)
}

/// Finds a point of the remaining rows at which `row` has this value.
fn slice(
    system: &System,
    plan: &Plan,
    least: &[Int],
    row: &[Int],
    value: Int,
    budget: &mut Budget,
) -> Result<Vec<Int>, Stop> {
    budget.spend(1)?;
    let mut equal = row.to_vec();
    equal[system.width] = equal[system.width].checked_sub(value).ok_or(Stop::GaveUp)?;
    let raw = Raw { width: system.width, equal, least: least.to_vec() };
    let mut point = solve(raw, budget)?;
    plan.carry_back(system, &mut point)?;
    Ok(point)
}

/// Points outside the dark shadow lie close above a lower bound or close below an upper bound. Tries each distance as
/// one equality.
fn splinters(system: &System, plan: &Plan, choice: &Choice, budget: &mut Budget) -> Result<Vec<Int>, Stop> {
    let stride = system.width + 1;
    let least = plan.remaining(system);
    let (sign, across) = choice.splinter_side();
    for row in least.chunks(stride) {
        let own = row[choice.column].checked_mul(sign).ok_or(Stop::GaveUp)?;
        if own > 0 {
            let slack = splinter_slack(own, across).ok_or(Stop::GaveUp)?;
            let mut above = 0;
            while above <= slack {
                match slice(system, plan, &least, row, above, budget) {
                    Err(Stop::Empty) => above += 1,
                    other => return other,
                }
            }
        }
    }
    Err(Stop::Empty)
}

/// The largest distance from its bound, with coefficient `own`, of a point outside the dark shadow; `across` is the
/// largest coefficient on the other side. Negative if there is no such point.
pub(crate) fn splinter_slack(own: Int, across: Int) -> Option<Int> {
    let room = own.checked_mul(across)?.checked_sub(own)?.checked_sub(across)?;
    Some(floor_div(room, across))
}

/// The bounds that the rows in state `wanted` put on a column, given values for the other columns.
pub(crate) fn interval(
    system: &System,
    state: &[usize],
    wanted: usize,
    column: usize,
    point: &mut [Int],
) -> Result<(Option<Int>, Option<Int>), Stop> {
    let stride = system.width + 1;
    let rows = &system.rows[..];
    let (mut low, mut high): (Option<Int>, Option<Int>) = (None, None);
    point[column] = 0;
    let mut at = 0;
    while at < state.len() {
        let c = rows[at * stride + column];
        if c != 0 && state[at] == wanted {
            let Some(rest) = row_at(&rows[at * stride..(at + 1) * stride], point) else {
                return Err(Stop::GaveUp);
            };
            if c > 0 {
                let Some(bound) = rest.checked_neg().and_then(|r| ceil_div(r, c)) else {
                    return Err(Stop::GaveUp);
                };
                if low.is_none_or(|l| l < bound) {
                    low = Some(bound);
                }
            } else {
                let Some(size) = c.checked_neg() else {
                    return Err(Stop::GaveUp);
                };
                let bound = floor_div(rest, size);
                if high.is_none_or(|h| h > bound) {
                    high = Some(bound);
                }
            }
        }
        at += 1;
    }
    Ok((low, high))
}
