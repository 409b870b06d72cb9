//! Parts of a row that several loads share: where they lie is found out and checked once.
#![allow(unsafe_code)]
use super::input::{apart, group};
use super::{Element, In, LANES, Offsets, Simd};
use crate::words::{Word, border};

/// The widest step between lanes that is read from a window.
pub const WIDEST_STEP: i64 = 8;

/// Where a window lies that leaves its row.
#[derive(Clone, Debug)]
pub struct Room<T, const M: usize>([T; M]);

impl<T: Element, const M: usize> Room<T, M> {
    /// Room for so many elements.
    #[cfg_attr(optimised, inline(always))]
    pub fn new() -> Self {
        Room([T::default(); M])
    }
}

impl<T: Element, const M: usize> Default for Room<T, M> {
    fn default() -> Self {
        Room::new()
    }
}

impl<T: Element, const N: usize> In<'_, T, N> {
    /// What the group reads of `M` elements along the last axis, from lane 0 at `at` on. Lanes differ along that axis
    /// alone, by a step from 0 on; outside the array, what the border says.
    #[cfg_attr(optimised, inline(always))]
    pub fn window<'w, S: Simd, const M: usize>(
        &'w self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        room: &'w mut Room<T, M>,
    ) -> &'w [T] {
        let step = lanes[N - 1].step.unwrap_or(0).max(0) as usize;
        // What the lanes beyond the group read is left out.
        let count = M.saturating_sub((LANES - S::WIDTH).saturating_mul(step));
        let first = group(at, lanes, simd.first());
        match self.inside(first, count as i64 - 1) {
            Some(window) => window,
            None => self.continued(first, count, &mut room.0),
        }
    }

    /// A window that is not all inside the array.
    #[cold]
    #[inline(never)]
    fn continued<'w>(&'w self, at: [i64; N], count: usize, room: &'w mut [T]) -> &'w [T] {
        let mut row = at;
        for k in 0..N - 1 {
            row[k] = T::Word::inner(at[k], self.lengths[k], border(self.border)).map_or(-1, |i| i as i64);
        }
        if let Some(window) = self.inside(row, count as i64 - 1) {
            return window;
        }
        self.read_line(at, &mut room[..count]);
        &room[..count]
    }
}

/// What the group's lanes read from a window: elements that follow each other, the first at `at`.
#[cfg_attr(optimised, inline(always))]
pub fn within_row<S: Simd, T: Element>(simd: S, window: &[T], at: i64) -> S::V<T> {
    // One comparison, whose right side does not change while the window stays.
    if at as u64 >= window.len().saturating_sub(S::WIDTH - 1) as u64 {
        return simd.zero();
    }
    // SAFETY: the last of them lies before the end.
    simd.take(unsafe { window.get_unchecked(at as usize..at as usize + S::WIDTH) })
}

/// What the group's lanes read from a window: all the element at `at`.
#[cfg_attr(optimised, inline(always))]
pub fn within_same<S: Simd, T: Element>(simd: S, window: &[T], at: i64) -> S::V<T> {
    match window.get(at as usize) {
        Some(x) if at >= 0 => simd.splat(*x),
        _ => simd.zero(),
    }
}

/// What the group's lanes read from a window: lane 0 at `at`, the others by a step from 0 to [`WIDEST_STEP`] further.
#[cfg_attr(optimised, inline(always))]
pub fn within<S: Simd, T: Element>(simd: S, window: &[T], at: i64, lanes: &Offsets) -> S::V<T> {
    match lanes.step {
        Some(0) => within_same(simd, window, at),
        Some(1) => within_row(simd, window, at),
        Some(step @ 2..=WIDEST_STEP) => {
            let reach = (S::WIDTH - 1) * step as usize;
            // One comparison, whose right side does not change while the window stays.
            if at as u64 >= window.len().saturating_sub(reach) as u64 {
                return simd.zero();
            }
            // SAFETY: the last of them lies before the end.
            apart(simd, unsafe { window.get_unchecked(at as usize..at as usize + reach + 1) }, step as usize)
        }
        _ => simd.zero(),
    }
}
