//! Removes the equalities of a conjunction by unimodular changes of variables, which preserve all integer points and
//! need no new variables, and maps points back to the original variables.

use crate::Int;
use crate::budget::Budget;
use crate::number::{gcd, nearest_div};
use crate::system::{Raw, Stop, System, add_scaled, row_at};

/// The changes of variables, in order: each is x_column = form, or x_column = x_column + form.
pub(crate) struct Steps {
    width: usize,
    list: Vec<Step>,
    /// The forms, one row each.
    forms: Vec<Int>,
}

struct Step {
    column: usize,
    keeps: bool,
}

impl Steps {
    /// Marks the columns that are now functions of the other columns.
    fn solved(&self) -> Vec<bool> {
        let mut solved = vec![false; self.width];
        for step in &self.list {
            if !step.keeps {
                solved[step.column] = true;
            }
        }
        solved
    }

    /// Extends a point of the reduced conjunction to a point of the original one.
    pub fn carry_back(&self, point: &mut [Int]) -> Result<(), Stop> {
        let stride = self.width + 1;
        let mut at = self.list.len();
        while at > 0 {
            at -= 1;
            let step = &self.list[at];
            let form = &self.forms[at * stride..(at + 1) * stride];
            let Some(mut value) = row_at(form, point) else {
                return Err(Stop::GaveUp);
            };
            if step.keeps {
                let Some(sum) = value.checked_add(point[step.column]) else {
                    return Err(Stop::GaveUp);
                };
                value = sum;
            }
            point[step.column] = value;
        }
        Ok(())
    }

    /// Applies the steps to one more row.
    pub fn rewrite(&self, row: &mut [Int]) -> Result<(), Stop> {
        let stride = self.width + 1;
        for (at, step) in self.list.iter().enumerate() {
            let form = &self.forms[at * stride..(at + 1) * stride];
            change(row, step.column, step.keeps, form)?;
        }
        Ok(())
    }
}

/// A conjunction without its equalities: the steps that removed them, the remaining columns, and the inequalities over
/// those columns.
pub(crate) struct Reduced {
    pub steps: Steps,
    pub columns: Vec<usize>,
    pub system: System,
}

/// Removes all equalities. With `keep_free`, columns that no inequality mentions are kept.
pub(crate) fn reduce(mut raw: Raw, keep_free: bool, budget: &mut Budget) -> Result<Reduced, Stop> {
    let steps = eliminate(&mut raw, budget)?;
    let stride = raw.width + 1;
    let count = raw.least.len() / stride;
    budget.spend_pass(count, raw.width)?;
    let solved = steps.solved();
    let mut used = vec![keep_free; raw.width];
    let mut at = 0;
    {
        let least = &raw.least[..];
        while at < least.len() {
            let mut k = 0;
            while k < raw.width {
                if least[at + k] != 0 {
                    used[k] = true;
                }
                k += 1;
            }
            at += stride;
        }
    }
    let mut columns = Vec::with_capacity(raw.width);
    let mut k = 0;
    while k < raw.width {
        if used[k] && !solved[k] {
            columns.push(k);
        }
        k += 1;
    }
    let mut system = System::new(columns.len());
    system.rows.reserve(count * (columns.len() + 1));
    let mut row = vec![0; columns.len() + 1];
    let mut at = 0;
    while at < raw.least.len() {
        let mut k = 0;
        while k < columns.len() {
            row[k] = raw.least[at + columns[k]];
            k += 1;
        }
        row[k] = raw.least[at + raw.width];
        let origin = if count <= 128 { 1 << (at / stride) } else { 0 };
        system.insert(&mut row, origin)?;
        at += stride;
    }
    Ok(Reduced { steps, columns, system })
}

fn eliminate(raw: &mut Raw, budget: &mut Budget) -> Result<Steps, Stop> {
    let width = raw.width;
    let stride = width + 1;
    let mut steps = Steps { width, list: Vec::new(), forms: Vec::new() };
    while !raw.equal.is_empty() {
        budget.spend(1 + raw.equal.len() / 256)?;
        let Some(mut row) = take_equality(raw, stride)? else {
            continue;
        };
        let unit = unit_column(raw, &row);
        if let Some(column) = unit {
            // c·x + rest = 0 with c = ±1: x = −c·rest.
            let sign = -row[column];
            row[column] = 0;
            if sign == -1 {
                negate(&mut row)?;
            }
            substitute(raw, column, false, &row, budget)?;
            steps.list.push(Step { column, keeps: false });
            steps.forms.extend_from_slice(&row);
        } else {
            let (column, shear) = shear_of(&row)?;
            raw.equal.extend_from_slice(&row);
            substitute(raw, column, true, &shear, budget)?;
            steps.list.push(Step { column, keeps: true });
            steps.forms.extend_from_slice(&shear);
        }
    }
    Ok(steps)
}

