//! Limits on the scratch memory and the work of a call, and the checks against them before it starts.
use crate::call::{Call, Range};
use crate::error::{Error, Failure};
use std::sync::atomic::{AtomicU64, Ordering};

/// Limits on the scratch memory and the work of a call. A lawful map may still need far more steps or scratch memory than its
/// number of points justifies. Every call is checked against the limits before it runs and before it allocates any of that memory:
/// `run` has its outputs by then, `run_into` has allocated nothing.
///
/// ```
/// let mut limits = systolic_runtime::Limits::get();
/// limits.scratch_bytes = 8 << 30;
/// limits.set();
/// # systolic_runtime::Limits::default().set();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of scratch memory on the CPU, for all blocks that run at the same time; 1 GiB by default. If the blocks of all
    /// threads do not fit, fewer run at the same time.
    pub scratch_bytes: u64,
    /// Evaluations of the equations by a warp per iteration point; 64 by default. 262144 evaluations are always allowed,
    /// however few points there are. Above the limit a CPU evaluates the equations point by point instead of running the
    /// map, with the same bits, and a launch on a GPU is an error.
    pub evaluations_per_point: u64,
}

/// The most points for which a call counts as small.
const FEW_POINTS: u64 = 512;

/// The number of evaluations that any call may take.
const FREE: i128 = 1 << 18;

/// The default limits.
const UNSET: Limits = Limits { scratch_bytes: 1 << 30, evaluations_per_point: 64 };

static SCRATCH_BYTES: AtomicU64 = AtomicU64::new(UNSET.scratch_bytes);
static EVALUATIONS_PER_POINT: AtomicU64 = AtomicU64::new(UNSET.evaluations_per_point);

impl Default for Limits {
    fn default() -> Self {
        UNSET
    }
}

impl Limits {
    /// Returns the limits of this process.
    pub fn get() -> Limits {
        let [scratch_bytes, evaluations_per_point] =
            [&SCRATCH_BYTES, &EVALUATIONS_PER_POINT].map(|limit| limit.load(Ordering::Relaxed));
        Limits { scratch_bytes, evaluations_per_point }
    }

    /// Sets the limits of this process, for calls that start from now on.
    pub fn set(self) {
        SCRATCH_BYTES.store(self.scratch_bytes, Ordering::Relaxed);
        EVALUATIONS_PER_POINT.store(self.evaluations_per_point, Ordering::Relaxed);
    }
}

impl Call {
    /// Fails if a variable would take more memory than the limit allows for a box of which few points exist.
    #[inline(never)]
    pub fn check_box(&self, hull: &[Range], keep: &[i64], each: usize, what: &'static str) -> Result<(), Failure> {
        let layers = hull.iter().zip(keep).map(|(range, keep)| i128::from(range.layers(*keep)));
        let cells = Demand::product(&layers.collect::<Vec<_>>());
        let (bytes, limits) = (cells.saturating_mul(each as i128), Limits::get());
        if bytes <= limits.scratch_bytes.into() {
            return Ok(());
        }
        match self.sparse(cells) {
            Some(points) => Err(Error::Sparse { what, bytes, points, limit: limits.scratch_bytes }.into()),
            None => Ok(()),
        }
    }
}

/// The demand of a map per block, as emitted code computes it from the sizes. All numbers are upper bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// The points of a block, counting a partial tile as a whole one.
    pub points: i128,
    /// Evaluations of the equations by the warps of a block.
    pub evaluations: i128,
    /// Bytes of scratch memory.
    pub scratch: i128,
}

impl Demand {
    /// Returns the product of extents, saturating; a negative extent counts as 0.
    #[inline(never)]
    pub fn product(extents: &[i128]) -> i128 {
        let mut product: i128 = 1;
        for extent in extents {
            product = product.saturating_mul(if *extent < 0 { 0 } else { *extent });
        }
        product
    }

    /// Returns a coefficient times an amount, saturating. A function, because lints of the user's crate may forbid operators in
    /// emitted code.
    #[inline(never)]
    pub fn times(c: i128, of: i128) -> i128 {
        c.saturating_mul(of)
    }

    /// Returns the sum of amounts, saturating.
    #[inline(never)]
    pub fn sum(amounts: &[i128]) -> i128 {
        let mut sum: i128 = 0;
        for amount in amounts {
            sum = sum.saturating_add(*amount);
        }
        sum
    }

    /// Returns the quotient by a positive number, rounded down.
    #[inline(never)]
    pub fn quotient(of: i128, by: i128) -> i128 {
        // Dividing in 128 bits takes longer than a small block.
        if let (Ok(of), Ok(by @ 1..)) = (u64::try_from(of), u64::try_from(by)) {
            return (of / by).into();
        }
        of.checked_div_euclid(by).unwrap_or(i128::MAX)
    }

    /// Returns the lesser of two.
    #[inline(never)]
    pub fn least(a: i128, b: i128) -> i128 {
        a.min(b)
    }

