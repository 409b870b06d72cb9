//! The blocks of a launch as a CUDA grid.
use super::plan::Plan;
use crate::error::Error;

/// The most blocks along x.
const MOST_X: u64 = (1 << 31) - 1;
/// The most blocks along y and z.
const MOST_YZ: u64 = 65535;

/// The blocks of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The first block along each axis; axis 0 is the slowest.
    pub low: [i64; 3],
    /// The number of blocks along each axis.
    pub count: [u64; 3],
    /// The number of all blocks.
    pub blocks: u64,
    /// Whether all blocks are numbered along x, the last axis fastest.
    pub linear: bool,
}

impl Grid {
    /// Returns the blocks of a launch, or `None` if an axis has none. Fails if there are more than a launch can have.
    pub fn new(plan: &Plan, sizes: &[i64]) -> Result<Option<Grid>, Error> {
        let (low, high) = ((plan.low)(sizes), (plan.high)(sizes));
        if (0..3).any(|k| high[k] < low[k]) {
            return Ok(None);
        }
        // A count may be 2⁶⁴; it saturates at one less, which is too many anyway.
        let count = std::array::from_fn(|k| low[k].abs_diff(high[k]).saturating_add(1));
        let blocks = count.iter().try_fold(1u64, |all, n| all.checked_mul(*n));
        let fits = |blocks: &u64| if folds(count) { *blocks <= MOST_X } else { count[2] <= MOST_X };
        let blocks = blocks.filter(fits).ok_or(Error::Grid { kernel: plan.kernel, blocks: count })?;
        Ok(Some(Grid { low, count, blocks, linear: folds(count) }))
    }

    /// Splits the blocks into boxes of at most `most` blocks, but at least one.
    pub fn pieces(self, most: u64) -> impl Iterator<Item = Grid> {
        // Takes an axis whole as long as it fits, starting with the last axis.
        let (mut step, mut left) = ([1; 3], most.max(1));
        for k in (0..3).rev() {
            step[k] = self.count[k].min(left);
            left = if step[k] == self.count[k] { left / step[k] } else { 1 };
        }
        let starts = move |k: usize| (0..self.count[k]).step_by(usize::try_from(step[k]).unwrap_or(usize::MAX));
        let starts = starts(0).flat_map(move |a| starts(1).flat_map(move |b| starts(2).map(move |c| [a, b, c])));
        starts.map(move |start| {
            let count: [u64; 3] = std::array::from_fn(|k| step[k].min(self.count[k] - start[k]));
            let low = std::array::from_fn(|k| self.low[k].wrapping_add_unsigned(start[k]));
            Grid { low, count, blocks: count.iter().product(), linear: folds(count) }
        })
    }

    /// Returns the number of blocks along x, y and z.
    pub fn shape(&self) -> [u32; 3] {
        let [z, y, x] = if self.linear { [1, 1, self.blocks] } else { self.count };
        // All are within the limits, so they fit.
        [x as u32, y as u32, z as u32]
    }

    /// Returns the bytes of scratch rows of the block that needs most. Fails if blocks differ and are too many to check each.
    pub fn rows(&self, plan: &Plan, sizes: &[i64], launch: [i64; 2]) -> Result<u64, Error> {
        let rows = |block| u64::try_from((plan.rows)(sizes, launch, block)).unwrap_or(0);
        if !plan.rows_vary {
            return Ok(rows(self.low));
        }
        if self.blocks > MOST_VARIED {
            let what = "the number of blocks whose scratch rows differ".to_string();
            return Err(Error::Limit { what, value: self.blocks.into(), limit: MOST_VARIED.into() });
        }
        let [low, count] = [self.low, self.count.map(|n| n as i64)];
        let mut most = 0;
        for a in 0..count[0] {
            for b in 0..count[1] {
                for c in 0..count[2] {
                    // At most the last block, so it does not overflow.
                    most = most.max(rows([low[0] + a, low[1] + b, low[2] + c]));
                }
            }
        }
        Ok(most)
    }
}

/// Whether an axis has more blocks than the grid allows along y or z.
fn folds(count: [u64; 3]) -> bool {
    count[0].max(count[1]) > MOST_YZ
}