/// Removes one equality from `raw`, preferably one with a unit coefficient, and returns it divided by its common
/// factor. Returns `None` if the equality is trivial.
fn take_equality(raw: &mut Raw, stride: usize) -> Result<Option<Vec<Int>>, Stop> {
    let width = stride - 1;
    let mut chosen = raw.equal.len() - stride;
    let mut at = raw.equal.len();
    'rows: while at > 0 {
        at -= stride;
        let mut k = 0;
        while k < width {
            let c = raw.equal[at + k];
            if c == 1 || c == -1 {
                chosen = at;
                break 'rows;
            }
            k += 1;
        }
    }
    let mut row = raw.equal[chosen..chosen + stride].to_vec();
    let last = raw.equal.len() - stride;
    raw.equal.copy_within(last.., chosen);
    raw.equal.truncate(last);

    let mut divisor = 0;
    let mut k = 0;
    while k < width && divisor != 1 {
        if row[k] != 0 {
            divisor = gcd(divisor, row[k]).ok_or(Stop::GaveUp)?;
        }
        k += 1;
    }
    if divisor == 0 {
        return if row[width] == 0 { Ok(None) } else { Err(Stop::Empty) };
    }
    if divisor > 1 {
        if row[width] % divisor != 0 {
            return Err(Stop::Empty);
        }
        for c in &mut row {
            *c /= divisor;
        }
    }
    Ok(Some(row))
}

/// Among the columns with coefficient ±1, returns the one that the fewest inequalities mention.
fn unit_column(raw: &Raw, row: &[Int]) -> Option<usize> {
    let stride = raw.width + 1;
    let least = &raw.least[..];
    let mut best = None;
    let mut fewest = usize::MAX;
    let mut k = 0;
    while k < raw.width {
        if row[k] == 1 || row[k] == -1 {
            let mut mentions = 0;
            let mut at = k;
            while at < least.len() {
                if least[at] != 0 {
                    mentions += 1;
                }
                at += stride;
            }
            if mentions < fewest {
                fewest = mentions;
                best = Some(k);
            }
        }
        k += 1;
    }
    best
}

/// Finds a change of variable for an equality that has neither a unit coefficient nor a common factor. With c the
/// smallest coefficient and x its column, x := x − Σ round(c_i / c)·x_i makes all other coefficients smaller than c.
pub(crate) fn shear_of(row: &[Int]) -> Result<(usize, Vec<Int>), Stop> {
    let width = row.len() - 1;
    let mut column = width;
    let mut k = 0;
    while k < width {
        let smaller = column == width || row[k].unsigned_abs() < row[column].unsigned_abs();
        if row[k] != 0 && smaller {
            column = k;
        }
        k += 1;
    }
    let mut shear = vec![0; width + 1];
    let mut k = 0;
    while k < width {
        if k != column && row[k] != 0 {
            let quotient = nearest_div(row[k], row[column]).ok_or(Stop::GaveUp)?;
            shear[k] = quotient.checked_neg().ok_or(Stop::GaveUp)?;
        }
        k += 1;
    }
    Ok((column, shear))
}

fn negate(row: &mut [Int]) -> Result<(), Stop> {
    for c in row {
        *c = c.checked_neg().ok_or(Stop::GaveUp)?;
    }
    Ok(())
}

fn substitute(raw: &mut Raw, column: usize, keeps: bool, form: &[Int], budget: &mut Budget) -> Result<(), Stop> {
    let stride = raw.width + 1;
    let mut touched = 0;
    for rows in [&mut raw.equal, &mut raw.least] {
        let rows = &mut rows[..];
        let mut at = 0;
        while at < rows.len() {
            if rows[at + column] != 0 {
                touched += 1;
                change(&mut rows[at..at + stride], column, keeps, form)?;
            }
            at += stride;
        }
    }
    budget.spend(touched)
}

/// Substitutes x_column := form in the row, or x_column := x_column + form if `keeps`.
pub(crate) fn change(row: &mut [Int], column: usize, keeps: bool, form: &[Int]) -> Result<(), Stop> {
    let by = row[column];
    if by == 0 {
        return Ok(());
    }
    if !keeps {
        row[column] = 0;
    }
    if add_scaled(row, by, form) { Ok(()) } else { Err(Stop::GaveUp) }
}
