//! Index forms with divisions and remainders, which are computed lane by lane. In some lanes a quotient is no whole number.
#![allow(unsafe_code)]
use super::vector::low;
use super::{ALL, Element, LANES, Mask, Offsets, Simd, Vector};
use crate::input::Border;
use systolic_arith::{CastTo, Type};

/// The index in lanes whose form is no whole number: outside every array.
const NOWHERE: i64 = i64::MIN / 4;

/// One number per lane, and the lanes in which it is whole.
#[derive(Clone, Copy, Debug)]
pub struct Each {
    values: [i64; LANES],
    whole: Mask,
}

impl Each {
    /// Returns the same number in all lanes.
    pub fn all(value: i64) -> Each {
        Each { values: [value; LANES], whole: ALL }
    }

    /// Returns `at` plus the offset of each lane.
    pub fn of(at: i64, lanes: &Offsets) -> Each {
        Each { values: lanes.table.map(|offset| at.wrapping_add(offset)), whole: ALL }
    }

    /// Returns this plus `factor` times another.
    pub fn plus(mut self, other: Each, factor: i64) -> Each {
        for (value, more) in self.values.iter_mut().zip(other.values) {
            *value = value.wrapping_add(more.wrapping_mul(factor));
        }
        self.whole &= other.whole;
        self
    }

    /// Returns this minus a number.
    pub fn less(self, number: i64) -> Each {
        self.plus(Each::all(number), -1)
    }

    /// Returns the quotient; it is whole in lanes without a remainder.
    pub fn over(mut self, by: i64) -> Each {
        for (lane, value) in self.values.iter_mut().enumerate() {
            if by == 0 || value.wrapping_rem(by) != 0 {
                self.whole &= !(1 << lane);
            } else {
                *value = value.wrapping_div(by);
            }
        }
        self
    }

    /// Returns the remainder, which is never negative.
    pub fn remainder(mut self, by: i64) -> Each {
        self.values = self.values.map(|value| value.checked_rem_euclid(by).unwrap_or(0));
        self
    }

    /// Returns the lanes in which the number is whole and at least 0.
    pub fn at_least(&self) -> Mask {
        self.lanes(|value| value >= 0)
    }

    /// Returns the lanes in which the number is whole and 0.
    pub fn zero(&self) -> Mask {
        self.lanes(|value| value == 0)
    }

    /// Returns the lanes in which the number is whole.
    pub fn whole(&self) -> Mask {
        self.whole
    }

    fn lanes(&self, wanted: impl Fn(i64) -> bool) -> Mask {
        let each = self.values.iter().enumerate();
        self.whole & each.fold(0, |mask, (lane, value)| mask | (u32::from(wanted(*value)) << lane))
    }

    /// Returns the numbers as offsets for an access. Lanes whose number is not whole are at no iteration point; they get an
    /// index outside every array.
    pub fn offsets(&self) -> Offsets {
        let mut table = self.values;
        for (lane, value) in table.iter_mut().enumerate() {
            if self.whole & (1 << lane) == 0 {
                *value = NOWHERE;
            }
        }
        Offsets::new(table)
    }

    /// Returns the numbers of the group's lanes as a vector.
    #[cfg_attr(optimised, inline(always))]
    pub fn values<S: Simd>(&self, simd: S) -> S::V<i64> {
        simd.load(&self.values)
    }
}

/// Reads an array that was passed by value, one element per lane. Lanes outside the array get zero; they are at no iteration
/// point.
#[cfg_attr(optimised, inline(always))]
pub fn small<S: Simd, T: Element, const N: usize>(
    simd: S,
    values: &[T],
    dims: [i64; N],
    at: [i64; N],
    lanes: [&Offsets; N],
) -> S::V<T> {
    if lanes.iter().all(|axis| axis.step == Some(0)) {
        return simd.splat(cell(values, dims, at, lanes, 0));
    }
    simd.load(&cells(values, dims, at, lanes))
}

