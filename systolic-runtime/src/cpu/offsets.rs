//! What lanes add to an index, and the sets of lanes that follow from it.
use super::{ALL, LANES, Mask, Simd, Vector};

/// What lanes add to an index. Written as a constant, `const L: &Offsets = &Offsets::new([…])`, everything that it
/// decides is decided when compiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// An offset a lane.
    pub table: [i64; LANES],
    /// The least.
    pub low: i64,
    /// The greatest.
    pub high: i64,
    /// What each lane is above the one before, where that is the same for all.
    pub step: Option<i64>,
}

impl Offsets {
    /// From a table.
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

    /// `first`, `first + step`, …
    pub const fn line(first: i64, step: i64) -> Offsets {
        let mut table = [first; LANES];
        let mut l = 1;
        while l < LANES {
            table[l] = table[l - 1].wrapping_add(step);
            l += 1;
        }
        Offsets::new(table)
    }

    /// A lane's offset: where all are as far apart, without the table.
    #[cfg_attr(optimised, inline(always))]
    pub const fn of(&self, lane: usize) -> i64 {
        match self.step {
            Some(step) => self.table[0].wrapping_add(step.wrapping_mul(lane as i64)),
            None => self.table[lane],
        }
    }
}

/// The lanes where `at` plus the offset is at least 0.
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

/// Where there are lanes of both kinds. It is a call: kernels have hundreds of conditions, and most steps do not come here.
#[inline(never)]
fn some_at_least(at: i64, lanes: &Offsets) -> Mask {
    let first = i128::from(at) + i128::from(lanes.table[0]);
    match lanes.step.map(i128::from) {
        // Lane l counts where l ≥ −first / step, and there is such a lane.
        Some(step @ 1..) => ALL << (-first).div_euclid(step).saturating_add(i128::from((-first).rem_euclid(step) > 0)),
        // Lane l counts where l ≤ first / −step, and there is one where it does not.
        Some(step @ ..=-1) => !(ALL << (first.div_euclid(-step) + 1)),
        _ => each(lanes, |offset| at.saturating_add(offset) >= 0),
    }
}

/// The lanes l where `first` plus l is at least 0: [`mask_at_least`] of a line that goes up by 1.
#[cfg_attr(optimised, inline(always))]
pub fn mask_up(first: i64) -> Mask {
    // From 0 to 32, so that a shift of 64 bits has no case of its own.
    let missing = first.saturating_neg().clamp(0, LANES as i64);
    (u64::from(ALL) << missing) as Mask
}

/// The lanes l where `first` less l is at least 0: [`mask_at_least`] of a line that goes down by 1.
#[cfg_attr(optimised, inline(always))]
pub fn mask_down(first: i64) -> Mask {
    let there = first.saturating_add(1).clamp(0, LANES as i64);
    ((1u64 << there) - 1) as Mask
}

/// The lanes where `at` plus the offset is 0.
#[cfg_attr(optimised, inline(always))]
pub fn mask_zero(at: i64, lanes: &Offsets) -> Mask {
    // No offset undoes the least number.
    let Some(wanted) = at.checked_neg() else { return 0 };
    if wanted < lanes.low || wanted > lanes.high {
        return 0;
    }
    match lanes.step {
        Some(0) => ALL,
        Some(1) => 1 << ((wanted - lanes.low) as u32 % 32),
        _ => each_that_is(wanted, lanes),
    }
}

#[inline(never)]
fn each_that_is(wanted: i64, lanes: &Offsets) -> Mask {
    each(lanes, |offset| offset == wanted)
}

/// The lanes where `at` plus the offset leaves this remainder, never negative, by a modulus; none for a modulus below 1.
#[cfg_attr(optimised, inline(always))]
pub fn mask_remainder(at: i64, lanes: &Offsets, modulus: i64, is: i64) -> Mask {
    if modulus < 1 || !(0..modulus).contains(&is) {
        return 0;
    }
    // Both below the modulus, so that the sum fits 64 bits without a sign.
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

/// `at` plus the offset, a lane of the group each.
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
