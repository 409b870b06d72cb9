//! Time rows without gaps. The steps of a block run in the order of its time rows, so rows may be replaced by others that
//! put the points into the same order and the same steps. A row `t = 10000000 j` has a point only at every ten-millionth
//! value; `t = j` is the same schedule without the gaps. Loops, delays and storage follow the compact rows.
use super::Int;
use super::places::{Places, RowKind};
use crate::sorted;
use crate::target::tuning;

impl Places {
    /// The same places with compact time rows: for all sizes, two points that run in order, or in the same step, under one
    /// do so under the other.
    pub fn compact(&self) -> Places {
        let mut compact = self.clone();
        let time: Vec<usize> = (0..self.rows.len()).filter(|k| self.rows[*k].kind == RowKind::Time).collect();
        for (n, row) in time.iter().enumerate() {
            let mut coefs = compact.without_gaps(&self.rows[*row].coefs);
            for outer in &time[..n] {
                let shorter = compact.without_outer(&coefs, &compact.rows[*outer].coefs);
                let much = if coefs == self.rows[*row].coefs { tuning::MUCH_SHORTER } else { 1 };
                if (compact.span(&shorter) + 1) * much < compact.span(&coefs) + 1 {
                    coefs = shorter;
                }
            }
            compact.rows[*row].range = compact.interval(&coefs);
            compact.rows[*row].coefs = coefs;
        }
        compact
    }

    /// A row minus the multiple of an outer time row that makes it shortest. Inner rows are compared only where the outer
    /// ones are equal, and there the difference is a constant.
    fn without_outer(&self, coefs: &[Int], outer: &[Int]) -> Vec<Int> {
        let shared = coefs.iter().zip(outer).filter(|(_, o)| **o != 0);
        let times = shared.flat_map(|(c, o)| [c.div_euclid(*o), c.div_euclid(*o) + 1]);
        let less = times.map(|k| coefs.iter().zip(outer).map(|(c, o)| c - k * o).collect::<Vec<Int>>());
        // A row of constant length must keep a constant length: it may be unrolled.
        let fits = |row: &Vec<Int>| self.interval(coefs).is_none() || self.interval(row).is_some();
        let is_row = |row: &Vec<Int>| row.iter().any(|c| *c != 0);
        let candidates = less.filter(|row| fits(row) && is_row(row)).map(|row| self.without_gaps(&row));
        candidates.min_by_key(|row| self.span(row)).unwrap_or_else(|| coefs.to_vec())
    }

    /// The difference between the greatest and the least value of a row.
    fn span(&self, coefs: &[Int]) -> Int {
        let length = |leaf: usize| self.leaf_ranges[leaf].map_or(tuning::ASSUMED_LENGTH, |(low, high)| high - low);
        coefs.iter().enumerate().map(|(leaf, c)| c.abs() * length(leaf)).sum()
    }

    /// The shortest row found that orders points as this one does. `t = g · a + b`, where the values of `b` span less than
    /// `g`, orders points by `a`, then by `b`; any factor above that span does the same, and the smallest leaves no gap:
    /// `1000 i + j` with `j` in `0..4` becomes `4 i + j`.
    fn without_gaps(&self, coefs: &[Int]) -> Vec<Int> {
        let common = coefs.iter().fold(0, |g, c| gcd(g, *c)).max(1);
        let coefs: Vec<Int> = coefs.iter().map(|c| c / common).collect();
        let mut factors: Vec<Int> = coefs.iter().map(|c| c.abs()).filter(|c| *c > 1).collect();
        sorted::sort(&mut factors);
        factors.dedup();
        for factor in factors.into_iter().rev() {
            let (large, small): (Vec<Int>, Vec<Int>) = coefs.iter().map(|c| nearest(*c, factor)).unzip();
            // Loops of run-time length must not occur in `small`: their values span more than any factor.
            if self.interval(&small).is_none() || self.span(&small) + 1 >= factor {
                continue;
            }
            let (large, small) = (self.without_gaps(&large), self.without_gaps(&small));
            let factor = self.span(&small) + 1;
            return large.iter().zip(&small).map(|(a, b)| a * factor + b).collect();
        }
        coefs
    }
}

/// `c = a · by + b` with `b` nearest to 0.
fn nearest(c: Int, by: Int) -> (Int, Int) {
    let (a, b) = (c.div_euclid(by), c.rem_euclid(by));
    if 2 * b > by { (a + 1, b - by) } else { (a, b) }
}

/// The greatest common divisor, never negative.
pub fn gcd(a: Int, b: Int) -> Int {
    // Most numbers are short, and a division of 128 bits is slow.
    match (u64::try_from(a.unsigned_abs()), u64::try_from(b.unsigned_abs())) {
        (Ok(a), Ok(b)) => short_gcd(a, b).into(),
        _ if b == 0 => a.abs(),
        _ => gcd(b, a % b),
    }
}

fn short_gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