/// Reads a small array, whose lengths the compiler knows, at indices that are values, one element per lane; outside, the value that the
/// border gives. All lanes have the same first `ALIKE` indices; the other axes have `COUNT` elements.
#[cfg_attr(optimised, inline(always))]
pub fn lookup<S, T, I, const N: usize, const ALIKE: usize, const COUNT: usize>(
    simd: S,
    values: &[T],
    dims: [i64; N],
    border: Border<T>,
    index: [S::V<I>; N],
) -> S::V<T>
where
    S: Simd,
    T: Element,
    I: Element + CastTo<i64> + CastTo<i32> + CastTo<i16>,
{
    // Constants, so that only one of both is compiled.
    if const { !narrow::<S, T, I, COUNT>() || ALIKE >= N } {
        return lookup_far(simd, values, dims, border, index);
    }
    let (mut row, mut count, mut k) = (Some(0i64), 1i64, 0);
    while k < N {
        if k < ALIKE {
            let i: i64 = index[k].to_lanes()[0].cast();
            row = row.filter(|_| (i as u64) < dims[k] as u64).map(|row| row.wrapping_mul(dims[k]).wrapping_add(i));
        } else {
            count = count.saturating_mul(dims[k]);
        }
        k += 1;
    }
    let table = row.filter(|_| count == COUNT as i64).and_then(|row| {
        let first = usize::try_from(row.checked_mul(count)?).ok()?;
        values.get(first..first.checked_add(COUNT)?)
    });
    match (table, cells_of_row::<S, I, N, ALIKE>(simd, dims, index)) {
        // SAFETY: the token exists, so the CPU has the level; the table has `COUNT` elements, and those of the cells of all lanes.
        (Some(table), Some(cells)) => unsafe { S::V::<T>::pick::<COUNT>(table, &cells.to_lanes()) },
        _ => outside(simd, values, dims, border, index),
    }
}

/// Whether a table is small enough for registers, and 16 bits for its indices.
const fn narrow<S: Simd, T: Element, I: Element, const COUNT: usize>() -> bool {
    matches!(I::TYPE, Type::I8 | Type::U8 | Type::I16 | Type::U16) && COUNT > 0 && COUNT <= S::V::<T>::PICKED
}

/// As [`lookup`], of any array.
#[cfg_attr(optimised, inline(always))]
pub(super) fn lookup_far<S: Simd, T: Element, I: Element + CastTo<i64> + CastTo<i32>, const N: usize>(
    simd: S,
    values: &[T],
    dims: [i64; N],
    border: Border<T>,
    index: [S::V<I>; N],
) -> S::V<T> {
    match cells_of(simd, values.len(), dims, index) {
        // SAFETY: the token exists, so the CPU has the level; the cells of all lanes are below the number of values.
        Some(cells) => unsafe { S::V::<T>::load_at(values, &cells.to_lanes()) },
        None => outside(simd, values, dims, border, index),
    }
}

/// Returns the positions of elements in a table by all axes but the first `ALIKE`, if all lanes are inside it. The table has at most
/// `i16::MAX` elements.
#[cfg_attr(optimised, inline(always))]
fn cells_of_row<S: Simd, I: Element + CastTo<i16>, const N: usize, const ALIKE: usize>(
    simd: S,
    dims: [i64; N],
    index: [S::V<I>; N],
) -> Option<S::V<i16>> {
    let (mut cells, mut inside, mut k) = (simd.zero::<i16>(), const { low(S::WIDTH) }, ALIKE);
    while k < N {
        // What 16 bits do not hold becomes negative.
        let i = simd.cast::<I, i16>(index[k]);
        let length = simd.splat(dims[k].clamp(0, i64::from(i16::MAX)) as i16);
        inside &= i.ge(simd.zero()) & i.lt(length);
        cells = if k == ALIKE { i } else { cells.mul(length).add(i) };
        k += 1;
    }
    (inside == const { low(S::WIDTH) }).then_some(cells)
}

