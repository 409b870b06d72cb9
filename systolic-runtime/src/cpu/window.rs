//! Windows: parts of a row that several loads share, so that the position is computed and checked once.
#![allow(unsafe_code)]
use super::input::{apart, group};
use super::{Element, In, LANES, Offsets, Simd};
use crate::words::{Word, border};

/// The largest step between lanes for which a window is used.
pub const WIDEST_STEP: i64 = 8;

/// Memory for a window that is not entirely inside its row.
#[derive(Clone, Debug)]
pub struct Room<T, const M: usize>([T; M]);

impl<T: Element, const M: usize> Room<T, M> {
    /// Returns memory for `M` elements.
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
    /// Returns the group's part of a window of `M` elements along the last axis, which begins at lane 0 of the warp, at `at`.
    /// Lanes differ only along that axis, by a step of at least 0. Outside the array are the values that the border gives.
    #[cfg_attr(optimised, inline(always))]
    pub fn window<'w, S: Simd, const M: usize>(
        &'w self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        room: &'w mut Room<T, M>,
    ) -> &'w [T] {
        let step = lanes[N - 1].step.unwrap_or(0).max(0) as usize;
        // Leaves out the elements that only lanes outside the group read.
        let count = M.saturating_sub((LANES - S::WIDTH).saturating_mul(step));
        let first = group(at, lanes, simd.first());
        match self.inside(first, count as i64 - 1) {
            Some(window) => window,
            None => self.continued(first, count, &mut room.0),
        }
    }

    /// Returns a window that is not entirely inside the array.
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

/// Reads consecutive elements from a window; the group's first lane is at `at`.
#[cfg_attr(optimised, inline(always))]
pub fn within_row<S: Simd, T: Element>(simd: S, window: &[T], at: i64) -> S::V<T> {
    // A single comparison, whose right side is loop-invariant while the window stays the same.
    if at as u64 >= window.len().saturating_sub(S::WIDTH - 1) as u64 {
        return simd.zero();
    }
    // SAFETY: the last element is before the end of the window.
    simd.take(unsafe { window.get_unchecked(at as usize..at as usize + S::WIDTH) })
}

/// Reads the element at `at` of a window into all lanes.
#[cfg_attr(optimised, inline(always))]
pub fn within_same<S: Simd, T: Element>(simd: S, window: &[T], at: i64) -> S::V<T> {
    match window.get(at as usize) {
        Some(x) if at >= 0 => simd.splat(*x),
        _ => simd.zero(),
    }
}

/// Reads from a window: the group's first lane at `at`, each next one a step further. The step is from 0 to [`WIDEST_STEP`].
#[cfg_attr(optimised, inline(always))]
pub fn within<S: Simd, T: Element>(simd: S, window: &[T], at: i64, lanes: &Offsets) -> S::V<T> {
    match lanes.step {
        Some(0) => within_same(simd, window, at),
        Some(1) => within_row(simd, window, at),
        Some(step @ 2..=WIDEST_STEP) => {
            let reach = (S::WIDTH - 1) * step as usize;
            // A single comparison, whose right side is loop-invariant while the window stays the same.
            if at as u64 >= window.len().saturating_sub(reach) as u64 {
                return simd.zero();
            }
            // SAFETY: the last element is before the end of the window.
            apart(simd, unsafe { window.get_unchecked(at as usize..at as usize + reach + 1) }, step as usize)
        }
        _ => simd.zero(),
    }
}
