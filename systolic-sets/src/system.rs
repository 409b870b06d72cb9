//! A conjunction as flat rows of numbers. The inequalities are kept normalised and free of parallel rows; equalities
//! and contradictions between opposite rows are detected.
//!
//! The loops use indices, because this code runs unoptimised inside a compiler, where an iterator costs several calls
//! per element.

use crate::Int;
use crate::number::{floor_div, gcd};

/// Why a search ends without a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Empty,
    GaveUp,
}

/// A conjunction in its original form. Each row is `width` coefficients followed by the constant.
pub(crate) struct Raw {
    pub width: usize,
    /// Rows that must be zero.
    pub equal: Vec<Int>,
    /// Rows that must be at least zero.
    pub least: Vec<Int>,
}

/// Rows that must be at least zero: the coefficients have no common factor, constants are rounded down, no two rows are
/// parallel. A pair of opposite rows with no room between them is also recorded in `equal`.
pub(crate) struct System {
    pub width: usize,
    pub rows: Vec<Int>,
    pub equal: Vec<Int>,
    /// Per row, the sum of its coefficients times the keys of their columns. The hash is linear, so equal hashes find
    /// parallel rows and negated hashes find opposite rows.
    hashes: Vec<u64>,
    keys: Vec<u64>,
    /// Per row, the set of original rows that it combines, one bit each; zero if not tracked.
    origins: Vec<u128>,
    /// The number of columns eliminated so far.
    pub eliminated: u32,
    /// Whether a row was left out because it has too many origins.
    pub left_out: bool,
    /// Per column, the single-column row that bounds it from below, and the one from above.
    low: Vec<usize>,
    high: Vec<usize>,
}

const NO_ROW: usize = usize::MAX;

impl System {
    pub fn new(width: usize) -> System {
        let mut keys = Vec::with_capacity(width);
        let mut key = 0x9e37_79b9_7f4a_7c15_u64;
        let mut k = 0;
        while k < width {
            keys.push(key | 1);
            key = key.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(0x2545_f491_4f6c_dd1d);
            k += 1;
        }
        System::with_keys(width, keys)
    }

    /// A system over the given columns of the parent, without rows.
    pub fn with_columns_of(parent: &System, columns: &[usize]) -> System {
        let mut keys = Vec::with_capacity(columns.len());
        let mut k = 0;
        while k < columns.len() {
            keys.push(parent.keys[columns[k]]);
            k += 1;
        }
        System::with_keys(columns.len(), keys)
    }

    fn with_keys(width: usize, keys: Vec<u64>) -> System {
        System {
            width,
            rows: Vec::new(),
            equal: Vec::new(),
            hashes: Vec::new(),
            keys,
            origins: Vec::new(),
            eliminated: 0,
            left_out: false,
            low: vec![NO_ROW; width],
            high: vec![NO_ROW; width],
        }
    }

    pub fn count(&self) -> usize {
        self.hashes.len()
    }

    pub fn into_raw(self) -> Raw {
        Raw { width: self.width, equal: self.equal, least: self.rows }
    }

    /// The lower bound of a column given by a single-column row.
    pub fn low_of(&self, column: usize) -> Option<Int> {
        let row = self.low[column];
        if row == NO_ROW { None } else { self.rows[row * (self.width + 1) + self.width].checked_neg() }
    }

    /// The upper bound of a column given by a single-column row.
    pub fn high_of(&self, column: usize) -> Option<Int> {
        let row = self.high[column];
        if row == NO_ROW { None } else { Some(self.rows[row * (self.width + 1) + self.width]) }
    }

    pub fn origins_of(&self, row: usize) -> u128 {
        self.origins[row]
    }

