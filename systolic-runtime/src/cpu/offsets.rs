//! The offsets that lanes add to an index, and masks of lanes computed from them.
use super::{ALL, LANES, Mask, Simd, Vector};

/// The offsets that lanes add to an index. If they are a constant, `const L: &Offsets = &Offsets::new([…])`, every branch on
/// them is evaluated at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// One offset per lane.
    pub table: [i64; LANES],
    /// The least offset.
    pub low: i64,
    /// The greatest offset.
    pub high: i64,
    /// The difference between consecutive lanes, if it is the same for all.
    pub step: Option<i64>,
}

impl Offsets {
    /// Returns the offsets in a table.
    pub const fn new(table: [i64; LANES]) -> Offsets {
        let (mut low, mut high) = (table[0], table[0]);
        let mut step = table[1].checked_sub(table[0]);
        let mut l = 1;
        while l < LANES {
            low = if table[l] < low { table[l] } else { low };
            high = if table[l] > high { table[l] } else { high };
            step = match (step, table[l].checked_sub(table[l - 1])) {
                (Some(a), Some(b)) if a == b => step,
                _ => None,
            };
            l += 1;
        }
        Offsets { table, low, high, step }
    }

    /// Returns the offsets `first`, `first + step`, …
    pub const fn line(first: i64, step: i64) -> Offsets {
        let mut table = [first; LANES];
        let mut l = 1;
        while l < LANES {
            table[l] = table[l - 1].wrapping_add(step);
            l += 1;
        }
        Offsets::new(table)
    }

    /// Returns the offset of a lane. With a constant step it is computed without reading the table.
    #[cfg_attr(optimised, inline(always))]
    pub const fn of(&self, lane: usize) -> i64 {
        match self.step {
            Some(step) => self.table[0].wrapping_add(step.wrapping_mul(lane as i64)),
            None => self.table[lane],
        }
    }
}

/// Returns whether a number is from `low` to `high`. Of a range the crate of every kernel would compile much more.
#[cfg_attr(optimised, inline(always))]
pub fn is_between(number: i64, low: i64, high: i64) -> bool {
    number >= low && number <= high
}

/// Returns the lanes in which `at` plus the offset is at least 0.
#[cfg_attr(optimised, inline(always))]
pub fn mask_at_least(at: i64, lanes: &Offsets) -> Mask {
    if at.saturating_add(lanes.low) >= 0 {
        ALL
    } else if at.saturating_add(lanes.high) < 0 {
        0
    } else {
        some_at_least(at, lanes)
    }
}

/// The case in which the condition holds in some lanes but not in all. Not inlined: kernels have hundreds of conditions,
/// and most steps do not get here.
#[inline(never)]
fn some_at_least(at: i64, lanes: &Offsets) -> Mask {
    let first = i128::from(at) + i128::from(lanes.table[0]);
    match lanes.step.map(i128::from) {
        // The condition holds if l ≥ −first / step, which is true for at least one lane.
        Some(step @ 1..) => ALL << (-first).div_euclid(step).saturating_add(i128::from((-first).rem_euclid(step) > 0)),
        // The condition holds if l ≤ first / −step, which is false for at least one lane.
        Some(step @ ..=-1) => !(ALL << (first.div_euclid(-step) + 1)),
        _ => each(lanes, |offset| at.saturating_add(offset) >= 0),
    }
}

/// Returns the lanes l in which `first + l` is at least 0: [`mask_at_least`] for offsets with step 1.
#[cfg_attr(optimised, inline(always))]
pub fn mask_up(first: i64) -> Mask {
    // From 0 to 63, so that a shift in 64 bits never overflows.
    let missing = -first.clamp(-63, 0);
    (u64::MAX << missing) as Mask
}

/// Returns the lanes l in which `first - l` is at least 0: [`mask_at_least`] for offsets with step −1.
#[cfg_attr(optimised, inline(always))]
pub fn mask_down(first: i64) -> Mask {
    // From 0 to 63, so that a shift in 64 bits never overflows.
    let there = first.clamp(-1, 62) + 1;
    !(u64::MAX << there) as Mask
}

/// Returns the lanes in which `at` plus the offset is 0.
#[cfg_attr(optimised, inline(always))]
pub fn mask_zero(at: i64, lanes: &Offsets) -> Mask {
    if let Some(step @ (1 | -1)) = lanes.step {
        // The lane whose offset is −at; any other number is no lane.
        let lane = at.wrapping_neg().wrapping_sub(lanes.table[0]).wrapping_mul(step);
        let bit = 1u64 << (lane & 31);
        return if (lane as u64) < LANES as u64 { bit as Mask } else { 0 };
    }
    // No offset plus `i64::MIN` is 0.
    let Some(wanted) = at.checked_neg() else { return 0 };
    if wanted < lanes.low || wanted > lanes.high {
        return 0;
    }
    match lanes.step {
        Some(0) => ALL,
        // Offsets with a constant step other than 0 differ, so at most one lane has this one. Where the table is a constant, the
        // division is a multiplication.
        Some(step) => {
            let from = wanted.wrapping_sub(lanes.table[0]);
            let lane = from.wrapping_div(step);
            let is_there = lane.wrapping_mul(step) == from && (lane as u64) < LANES as u64;
            Mask::from(is_there) << (lane as u32 % LANES as u32)
        }
        None => each_that_is(wanted, lanes),
    }
}

