//! Eliminates columns of a conjunction exactly. The result is a union of conjunctions of equalities, inequalities and
//! congruences over the kept columns, which come first.

use crate::budget::Budget;
use crate::equalities::{change, shear_of};
use crate::number::gcd;
use crate::omega::splinter_slack;
use crate::project::{kept_first, reorder};
use crate::shadow::{Choice, Plan, shadow};
use crate::system::{Raw, Stop, System, add_scaled};
use crate::{Form, Formula, Int};

/// A conjunction some of whose columns are still to be eliminated.
pub(crate) struct Residue {
    raw: Raw,
    kept: usize,
    /// Rows over the kept columns, each with a number that must divide it.
    divided: Vec<(Vec<Int>, Int)>,
}

impl Residue {
    pub fn of(raw: Raw, kept: &[usize]) -> Residue {
        let order = kept_first(raw.width, kept);
        let stride = raw.width + 1;
        let turn = |rows: &[Int]| rows.chunks(stride).flat_map(|r| reorder(r, &order)).collect();
        let raw = Raw { width: raw.width, equal: turn(&raw.equal), least: turn(&raw.least) };
        Residue { raw, kept: kept.len(), divided: Vec::new() }
    }

    /// The conjunction as a formula, once only kept columns are left.
    pub fn into_formula(self, kept: &[usize]) -> Result<Formula, Stop> {
        let form = |row: &[Int]| {
            let mut coefs = vec![0; kept.iter().map(|k| k + 1).max().unwrap_or(0)];
            for (k, c) in kept.iter().zip(row) {
                coefs[*k] = *c;
            }
            Form::new(coefs, row[row.len() - 1])
        };
        let stride = self.raw.width + 1;
        let mut formula = Formula::True;
        for row in self.raw.equal.chunks(stride) {
            formula = formula.and(Formula::equal(&form(row), &Form::constant(0)));
        }
        let mut system = System::new(self.raw.width);
        for row in self.raw.least.chunks(stride) {
            match system.insert(&mut row.to_vec(), 0) {
                Err(Stop::Empty) => return Ok(Formula::False),
                other => other?,
            }
        }
        let equal: Vec<Form> = system.equal.chunks(stride).map(form).collect();
        for (at, row) in equal.iter().enumerate() {
            if !equal[..at].contains(row) && !equal[..at].contains(&row.neg()) {
                formula = formula.and(Formula::equal(row, &Form::constant(0)));
            }
        }
        for row in system.rows.chunks(stride).map(form) {
            if !equal.contains(&row) && !equal.contains(&row.neg()) {
                formula = formula.and(Formula::at_least(&row, &Form::constant(0)));
            }
        }
        for (row, modulus) in self.divided {
            let mut row = form(&row);
            for c in row.coefs.iter_mut().chain([&mut row.constant]) {
                *c = c.checked_rem_euclid(modulus).ok_or(Stop::GaveUp)?;
            }
            let is = if row.constant == 0 { 0 } else { modulus - row.constant };
            let form = Form::new(row.coefs, 0);
            formula = formula.and(if form.is_constant() {
                if is == 0 { Formula::True } else { Formula::False }
            } else {
                Formula::Remainder { form, modulus, is }
            });
        }
        Ok(formula)
    }

    fn forgotten(&self, row: &[Int]) -> bool {
        row[self.kept..self.raw.width].iter().any(|c| *c != 0)
    }
}

/// Adds to `found` conjunctions over the kept columns whose union is the projection.
pub(crate) fn eliminate(mut residue: Residue, found: &mut Vec<Residue>, budget: &mut Budget) -> Result<(), Stop> {
    loop {
        match equalities(&mut residue, budget) {
            Err(Stop::Empty) => return Ok(()),
            other => other?,
        }
        let stride = residue.raw.width + 1;
        let mut system = System::new(residue.raw.width);
        budget.spend(residue.raw.least.len() / stride + 1)?;
        for row in residue.raw.least.chunks(stride) {
            match system.insert(&mut row.to_vec(), 0) {
                Err(Stop::Empty) => return Ok(()),
                other => other?,
            }
        }
        if system.equal.chunks(stride).any(|row| residue.forgotten(row)) {
            // Pairs of opposite rows that are equalities: the next round removes their columns.
            residue.raw.equal.extend_from_slice(&system.equal);
            residue.raw.least = system.rows;
            continue;
        }
        let mut plan = Plan::new(&system, residue.kept);
        match plan.tidy(&system) {
            Err(Stop::Empty) => return Ok(()),
            other => other?,
        };
        plan.drop_one_sided(&system);
        let Some(choice) = plan.choose() else {
            residue.raw.least = plan.remaining(&system);
            found.push(residue);
            return Ok(());
        };
        let exact = choice.is_exact();
        if !exact
            && let Some((row, room)) = system.narrowest(&plan.state, residue.kept)
            && room < choice.splinters
        {
            // This needs fewer equalities than the splinters, and no dark shadow.
            let row = &system.rows[row * stride..(row + 1) * stride];
            return slices(&residue, &plan.remaining(&system), row, room, found, budget);
        }
        let columns = plan.columns_without(choice.column);
        match shadow(&system, &plan, &columns, &choice, !exact, false, budget) {
            Ok(child) => {
                let next = below(&residue, child.into_raw(), &columns);
                if exact {
                    residue = next;
                    continue;
                }
                eliminate(next, found, budget)?;
            }
            Err(Stop::Empty) => {
                if exact {
                    return Ok(());
                }
            }
            Err(Stop::GaveUp) => return Err(Stop::GaveUp),
        }
        return splinters(&residue, plan.remaining(&system), &choice, found, budget);
    }
}

