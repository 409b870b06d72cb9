//! Fourier–Motzkin elimination: chooses the column whose elimination is exact and cheap, and projects a system along
//! that column (the result is called its shadow).

use crate::Int;
use crate::budget::Budget;
use crate::number::{ceil_div, gcd, nearest_zero};
use crate::omega::{interval, splinter_slack};
use crate::system::{Stop, System, combine, row_at};

/// The rows of a system that are still active, and the order in which columns were deferred.
pub(crate) struct Plan {
    /// Per row: 0 while it is active, REDUNDANT, or one plus the index in `put_off` of the column with which it was
    /// deferred.
    pub state: Vec<usize>,
    put_off: Vec<usize>,
    sides: Vec<Side>,
    guess: Vec<Int>,
    /// Columns below this index must not be eliminated.
    stay: usize,
}

const REDUNDANT: usize = usize::MAX;

/// The number of rows that bound a column from below and from above, and their largest coefficients.
#[derive(Clone)]
struct Side {
    lower: usize,
    upper: usize,
    lower_max: Int,
    upper_max: Int,
}

/// The column to eliminate.
pub(crate) struct Choice {
    pub column: usize,
    lower_max: Int,
    upper_max: Int,
    splinter_lower: bool,
    /// The number of equalities needed to search outside the dark shadow.
    pub splinters: Int,
}

impl Choice {
    /// The side on which to search for points outside the dark shadow (1: above lower bounds, −1: below upper bounds),
    /// and the largest coefficient on the other side.
    pub fn splinter_side(&self) -> (Int, Int) {
        if self.splinter_lower { (1, self.upper_max) } else { (-1, self.lower_max) }
    }

    /// Whether every integer point of the shadow extends to an integer point of the system.
    pub fn is_exact(&self) -> bool {
        self.lower_max == 1 || self.upper_max == 1
    }
}

impl Plan {
    pub fn new(system: &System, stay: usize) -> Plan {
        Plan { stay, state: vec![0; system.count()], put_off: Vec::new(), sides: Vec::new(), guess: Vec::new() }
    }

    /// Drops the rows that the bounds of single columns imply, and stops if a row contradicts those bounds. Returns
    /// true if the point nearest to zero within the bounds satisfies every row.
    pub fn tidy(&mut self, system: &System) -> Result<bool, Stop> {
        let width = system.width;
        let mut lows = Vec::with_capacity(width);
        let mut highs = Vec::with_capacity(width);
        self.guess = Vec::with_capacity(width);
        let mut k = 0;
        while k < width {
            let (low, high) = (system.low_of(k), system.high_of(k));
            self.guess.push(nearest_zero(low, high).ok_or(Stop::Empty)?);
            lows.push(low);
            highs.push(high);
            k += 1;
        }
        let stride = width + 1;
        let mut satisfied = true;
        let mut at = 0;
        while at < self.state.len() {
            let row = &system.rows[at * stride..(at + 1) * stride];
            if satisfied {
                satisfied = matches!(row_at(row, &self.guess), Some(value) if value >= 0);
            }
            let mut entries = 0;
            let mut least = Some(row[width]);
            let mut most = Some(row[width]);
            let mut k = 0;
            while k < width && (least.is_some() || most.is_some() || entries < 2) {
                let c = row[k];
                if c != 0 {
                    entries += 1;
                    let (down, up) = if c > 0 { (lows[k], highs[k]) } else { (highs[k], lows[k]) };
                    least = add_term(least, c, down);
                    most = add_term(most, c, up);
                }
                k += 1;
            }
            if entries > 1 {
                if let Some(most) = most
                    && most < 0
                {
                    return Err(Stop::Empty);
                }
                if let Some(least) = least
                    && least >= 0
                {
                    self.state[at] = REDUNDANT;
                }
            }
            at += 1;
        }
        Ok(satisfied)
    }

    pub fn into_guess(self) -> Vec<Int> {
        self.guess
    }

    /// Defers every column that is bounded on one side only: a value far enough out satisfies its rows.
    pub fn drop_one_sided(&mut self, system: &System) {
        self.count_sides(system);
        let stride = system.width + 1;
        let mut k = self.stay;
        while k < system.width {
            let side = &self.sides[k];
            if (side.lower == 0) == (side.upper == 0) {
                k += 1;
                continue;
            }
            self.put_off.push(k);
            let mark = self.put_off.len();
            let mut at = 0;
            while at < self.state.len() {
                if self.state[at] == 0 && system.rows[at * stride + k] != 0 {
                    self.state[at] = mark;
                }
                at += 1;
            }
            // With fewer rows, another column may now be bounded on one side only.
            self.count_sides(system);
            k = self.stay;
        }
    }

    fn count_sides(&mut self, system: &System) {
        let stride = system.width + 1;
        let rows = &system.rows[..];
        self.sides.clear();
        self.sides.resize(system.width, Side { lower: 0, upper: 0, lower_max: 0, upper_max: 0 });
        let sides = &mut self.sides[..];
        let state = &self.state[..];
        let mut at = 0;
        while at < state.len() {
            if state[at] == 0 {
                let base = at * stride;
                let mut k = 0;
                while k < system.width {
                    let c = rows[base + k];
                    if c > 0 {
                        sides[k].lower += 1;
                        if c > sides[k].lower_max {
                            sides[k].lower_max = c;
                        }
                    } else if c < 0 {
                        sides[k].upper += 1;
                        let size = if c == Int::MIN { Int::MAX } else { -c };
                        if size > sides[k].upper_max {
                            sides[k].upper_max = size;
                        }
                    }
                    k += 1;
                }
            }
            at += 1;
        }
    }