    /// Adds row ≥ 0. The row serves as scratch space; its contents afterwards are unspecified.
    pub fn insert(&mut self, row: &mut [Int], origins: u128) -> Result<(), Stop> {
        let width = self.width;
        let (mut divisor, mut entries, mut last, mut hash) = (0, 0, 0, 0_u64);
        {
            let keys = &self.keys[..];
            let mut k = 0;
            while k < width {
                let c = row[k];
                if c != 0 {
                    entries += 1;
                    last = k;
                    hash = hash.wrapping_add((c as u64).wrapping_mul(keys[k]));
                    if divisor != 1 {
                        divisor = if c == 1 || c == -1 {
                            1
                        } else {
                            match gcd(divisor, c) {
                                Some(g) => g,
                                None => return Err(Stop::GaveUp),
                            }
                        };
                    }
                }
                k += 1;
            }
        }
        if entries == 0 {
            return if row[width] < 0 { Err(Stop::Empty) } else { Ok(()) };
        }
        if divisor > 1 {
            hash = 0;
            let mut k = 0;
            while k < width {
                if row[k] != 0 {
                    row[k] /= divisor;
                    hash = hash.wrapping_add((row[k] as u64).wrapping_mul(self.keys[k]));
                }
                k += 1;
            }
            row[width] = floor_div(row[width], divisor);
        }
        if entries == 1 { self.insert_bound(row, last, (hash, origins)) } else { self.insert_row(row, (hash, origins)) }
    }

    fn insert_bound(&mut self, row: &[Int], column: usize, marks: (u64, u128)) -> Result<(), Stop> {
        let below = row[column] > 0;
        let found = if below { self.low[column] } else { self.high[column] };
        let at = self.merge_or_push(row, marks, found);
        if below {
            self.low[column] = at;
        } else {
            self.high[column] = at;
        }
        let opposite = if below { self.high[column] } else { self.low[column] };
        self.meet(at, opposite)
    }

    fn insert_row(&mut self, row: &[Int], marks: (u64, u128)) -> Result<(), Stop> {
        let hash = marks.0;
        let (mut same, mut opposite) = (NO_ROW, NO_ROW);
        let turned = hash.wrapping_neg();
        {
            let hashes = &self.hashes[..];
            let mut at = 0;
            while at < hashes.len() {
                let h = hashes[at];
                if h == hash && self.is_parallel(at, row) {
                    same = at;
                } else if h == turned && self.is_opposite(at, row) {
                    opposite = at;
                }
                at += 1;
            }
        }
        let at = self.merge_or_push(row, marks, same);
        self.meet(at, opposite)
    }

    /// Copies a row that is known to be normalised and not parallel to any row here.
    pub fn copy_row(&mut self, parent: &System, at: usize, columns: &[usize]) {
        let base = at * (parent.width + 1);
        let from = &parent.rows[..];
        let (mut entries, mut last) = (0, 0);
        let mut k = 0;
        while k < columns.len() {
            let c = from[base + columns[k]];
            if c != 0 {
                entries += 1;
                last = k;
            }
            self.rows.push(c);
            k += 1;
        }
        self.rows.push(from[base + parent.width]);
        if entries == 1 {
            if from[base + columns[last]] > 0 {
                self.low[last] = self.hashes.len();
            } else {
                self.high[last] = self.hashes.len();
            }
        }
        self.hashes.push(parent.hashes[at]);
        self.origins.push(parent.origins[at]);
    }

    fn merge_or_push(&mut self, row: &[Int], marks: (u64, u128), found: usize) -> usize {
        let width = self.width;
        if found == NO_ROW {
            self.rows.extend_from_slice(row);
            self.hashes.push(marks.0);
            self.origins.push(marks.1);
            return self.hashes.len() - 1;
        }
        let constant = &mut self.rows[found * (width + 1) + width];
        let fewer = marks.1.count_ones() < self.origins[found].count_ones();
        if row[width] < *constant || (row[width] == *constant && fewer) {
            *constant = row[width];
            self.origins[found] = marks.1;
        }
        found
    }

    /// Compares a row with its opposite: they contradict, form an equality, or leave room between them.
    fn meet(&mut self, at: usize, opposite: usize) -> Result<(), Stop> {
        if opposite == NO_ROW {
            return Ok(());
        }
        let stride = self.width + 1;
        let (a, b) = (self.rows[at * stride + self.width], self.rows[opposite * stride + self.width]);
        match a.checked_add(b) {
            None => Err(Stop::GaveUp),
            Some(room) if room < 0 => Err(Stop::Empty),
            Some(0) => {
                let row = &self.rows[at * stride..(at + 1) * stride];
                self.equal.extend_from_slice(row);
                Ok(())
            }
            Some(_) => Ok(()),
        }
    }

