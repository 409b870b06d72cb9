//! Exact integer matrices: ranks, determinants, inverses, Hermite forms and null lattices.

use crate::Int;
use crate::number::gcd;

/// A matrix of integers. All arithmetic is checked: `None` means overflow, unless a function documents further reasons.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    entries: Vec<Int>,
}

impl Matrix {
    /// The matrix with these rows. Returns `None` if their lengths differ.
    pub fn from_rows(rows: Vec<Vec<Int>>) -> Option<Matrix> {
        let cols = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != cols) {
            return None;
        }
        let count = rows.len();
        Some(Matrix { rows: count, cols, entries: rows.into_iter().flatten().collect() })
    }

    /// The zero matrix.
    pub fn zero(rows: usize, cols: usize) -> Matrix {
        Matrix { rows, cols, entries: vec![0; rows.saturating_mul(cols)] }
    }

    /// The identity matrix.
    pub fn identity(size: usize) -> Matrix {
        let mut matrix = Matrix::zero(size, size);
        for i in 0..size {
            matrix.set(i, i, 1);
        }
        matrix
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// A row, empty if there is no such row.
    pub fn row(&self, i: usize) -> &[Int] {
        if i < self.rows { &self.entries[i * self.cols..(i + 1) * self.cols] } else { &[] }
    }

    /// An entry; zero outside the matrix.
    pub fn get(&self, i: usize, j: usize) -> Int {
        if i < self.rows && j < self.cols { self.entries[i * self.cols + j] } else { 0 }
    }

    /// The transpose.
    pub fn transpose(&self) -> Matrix {
        let mut turned = Matrix::zero(self.cols, self.rows);
        for i in 0..self.rows {
            for j in 0..self.cols {
                turned.set(j, i, self.get(i, j));
            }
        }
        turned
    }

    /// The product. Also returns `None` if the sizes do not match.
    pub fn mul(&self, other: &Matrix) -> Option<Matrix> {
        if self.cols != other.rows {
            return None;
        }
        let mut product = Matrix::zero(self.rows, other.cols);
        for i in 0..self.rows {
            for j in 0..other.cols {
                let mut sum: Int = 0;
                for k in 0..self.cols {
                    sum = sum.checked_add(self.get(i, k).checked_mul(other.get(k, j))?)?;
                }
                product.set(i, j, sum);
            }
        }
        Some(product)
    }

    /// The product with a column vector. Also returns `None` if the sizes do not match.
    pub fn apply(&self, vector: &[Int]) -> Option<Vec<Int>> {
        if vector.len() != self.cols {
            return None;
        }
        (0..self.rows)
            .map(|i| self.row(i).iter().zip(vector).try_fold(0, |sum: Int, (a, x)| sum.checked_add(a.checked_mul(*x)?)))
            .collect()
    }

    /// The number of independent rows.
    pub fn rank(&self) -> Option<usize> {
        Some(self.clone().eliminate()?.0)
    }

    /// The determinant. Also returns `None` if the matrix is not square.
    pub fn determinant(&self) -> Option<Int> {
        if self.rows != self.cols {
            return None;
        }
        let (rank, last) = self.clone().eliminate()?;
        Some(if rank < self.rows { 0 } else { last })
    }

    /// The inverse as a numerator and the least denominator: numerator · self = denominator · identity, with
    /// denominator > 0. Also returns `None` if the matrix is not square (its determinant is `None`) or is singular (its
    /// determinant is 0).
    pub fn inverse(&self) -> Option<(Matrix, Int)> {
        if self.rows != self.cols {
            return None;
        }
        let size = self.rows;
        let mut wide = Matrix::zero(size, 2 * size);
        for i in 0..size {
            for j in 0..size {
                wide.set(i, j, self.get(i, j));
            }
            wide.set(i, size + i, 1);
        }
        // Fraction-free elimination: after each step every entry is a minor, so all divisions are exact.
        let mut last: Int = 1;
        for k in 0..size {
            let pivot_row = (k..size).find(|i| wide.get(*i, k) != 0)?;
            wide.swap(k, pivot_row);
            let pivot = wide.get(k, k);
            for i in (0..size).filter(|i| *i != k) {
                wide.cross(i, k, k, pivot, last)?;
            }
            last = pivot;
        }
        let mut common = last;
        for i in 0..size {
            for j in size..2 * size {
                common = gcd(common, wide.get(i, j))?;
            }
        }
        if last < 0 {
            common = common.checked_neg()?;
        }
        let mut numerator = Matrix::zero(size, size);
        for i in 0..size {
            for j in 0..size {
                numerator.set(i, j, wide.get(i, size + j).checked_div(common)?);
            }
        }
        Some((numerator, last.checked_div(common)?))
    }

    /// The row Hermite normal form (H, U): U is unimodular and U · self = H. Each nonzero row of H starts to the right
    /// of the row above, with a positive entry. The entries above that one are smaller and not negative. Zero rows come
    /// last.
    pub fn hermite(&self) -> Option<(Matrix, Matrix)> {
        let mut form = self.clone();
        let mut change = Matrix::identity(self.rows);
        let mut top = 0;
        for column in 0..self.cols {
            // Euclid's algorithm down the column, always dividing by the smallest entry.
            loop {
                let smallest = (top..self.rows)
                    .filter(|i| form.get(*i, column) != 0)
                    .min_by_key(|i| form.get(*i, column).unsigned_abs());
                let Some(smallest) = smallest else { break };
                form.swap(top, smallest);
                change.swap(top, smallest);
                if form.get(top, column) < 0 {
                    form.negate_row(top)?;
                    change.negate_row(top)?;
                }
                let pivot = form.get(top, column);
                for i in top + 1..self.rows {
                    let factor = form.get(i, column).checked_div_euclid(pivot)?;
                    form.subtract(i, factor, top)?;
                    change.subtract(i, factor, top)?;
                }
                if (top + 1..self.rows).all(|i| form.get(i, column) == 0) {
                    break;
                }
            }
            let pivot = form.get(top, column);
            if top < self.rows && pivot != 0 {
                for i in 0..top {
                    let factor = form.get(i, column).checked_div_euclid(pivot)?;
                    form.subtract(i, factor, top)?;
                    change.subtract(i, factor, top)?;
                }
                top += 1;
            }
        }
        Some((form, change))
    }

    /// A basis of the lattice of all integer x with self · x = 0: every such x is a unique integer combination of the
    /// basis vectors.
    pub fn null_lattice(&self) -> Option<Vec<Vec<Int>>> {
        // A row u of the unimodular change with u · selfᵀ = 0 is such an x. These rows generate all of them, because
        // they are rows of a unimodular matrix.
        let (form, change) = self.transpose().hermite()?;
        Some((0..form.rows).filter(|i| form.row(*i).iter().all(|c| *c == 0)).map(|i| change.row(i).to_vec()).collect())
    }

    /// Bareiss elimination: returns the rank, and the last pivot with the sign of the row swaps.
    fn eliminate(mut self) -> Option<(usize, Int)> {
        let mut top = 0;
        let mut last: Int = 1;
        let mut sign = 1;
        for column in 0..self.cols {
            let Some(found) = (top..self.rows).find(|i| self.get(*i, column) != 0) else {
                continue;
            };
            if found != top {
                self.swap(found, top);
                sign = -sign;
            }
            let pivot = self.get(top, column);
            for i in top + 1..self.rows {
                self.cross(i, top, column, pivot, last)?;
            }
            last = pivot;
            top += 1;
        }
        Some((top, last.checked_mul(sign)?))
    }

    /// row i := (pivot · row i − entry · row k) / last, which makes the entry of row i in `column` zero.
    fn cross(&mut self, i: usize, k: usize, column: usize, pivot: Int, last: Int) -> Option<()> {
        let entry = self.get(i, column);
        for j in 0..self.cols {
            let up = pivot.checked_mul(self.get(i, j))?;
            let down = entry.checked_mul(self.get(k, j))?;
            self.set(i, j, up.checked_sub(down)?.checked_div(last)?);
        }
        Some(())
    }

    fn set(&mut self, i: usize, j: usize, value: Int) {
        self.entries[i * self.cols + j] = value;
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            for j in 0..self.cols {
                self.entries.swap(a * self.cols + j, b * self.cols + j);
            }
        }
    }

    fn negate_row(&mut self, i: usize) -> Option<()> {
        for j in 0..self.cols {
            self.set(i, j, self.get(i, j).checked_neg()?);
        }
        Some(())
    }

    fn subtract(&mut self, i: usize, factor: Int, from: usize) -> Option<()> {
        if factor != 0 {
            for j in 0..self.cols {
                let less = factor.checked_mul(self.get(from, j))?;
                self.set(i, j, self.get(i, j).checked_sub(less)?);
            }
        }
        Some(())
    }
}