    /// Chooses the column to eliminate: if any elimination is exact, the exact one that adds the fewest rows; otherwise
    /// the one with the fewest splinters. Returns `None` if no active row is left.
    pub fn choose(&self) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        let mut best_key = (Int::MAX, i64::MAX);
        let mut k = self.stay;
        while k < self.sides.len() {
            let side = &self.sides[k];
            if side.lower > 0 && side.upper > 0 {
                let (lower, upper) = (side.lower as i64, side.upper as i64);
                let growth = lower * upper - lower - upper;
                let above = splinter_cost(side.lower, side.lower_max, side.upper_max);
                let below = splinter_cost(side.upper, side.upper_max, side.lower_max);
                let exact = side.lower_max == 1 || side.upper_max == 1;
                let key = (if exact { 0 } else { above.min(below) }, growth);
                if best.is_none() || key < best_key {
                    best_key = key;
                    best = Some(Choice {
                        column: k,
                        lower_max: side.lower_max,
                        upper_max: side.upper_max,
                        splinter_lower: above <= below,
                        splinters: above.min(below),
                    });
                }
            }
            k += 1;
        }
        best
    }

    /// All columns that must stay or that active rows mention, except `column`.
    pub fn columns_without(&self, column: usize) -> Vec<usize> {
        let mut columns = Vec::with_capacity(self.sides.len());
        let mut k = 0;
        while k < self.sides.len() {
            if k != column && (k < self.stay || self.sides[k].lower > 0) {
                columns.push(k);
            }
            k += 1;
        }
        columns
    }

    /// The active rows.
    pub fn remaining(&self, system: &System) -> Vec<Int> {
        let stride = system.width + 1;
        let mut rows = Vec::new();
        let mut at = 0;
        while at < self.state.len() {
            if self.state[at] == 0 {
                rows.extend_from_slice(&system.rows[at * stride..(at + 1) * stride]);
            }
            at += 1;
        }
        rows
    }

    /// Gives the deferred columns their values, in reverse order.
    pub fn carry_back(&self, system: &System, point: &mut [Int]) -> Result<(), Stop> {
        let mut mark = self.put_off.len();
        while mark > 0 {
            let column = self.put_off[mark - 1];
            let (low, high) = interval(system, &self.state, mark, column, point)?;
            point[column] = nearest_zero(low, high).ok_or(Stop::GaveUp)?;
            mark -= 1;
        }
        Ok(())
    }
}

fn splinter_cost(rows: usize, own: Int, across: Int) -> Int {
    match splinter_slack(own, across) {
        Some(slack) => slack.saturating_add(1).saturating_mul(rows as Int),
        None => Int::MAX,
    }
}

fn add_term(total: Option<Int>, c: Int, bound: Option<Int>) -> Option<Int> {
    match (total, bound) {
        (Some(total), Some(bound)) => match c.checked_mul(bound) {
            Some(term) => total.checked_add(term),
            None => None,
        },
        _ => None,
    }
}

/// The system without the column: each lower bound is combined with each upper bound. The dark shadow requires enough
/// room between them that an integer always fits.
///
/// With `sparing`, a row that combines more original rows than eliminated columns plus one is left out: over the
/// rationals other rows imply it (Chernikov, Kohler). Rounding and merging of rows may break this argument, so the
/// result is then only known to contain the exact shadow.
pub(crate) fn shadow(
    system: &System,
    plan: &Plan,
    columns: &[usize],
    choice: &Choice,
    dark: bool,
    sparing: bool,
    budget: &mut Budget,
) -> Result<System, Stop> {
    let stride = system.width + 1;
    let column = choice.column;
    let mut child = System::with_columns_of(system, columns);
    child.eliminated = system.eliminated.saturating_add(1);
    let most = if sparing { child.eliminated.saturating_add(1) } else { u32::MAX };
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < plan.state.len() {
        if plan.state[at] == 0 {
            let c = system.rows[at * stride + column];
            if c > 0 {
                lower.push(at);
            } else if c < 0 {
                upper.push(at);
            } else {
                child.copy_row(system, at, columns);
            }
        }
        at += 1;
    }
    let mut out = Vec::with_capacity(stride);
    for &l in &lower {
        let below = &system.rows[l * stride..(l + 1) * stride];
        for &u in &upper {
            let origins = system.origins_of(l) | system.origins_of(u);
            if origins.count_ones() > most {
                child.left_out = true;
                continue;
            }
            // Every insertion compares against all existing rows.
            budget.spend(1 + child.count() / 64 + stride / 16)?;
            let above = &system.rows[u * stride..(u + 1) * stride];
            let a = below[column];
            let b = above[column].checked_neg().ok_or(Stop::GaveUp)?;
            let common = gcd(a, b).ok_or(Stop::GaveUp)?;
            let factors = if common == 1 { (b, a) } else { (b / common, a / common) };
            if !combine(&mut out, (factors.0, below), (factors.1, above), columns) {
                return Err(Stop::GaveUp);
            }
            if dark && a > 1 && b > 1 {
                let room = (a - 1).checked_mul(b - 1).ok_or(Stop::GaveUp)?;
                let room = ceil_div(room, common).ok_or(Stop::GaveUp)?;
                let constant = &mut out[columns.len()];
                *constant = constant.checked_sub(room).ok_or(Stop::GaveUp)?;
            }
            child.insert(&mut out, origins)?;
        }
    }
    Ok(child)
}