/// Returns the positions of elements in memory, if all lanes are inside the array and 32 bits are enough.
#[cfg_attr(optimised, inline(always))]
fn cells_of<S: Simd, I: Element + CastTo<i32>, const N: usize>(
    simd: S,
    count: usize,
    dims: [i64; N],
    index: [S::V<I>; N],
) -> Option<S::V<i32>> {
    let narrow = const { matches!(I::TYPE, Type::I8 | Type::U8 | Type::I16 | Type::U16 | Type::I32) };
    let mut cells = simd.zero::<i32>();
    let (mut inside, mut k, mut all) = (const { low(S::WIDTH) }, 0, 1i64);
    // No iterator, because every level of every kernel would compile its code.
    while k < N {
        let i = simd.cast::<I, i32>(index[k]);
        let length = simd.splat(dims[k].clamp(0, i64::from(i32::MAX)) as i32);
        inside &= i.ge(simd.zero()) & i.lt(length);
        cells = if k == 0 { i } else { cells.mul(length).add(i) };
        all = all.saturating_mul(dims[k]);
        k += 1;
    }
    let fits = narrow && N > 0 && all <= i64::from(i32::MAX) && all <= count as i64;
    (fits && inside == const { low(S::WIDTH) }).then_some(cells)
}

/// Reads a small array where some lanes are outside it.
#[cfg_attr(optimised, inline(always))]
fn outside<S: Simd, T: Element, I: Element + CastTo<i64>, const N: usize>(
    simd: S,
    values: &[T],
    dims: [i64; N],
    border: Border<T>,
    index: [S::V<I>; N],
) -> S::V<T> {
    // Copies, so that what most steps need stays in registers.
    let index: [[I; LANES]; N] = std::array::from_fn(|k| index[k].to_lanes());
    let dims: [i64; N] = std::array::from_fn(|k| dims[k]);
    simd.take(&looked_up(values, dims, border, &index, S::WIDTH))
}

/// The elements of the first lanes.
#[cold]
#[inline(never)]
fn looked_up<T: Element, I: Element + CastTo<i64>, const N: usize>(
    values: &[T],
    dims: [i64; N],
    border: Border<T>,
    index: &[[I; LANES]; N],
    lanes: usize,
) -> [T; LANES] {
    let mut read = [T::default(); LANES];
    for (lane, read) in read.iter_mut().enumerate().take(lanes) {
        let at: [i64; N] = std::array::from_fn(|k| index[k][lane].cast());
        let (mut cell, mut fits) = (0i64, true);
        for (i, length) in at.iter().zip(dims) {
            // As unsigned numbers, negative indices are too large.
            fits &= (*i as u64) < length as u64;
            cell = cell.wrapping_mul(length).wrapping_add(*i);
        }
        *read = match values.get(cell as usize) {
            Some(value) if fits => *value,
            _ => crate::input::lookup(values, dims, border, at),
        };
    }
    read
}

/// Reads lane by lane.
#[inline(never)]
fn cells<T: Element, const N: usize>(values: &[T], dims: [i64; N], at: [i64; N], lanes: [&Offsets; N]) -> [T; LANES] {
    let mut read = [T::default(); LANES];
    for (lane, read) in read.iter_mut().enumerate() {
        *read = cell(values, dims, at, lanes, lane);
    }
    read
}

#[cfg_attr(optimised, inline(always))]
fn cell<T: Element, const N: usize>(
    values: &[T],
    dims: [i64; N],
    at: [i64; N],
    lanes: [&Offsets; N],
    lane: usize,
) -> T {
    let mut cell = 0;
    for k in 0..N {
        let i = at[k].wrapping_add(lanes[k].table[lane]);
        if i < 0 || i >= dims[k] {
            return T::default();
        }
        cell = cell * dims[k] + i;
    }
    values.get(cell as usize).copied().unwrap_or_default()
}

/// Returns all lanes if the condition holds, otherwise none.
#[cfg_attr(optimised, inline(always))]
pub fn all_if(condition: bool) -> Mask {
    if condition { ALL } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_whole_at_every_second_lane() {
        let lanes = Offsets::line(0, 1);
        let half = Each::of(0, &lanes).over(2);
        assert_eq!(half.whole(), 0x5555_5555);
        assert_eq!(half.less(3).at_least(), 0x5555_5555 & !0x3f);
        assert_eq!(half.offsets().table[4], 2);
        assert!(half.offsets().table[5] < -(1 << 40));
        assert_eq!(Each::of(-5, &lanes).remainder(4).zero() & 0xff, 0b10_0010);
    }
}