    /// Returns the greater of two.
    #[inline(never)]
    pub fn greatest(a: i128, b: i128) -> i128 {
        a.max(b)
    }

    /// Returns whether this many blocks together have so few points that they are done before another thread could be woken, and
    /// need no scratch memory.
    #[inline(never)]
    pub fn is_small(&self, blocks: u64) -> bool {
        // Multiplying in 128 bits with saturation takes longer than a small block.
        let Ok(points) = u64::try_from(self.points) else { return false };
        self.scratch == 0 && points.checked_mul(blocks).is_some_and(|all| (1..=FEW_POINTS).contains(&all))
    }

    /// Returns whether the blocks from `low` to `high`, inclusive, evaluate the equations more often than the limit allows.
    #[inline(never)]
    pub fn is_sparse(&self, call: &Call, low: [i64; 3], high: [i64; 3]) -> bool {
        let lengths = [0, 1, 2].map(|k| i128::from(high[k]) - i128::from(low[k]) + 1);
        // A number of blocks beyond 64 bits is rejected elsewhere.
        let Ok(blocks) = u64::try_from(Demand::product(&lengths)) else { return false };
        let evaluations = self.evaluations.saturating_mul(blocks.into());
        evaluations > FREE && (self.check_evaluations(blocks).is_err() || call.sparse(evaluations).is_some())
    }

    /// Fails if this many blocks evaluate the equations more often than the limit allows.
    #[inline]
    pub fn check_evaluations(&self, blocks: u64) -> Result<(), Error> {
        let evaluations = self.evaluations.saturating_mul(blocks.into());
        if evaluations <= FREE {
            return Ok(());
        }
        let (points, per_point) = (self.points.saturating_mul(blocks.into()), Limits::get().evaluations_per_point);
        if evaluations <= points.saturating_mul(per_point.into()) {
            return Ok(());
        }
        Err(Error::Evaluations { evaluations, points, per_point })
    }

    /// Returns how many blocks may run at the same time. Fails if the scratch memory of a single block exceeds the limit.
    pub fn concurrent_blocks(&self) -> Result<u64, Error> {
        let limit = Limits::get().scratch_bytes;
        match i128::from(limit).checked_div(self.scratch) {
            None => Ok(u64::MAX),
            Some(0) => Err(Error::Scratch { bytes: self.scratch, limit }),
            Some(blocks) => Ok(u64::try_from(blocks).unwrap_or(u64::MAX)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_evaluations_are_always_fine() {
        let demand = Demand { points: 1, evaluations: FREE, scratch: 0 };
        assert_eq!(demand.check_evaluations(1), Ok(()));
        assert_eq!(demand.check_evaluations(0), Ok(()));
        let error = Error::Evaluations { evaluations: 2 * FREE, points: 2, per_point: 64 };
        assert_eq!(demand.check_evaluations(2), Err(error));
    }

    #[test]
    fn many_points_may_take_many_evaluations() {
        let demand = Demand { points: FREE, evaluations: 64 * FREE, scratch: 0 };
        assert_eq!(demand.check_evaluations(1), Ok(()));
        assert!(Demand { evaluations: 64 * FREE + 1, ..demand }.check_evaluations(1).is_err());
        assert!(Demand { evaluations: i128::MAX, ..demand }.check_evaluations(u64::MAX).is_err());
    }

    #[test]
    fn scratch_memory_bounds_the_blocks_that_run_together() {
        let blocks = |scratch: i128| Demand { scratch, ..Demand::default() }.concurrent_blocks();
        assert_eq!(blocks(0), Ok(u64::MAX));
        assert_eq!(blocks(1 << 28), Ok(4));
        assert_eq!(blocks(1 << 30), Ok(1));
        assert_eq!(blocks((1 << 30) + 1), Err(Error::Scratch { bytes: (1 << 30) + 1, limit: 1 << 30 }));
        assert!(blocks(i128::MAX).is_err());
    }

    #[test]
    fn small_calls_have_few_points_and_no_scratch_memory() {
        let small =
            |points: i128, scratch: i128, blocks| Demand { points, scratch, ..Demand::default() }.is_small(blocks);
        let few = i128::from(FEW_POINTS);
        assert!(small(1, 0, 1) && small(few, 0, 1) && small(few / 4, 0, 4));
        assert!(!small(few + 1, 0, 1) && !small(1, 64, 1) && !small(0, 0, 1) && !small(-1, 0, 1));
        // Many small blocks are no small call.
        assert!(!small(few, 0, 2) && !small(1, 0, 1 << 40) && !small(i128::MAX, 0, u64::MAX));
    }

    #[test]
    fn products_saturate_and_nothing_is_below_zero() {
        assert_eq!(Demand::product(&[2, 3, 4]), 24);
        assert_eq!(Demand::product(&[2, -3]), 0);
        assert_eq!(Demand::product(&[i128::MAX, 2]), i128::MAX);
    }
}