/// The most blocks whose scratch rows are computed one by one.
const MOST_VARIED: u64 = 1 << 26;

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes are the block counts; blocks begin at 5.
    const PLAN: Plan = Plan {
        kernel: "a test",
        entry: "k",
        low: |_| [5; 3],
        high: |sizes| std::array::from_fn(|k| sizes[k].saturating_add(4)),
        rows: |_, _, [a, b, c]| 16 * (a * b - c),
        rows_vary: true,
        ..Plan::NOTHING
    };

    fn check(count: [i64; 3], shape: [u32; 3], linear: bool) {
        let grid = Grid::new(&PLAN, &count).unwrap().unwrap();
        assert_eq!((grid.low, grid.shape(), grid.linear), ([5; 3], shape, linear), "{count:?}");
        assert_eq!(grid.blocks as i64, count.iter().product::<i64>());
    }

    #[test]
    fn axes_become_z_y_x_and_fold_where_they_are_too_long() {
        check([1, 1, 1], [1, 1, 1], false);
        check([2, 3, 4], [4, 3, 2], false);
        check([65535, 1, 7], [7, 1, 65535], false);
        check([1, 65535, (1 << 31) - 1], [(1 << 31) - 1, 65535, 1], false);
        check([65536, 1, 7], [65536 * 7, 1, 1], true);
        check([3, 65536, 7], [3 * 65536 * 7, 1, 1], true);
        check([1, (1 << 31) - 1, 1], [(1 << 31) - 1, 1, 1], true);
    }

    #[test]
    fn none_and_too_many() {
        assert_eq!(Grid::new(&PLAN, &[0, 5, 5]).unwrap(), None);
        assert_eq!(Grid::new(&PLAN, &[5, 5, -9]).unwrap(), None);
        for count in [[1, 1, 1 << 31], [1, 1 << 31, 1], [65536, 65536, 1], [i64::MAX, i64::MAX, 3]] {
            let blocks = count.map(|n: i64| n.min(i64::MAX - 4) as u64);
            assert_eq!(Grid::new(&PLAN, &count), Err(Error::Grid { kernel: "a test", blocks }), "{count:?}");
        }
    }

    #[test]
    fn pieces_hold_every_block_once() {
        for count in [[1, 1, 1], [2, 3, 4], [7, 1, 5], [1, 9, 2]] {
            let grid = Grid::new(&PLAN, &count).unwrap().unwrap();
            for most in 0..grid.blocks + 2 {
                let mut seen = Vec::new();
                for piece in grid.pieces(most) {
                    assert!(piece.blocks <= most.max(1) && piece.blocks == piece.count.iter().product());
                    let axis = |k: usize| (0..piece.count[k] as i64).map(move |n| piece.low[k] + n);
                    axis(0).for_each(|a| axis(1).for_each(|b| axis(2).for_each(|c| seen.push([a, b, c]))));
                }
                seen.sort();
                let all = |k: usize| 5..5 + count[k];
                let all = all(0).flat_map(|a| all(1).flat_map(move |b| all(2).map(move |c| [a, b, c])));
                assert_eq!(seen, all.collect::<Vec<_>>(), "{count:?} by {most}");
            }
            assert_eq!(grid.pieces(u64::MAX).collect::<Vec<_>>(), [grid]);
        }
    }

    #[test]
    fn rows_are_those_of_the_block_that_has_most() {
        let grid = Grid::new(&PLAN, &[2, 3, 4]).unwrap().unwrap();
        assert_eq!(grid.rows(&PLAN, &[2, 3, 4], [0; 2]), Ok(16 * (6 * 7 - 5)));
        let even = Plan { rows_vary: false, ..PLAN };
        assert_eq!(grid.rows(&even, &[2, 3, 4], [0; 2]), Ok(16 * 20));
        let grid = Grid::new(&PLAN, &[1, 1, (1 << 26) + 1]).unwrap().unwrap();
        assert!(matches!(grid.rows(&PLAN, &[1, 1, 1], [0; 2]), Err(Error::Limit { .. })));
    }
}
