//! What a call may take besides its arrays, and the check before it takes anything.
use crate::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a call may take besides its arrays. A map may be lawful and still ask for far more steps or scratch memory than its
/// points are worth. Every call is compared with the limits before anything runs or is allocated for it.
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
    /// Bytes of scratch memory on the CPU, of all blocks that run at the same time: 1 GiB unless set. Where not all threads
    /// fit, fewer run.
    pub scratch_bytes: u64,
    /// Evaluations of the equations by a warp for each point of the loops: 64 unless set. A call may always take 262144,
    /// however few points it has. Beyond, the map is not worth its steps: a CPU evaluates the equations point by point,
    /// with the same bits, and a launch on a GPU is an error.
    pub evaluations_per_point: u64,
}

/// The points of a small call.
const FEW_POINTS: i128 = 512;

/// What any call may take.
const FREE: i128 = 1 << 18;

/// What holds unless it is set.
const UNSET: Limits = Limits { scratch_bytes: 1 << 30, evaluations_per_point: 64 };

static SCRATCH_BYTES: AtomicU64 = AtomicU64::new(UNSET.scratch_bytes);
static EVALUATIONS_PER_POINT: AtomicU64 = AtomicU64::new(UNSET.evaluations_per_point);

impl Default for Limits {
    fn default() -> Self {
        UNSET
    }
}

impl Limits {
    /// The limits of this process.
    pub fn get() -> Limits {
        let [scratch_bytes, evaluations_per_point] =
            [&SCRATCH_BYTES, &EVALUATIONS_PER_POINT].map(|limit| limit.load(Ordering::Relaxed));
        Limits { scratch_bytes, evaluations_per_point }
    }

    /// Sets the limits of this process, for calls that begin from now on.
    pub fn set(self) {
        SCRATCH_BYTES.store(self.scratch_bytes, Ordering::Relaxed);
        EVALUATIONS_PER_POINT.store(self.evaluations_per_point, Ordering::Relaxed);
    }
}

/// What the map of a call asks for per block, as emitted code counts it from the sizes; upper bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// The points of a block, where the last tile of a loop counts as a whole one.
    pub points: i128,
    /// Evaluations of the equations by the warps of a block.
    pub evaluations: i128,
    /// Bytes of scratch memory.
    pub scratch: i128,
}

impl Demand {
    /// The product of extents; a negative one counts as none.
    #[inline]
    pub fn product(extents: &[i128]) -> i128 {
        let mut product: i128 = 1;
        for extent in extents {
            product = product.saturating_mul(if *extent < 0 { 0 } else { *extent });
        }
        product
    }

    /// A term of a sum: a coefficient times an amount. Emitted code has no operators for lints to judge.
    #[inline]
    pub fn times(c: i128, of: i128) -> i128 {
        c.saturating_mul(of)
    }

    /// The sum of amounts.
    #[inline]
    pub fn sum(amounts: &[i128]) -> i128 {
        let mut sum: i128 = 0;
        for amount in amounts {
            sum = sum.saturating_add(*amount);
        }
        sum
    }

    /// A quotient, rounded down; by a positive number.
    #[inline(never)]
    pub fn quotient(of: i128, by: i128) -> i128 {
        of.checked_div_euclid(by).unwrap_or(i128::MAX)
    }

    /// The lesser of two.
    #[inline(never)]
    pub fn least(a: i128, b: i128) -> i128 {
        a.min(b)
    }

    /// The greater of two.
    #[inline(never)]
    pub fn greatest(a: i128, b: i128) -> i128 {
        a.max(b)
    }

    /// Whether there are so few points that they are done before another thread has been woken, and no scratch memory
    /// that could be too large.
    #[inline(never)]
    pub fn is_small(&self) -> bool {
        (1..=FEW_POINTS).contains(&self.points) && self.scratch == 0
    }

    /// Whether the blocks from `low` to `high`, inclusive, evaluate the equations more often than the limit allows.
    #[inline(never)]
    pub fn is_sparse(&self, low: [i64; 3], high: [i64; 3]) -> bool {
        let lengths = [0, 1, 2].map(|k| i128::from(high[k]) - i128::from(low[k]) + 1);
        // What is beyond 64 bits is refused elsewhere.
        u64::try_from(Demand::product(&lengths)).is_ok_and(|blocks| self.check_evaluations(blocks).is_err())
    }

    /// Whether this many blocks are within the limits.
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

    /// How many blocks may run at the same time.
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
        let small = |points: i128, scratch: i128| Demand { points, scratch, ..Demand::default() }.is_small();
        assert!(small(1, 0) && small(FEW_POINTS, 0));
        assert!(!small(FEW_POINTS + 1, 0) && !small(1, 64) && !small(0, 0));
    }

    #[test]
    fn products_saturate_and_nothing_is_below_zero() {
        assert_eq!(Demand::product(&[2, 3, 4]), 24);
        assert_eq!(Demand::product(&[2, -3]), 0);
        assert_eq!(Demand::product(&[i128::MAX, 2]), i128::MAX);
    }
}