    /// Among the active rows (state 0) that have an opposite and mention a column from `from` on, returns the one with
    /// the least room between the pair, and that room.
    pub fn narrowest(&self, state: &[usize], from: usize) -> Option<(usize, Int)> {
        let stride = self.width + 1;
        let mut best: Option<(usize, Int)> = None;
        let mut at = 0;
        while at < self.hashes.len() {
            let turned = self.hashes[at].wrapping_neg();
            let row = &self.rows[at * stride..(at + 1) * stride];
            let mut other = at + 1;
            while other < self.hashes.len() {
                if self.hashes[other] == turned
                    && state[at] == 0
                    && state[other] == 0
                    && self.is_opposite(other, row)
                    && row[from..self.width].iter().any(|c| *c != 0)
                {
                    let constant = self.rows[other * stride + self.width];
                    if let Some(room) = row[self.width].checked_add(constant)
                        && best.is_none_or(|(_, least)| room < least)
                    {
                        best = Some((at, room));
                    }
                }
                other += 1;
            }
            at += 1;
        }
        best
    }

    fn is_parallel(&self, at: usize, row: &[Int]) -> bool {
        let base = at * (self.width + 1);
        let mut k = 0;
        while k < self.width {
            if self.rows[base + k] != row[k] {
                return false;
            }
            k += 1;
        }
        true
    }

    fn is_opposite(&self, at: usize, row: &[Int]) -> bool {
        let base = at * (self.width + 1);
        let mut k = 0;
        while k < self.width {
            if self.rows[base + k] != row[k].wrapping_neg() {
                return false;
            }
            k += 1;
        }
        true
    }
}

/// out := a·x + b·y over these columns and the constant. False on overflow.
pub(crate) fn combine(out: &mut Vec<Int>, (a, x): (Int, &[Int]), (b, y): (Int, &[Int]), columns: &[usize]) -> bool {
    out.clear();
    let mut overflow = false;
    let mut k = 0;
    while k <= columns.len() {
        let column = if k < columns.len() { columns[k] } else { x.len() - 1 };
        let (p, q) = (x[column], y[column]);
        let left = if p == 0 || a == 1 {
            p
        } else {
            let (value, over) = p.overflowing_mul(a);
            overflow |= over;
            value
        };
        let right = if q == 0 || b == 1 {
            q
        } else {
            let (value, over) = q.overflowing_mul(b);
            overflow |= over;
            value
        };
        if left == 0 {
            out.push(right);
        } else {
            let (value, over) = left.overflowing_add(right);
            overflow |= over;
            out.push(value);
        }
        k += 1;
    }
    !overflow
}

/// row += by · form, entry by entry. False on overflow.
pub(crate) fn add_scaled(row: &mut [Int], by: Int, form: &[Int]) -> bool {
    let mut overflow = false;
    let mut k = 0;
    while k < form.len() {
        let f = form[k];
        if f != 0 {
            let term = if by == 1 {
                f
            } else {
                let (value, over) = f.overflowing_mul(by);
                overflow |= over;
                value
            };
            let (value, over) = row[k].overflowing_add(term);
            overflow |= over;
            row[k] = value;
        }
        k += 1;
    }
    !overflow
}

/// The row at a point: its entries times the values, plus the constant. `None` on overflow.
pub(crate) fn row_at(row: &[Int], point: &[Int]) -> Option<Int> {
    let width = row.len() - 1;
    let mut total = row[width];
    let mut overflow = false;
    let mut k = 0;
    while k < width {
        let (c, v) = (row[k], point[k]);
        if c != 0 && v != 0 {
            let (term, over) = c.overflowing_mul(v);
            overflow |= over;
            let (next, over) = total.overflowing_add(term);
            overflow |= over;
            total = next;
        }
        k += 1;
    }
    if overflow { None } else { Some(total) }
}