/// The residue with these inequalities, over fewer columns. Its equalities mention only kept columns.
fn below(residue: &Residue, inequalities: Raw, columns: &[usize]) -> Residue {
    let stride = residue.raw.width + 1;
    let equal = residue.raw.equal.chunks(stride).flat_map(|row| reorder(row, columns)).collect();
    let raw = Raw { width: inequalities.width, equal, least: inequalities.least };
    Residue { raw, kept: residue.kept, divided: residue.divided.clone() }
}

/// The points that the dark shadow misses: as in the search for a point, but every splinter is kept.
fn splinters(
    residue: &Residue,
    least: Vec<Int>,
    choice: &Choice,
    found: &mut Vec<Residue>,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let stride = residue.raw.width + 1;
    let (sign, across) = choice.splinter_side();
    for row in least.chunks(stride) {
        let own = row[choice.column].checked_mul(sign).ok_or(Stop::GaveUp)?;
        if own <= 0 {
            continue;
        }
        let slack = splinter_slack(own, across).ok_or(Stop::GaveUp)?;
        slices(residue, &least, row, slack, found, budget)?;
    }
    Ok(())
}

/// Adds one case for each value of a row from zero to `room`, each as an equality.
fn slices(
    residue: &Residue,
    least: &[Int],
    row: &[Int],
    room: Int,
    found: &mut Vec<Residue>,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let width = residue.raw.width;
    let mut above = 0;
    while above <= room {
        budget.spend(1)?;
        let mut equal = residue.raw.equal.clone();
        equal.extend_from_slice(row);
        let last = equal.len() - 1;
        equal[last] = equal[last].checked_sub(above).ok_or(Stop::GaveUp)?;
        let raw = Raw { width, equal, least: least.to_vec() };
        let divided = residue.divided.clone();
        eliminate(Residue { raw, kept: residue.kept, divided }, found, budget)?;
        above += 1;
    }
    Ok(())
}

/// Solves the equalities for columns to be eliminated, until no equality mentions such a column.
fn equalities(residue: &mut Residue, budget: &mut Budget) -> Result<(), Stop> {
    let width = residue.raw.width;
    let stride = width + 1;
    let kept = residue.kept;
    loop {
        budget.spend(1)?;
        // Takes the last such equality, so that an equality that one step does not finish is taken again next.
        let found = residue.raw.equal.chunks(stride).rposition(|row| residue.forgotten(row));
        let Some(at) = found else { return Ok(()) };
        let mut row: Vec<Int> = residue.raw.equal.drain(at * stride..(at + 1) * stride).collect();
        divide(&mut row)?;
        let unit = (kept..width).find(|k| row[*k] == 1 || row[*k] == -1);
        if let Some(column) = unit {
            let sign = -row[column];
            row[column] = 0;
            for c in &mut row {
                *c = c.checked_mul(sign).ok_or(Stop::GaveUp)?;
            }
            for_each_row(&mut residue.raw, budget, |other| change(other, column, false, &row))?;
            continue;
        }
        let mut forgotten = row.clone();
        forgotten[..kept].fill(0);
        let mentioned: Vec<usize> = (kept..width).filter(|k| row[*k] != 0).collect();
        if mentioned.len() > 1 {
            let (column, shear) = shear_of(&forgotten)?;
            residue.raw.equal.extend_from_slice(&row);
            for_each_row(&mut residue.raw, budget, |other| change(other, column, true, &shear))?;
            continue;
        }
        // g·x + rest = 0: g divides the rest, and in all other rows x is −rest / g.
        let column = mentioned[0];
        if row[column] < 0 {
            for c in &mut row {
                *c = c.checked_neg().ok_or(Stop::GaveUp)?;
            }
        }
        let modulus = row[column];
        for_each_row(&mut residue.raw, budget, |other| clear(other, column, &row))?;
        let mut rest = row[..kept].to_vec();
        rest.push(row[width]);
        residue.divided.push((rest, modulus));
    }
}

/// Divides an equality by the common factor of its coefficients.
fn divide(row: &mut [Int]) -> Result<(), Stop> {
    let width = row.len() - 1;
    let mut divisor = 0;
    for c in &row[..width] {
        divisor = gcd(divisor, *c).ok_or(Stop::GaveUp)?;
    }
    if divisor > 1 {
        if row[width] % divisor != 0 {
            return Err(Stop::Empty);
        }
        for c in row {
            *c /= divisor;
        }
    }
    Ok(())
}

/// Adds the multiple of an equality that makes the row's entry in `column` zero. The equality's own entry is positive.
fn clear(row: &mut [Int], column: usize, equality: &[Int]) -> Result<(), Stop> {
    if row[column] == 0 {
        return Ok(());
    }
    let common = gcd(row[column], equality[column]).ok_or(Stop::GaveUp)?;
    let factor = equality[column] / common;
    let by = (row[column] / common).checked_neg().ok_or(Stop::GaveUp)?;
    for c in &mut *row {
        *c = c.checked_mul(factor).ok_or(Stop::GaveUp)?;
    }
    if add_scaled(row, by, equality) { Ok(()) } else { Err(Stop::GaveUp) }
}

fn for_each_row(
    raw: &mut Raw,
    budget: &mut Budget,
    mut each: impl FnMut(&mut [Int]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let stride = raw.width + 1;
    budget.spend((raw.equal.len() + raw.least.len()) / stride)?;
    for row in raw.equal.chunks_mut(stride).chain(raw.least.chunks_mut(stride)) {
        each(row)?;
    }
    Ok(())
}