#[inline(never)]
fn each_that_is(wanted: i64, lanes: &Offsets) -> Mask {
    each(lanes, |offset| offset == wanted)
}

/// Returns the lanes in which `at` plus the offset has the remainder `is`, which is never negative, modulo `modulus`; none
/// for a modulus below 1.
#[cfg_attr(optimised, inline(always))]
pub fn mask_remainder(at: i64, lanes: &Offsets, modulus: i64, is: i64) -> Mask {
    if modulus < 1 || !(0..modulus).contains(&is) {
        return 0;
    }
    // Both are below the modulus, so the sum fits in an unsigned 64-bit integer.
    let holds = |offset: i64| {
        let sum = at.rem_euclid(modulus) as u64 + offset.rem_euclid(modulus) as u64;
        let sum = if sum >= modulus as u64 { sum - modulus as u64 } else { sum };
        sum == is as u64
    };
    match lanes.step {
        Some(0) => Mask::from(holds(lanes.table[0])).wrapping_neg(),
        _ => each(lanes, holds),
    }
}

#[cfg_attr(optimised, inline(always))]
fn each(lanes: &Offsets, holds: impl Fn(i64) -> bool) -> Mask {
    let mut mask = 0;
    for l in 0..LANES {
        mask |= Mask::from(holds(lanes.table[l])) << l;
    }
    mask
}

/// Returns `at` plus the offset, for each lane of the group.
#[cfg_attr(optimised, inline(always))]
pub fn index<S: Simd>(simd: S, at: i64, lanes: &Offsets) -> S::V<i64> {
    simd.load(&lanes.table).add(simd.splat(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> Vec<Offsets> {
        let mut tables = Vec::new();
        for step in [0, 1, -1, 2, -3, 7] {
            for first in [0, -5, 17, i64::MAX - 300, i64::MIN + 300] {
                tables.push(Offsets::line(first, step));
            }
        }
        tables.push(Offsets::new(std::array::from_fn(|l| (l as i64 * 7) % 5 - 2)));
        tables.push(Offsets::new(std::array::from_fn(|l| l as i64 / 8)));
        tables.push(Offsets::new(std::array::from_fn(|l| if l == 3 { i64::MAX } else { i64::MIN })));
        tables
    }

    fn naive(lanes: &Offsets, holds: impl Fn(i128) -> bool) -> Mask {
        (0..LANES).filter(|l| holds(i128::from(lanes.table[*l]))).map(|l| 1 << l).sum()
    }

    #[test]
    fn masks_are_the_naive_ones() {
        let mut places: Vec<i64> = (-80..80).collect();
        places.extend([i64::MIN, i64::MIN + 1, i64::MAX, i64::MAX - 310, i64::MIN + 290]);
        for lanes in tables() {
            for &at in &places {
                let sum = |offset: i128| i128::from(at) + offset;
                assert_eq!(mask_at_least(at, &lanes), naive(&lanes, |o| sum(o) >= 0), "{at} {lanes:?}");
                let first = at.checked_add(lanes.table[0]);
                match (lanes.step, first) {
                    (Some(1), Some(first)) => assert_eq!(mask_up(first), naive(&lanes, |o| sum(o) >= 0), "{first}"),
                    (Some(-1), Some(first)) => assert_eq!(mask_down(first), naive(&lanes, |o| sum(o) >= 0), "{first}"),
                    _ => {}
                }
                assert_eq!(mask_zero(at, &lanes), naive(&lanes, |o| sum(o) == 0), "{at} {lanes:?}");
                for modulus in [1, 2, 3, 5, 32, i64::MAX] {
                    for is in [0, 1, 4] {
                        let expected = naive(&lanes, |o| sum(o).rem_euclid(modulus.into()) == is.into());
                        assert_eq!(mask_remainder(at, &lanes, modulus, is), expected, "{at} {modulus} {is} {lanes:?}");
                    }
                }
                assert_eq!(mask_remainder(at, &lanes, 0, 0), 0);
                assert_eq!(mask_remainder(at, &lanes, 3, -1), 0);
            }
        }
    }

    #[test]
    fn steps_are_found() {
        assert_eq!(Offsets::line(4, -2).step, Some(-2));
        assert_eq!((Offsets::line(4, -2).low, Offsets::line(4, -2).high), (-58, 4));
        assert_eq!(Offsets::new(std::array::from_fn(|l| l as i64 / 8)).step, None);
        assert_eq!(Offsets::new(std::array::from_fn(|l| if l == 3 { i64::MAX } else { i64::MIN })).step, None);
    }
}
