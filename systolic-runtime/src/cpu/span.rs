//! Spans: the elements that all steps of a loop access, located and checked once, before the loop.
#![allow(unsafe_code)]
use super::vector::low;
use super::{Element, In, LANES, Mask, Offsets, Out, Simd, Vector};
use crate::words::{LINE, Word, border};
use std::marker::PhantomData;

/// What a loop reads of an input: a window per step, each at the same distance from the one before.
#[derive(Clone, Copy, Debug)]
pub struct Span<'a, T> {
    first: *const T,
    /// The distance in elements.
    by: i64,
    /// The number of steps.
    steps: u64,
    /// The elements per window.
    count: usize,
    array: PhantomData<&'a [T]>,
}

impl<'a, T: Element> Span<'a, T> {
    /// Returns the window of a step, which is empty if there is no such step. In a loop over all steps the comparison vanishes.
    #[cfg_attr(optimised, inline(always))]
    pub fn part(&self, step: i64) -> &'a [T] {
        if step as u64 >= self.steps {
            return &[];
        }
        // SAFETY: the windows of the first and of the last step lie inside the array, and so do all between them.
        unsafe { std::slice::from_raw_parts(self.first.wrapping_offset((self.by * step) as isize), self.count) }
    }
}

/// What a loop stores to an output.
#[derive(Clone, Copy, Debug)]
pub struct Reach<'a, T> {
    first: *mut T,
    by: i64,
    steps: u64,
    /// Whether all groups of lanes begin on a cache line, and bypass the caches.
    past: bool,
    array: PhantomData<&'a mut [T]>,
}

impl<T: Element> Reach<'_, T> {
    /// Stores the lanes in the group's mask, every `STEP`-th element. Does nothing if there is no such step.
    #[cfg_attr(optimised, inline(always))]
    pub fn put<S: Simd, const STEP: usize>(&self, _: S, step: i64, mask: Mask, v: S::V<T>) {
        if step as u64 >= self.steps || mask == 0 {
            return;
        }
        let place = self.first.wrapping_offset((self.by * step) as isize);
        // SAFETY: the elements of the first and of the last step lie inside the array for all lanes of the block, and so do all
        // between them. The array is borrowed for as long as `self` lives, and no other block writes them.
        unsafe {
            if mask != const { low(S::WIDTH) } {
                v.store_where(mask, place);
            } else if STEP > 1 {
                v.store_apart(place, STEP);
            } else if self.past {
                v.stream(place);
            } else {
                v.store(place);
            }
        }
    }
}

impl<T: Element, const N: usize> In<'_, T, N> {
    /// Returns the windows of `steps` steps, if all are inside the array. That of step 0 has `M` elements for a
    /// warp and begins at `at`; each next one is `by` further. Lanes differ only along the last axis. An index that does not
    /// change, outside an axis other than the last, is mapped inside by the border.
    #[cfg_attr(optimised, inline(always))]
    pub fn span<S: Simd, const M: usize>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        by: [i64; N],
        steps: i64,
    ) -> Option<Span<'_, T>> {
        if steps < 1 {
            return None;
        }
        let count = group_count::<S>(M, lanes[N - 1]);
        let (mut cell, mut moved, mut k) = (0i64, 0i64, 0);
        // No iterator, because every level of every kernel would compile its code.
        while k < N {
            let (mut i, mut room) = (at[k], self.lengths[k]);
            if k == N - 1 {
                i = i.wrapping_add(lanes[k].of(simd.first()));
                room = room.wrapping_sub(count as i64 - 1);
            }
            let last = by[k].checked_mul(steps - 1)?.checked_add(i)?;
            let room = if room < 0 { 0 } else { room as u64 };
            // As unsigned numbers, negative indices are too large.
            if i as u64 >= room || last as u64 >= room {
                i = if k < N - 1 && by[k] == 0 { self.mapped(k, i)? } else { return None };
            }
            cell = cell.wrapping_add(i.wrapping_mul(self.strides[k]));
            moved = moved.wrapping_add(by[k].wrapping_mul(self.strides[k]));
            k += 1;
        }
        self.from(cell, moved, steps, count)
    }

    /// As [`span`](In::span), for an array without a border: any element of its memory may stand for one outside.
    #[cfg_attr(optimised, inline(always))]
    pub fn span_inner<S: Simd, const M: usize>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        by: [i64; N],
        steps: i64,
    ) -> Option<Span<'_, T>> {
        let (mut cell, mut moved, mut k) = (lanes[N - 1].of(simd.first()), 0i64, 0);
        while k < N {
            // The last stride is 1.
            let stride = if k == N - 1 { 1 } else { self.strides[k] };
            cell = cell.wrapping_add(at[k].wrapping_mul(stride));
            moved = moved.wrapping_add(by[k].wrapping_mul(stride));
            k += 1;
        }
        self.from(cell, moved, steps, group_count::<S>(M, lanes[N - 1]))
    }

    /// Returns a span that begins with this cell, if it is inside the memory of the array.
    #[cfg_attr(optimised, inline(always))]
    fn from(&self, cell: i64, by: i64, steps: i64, count: usize) -> Option<Span<'_, T>> {
        if steps < 1 {
            return None;
        }
        let values = self.values();
        let room = (values.len() as i64 - (count as i64 - 1)).max(0) as u64;
        let last = by.checked_mul(steps - 1)?.checked_add(cell)?;
        if cell as u64 >= room || last as u64 >= room {
            return None;
        }
        let first = values.as_ptr().wrapping_offset(cell as isize);
        Some(Span { first, by, steps: steps as u64, count, array: PhantomData })
    }

    /// Returns the index within an axis that an index outside maps to, if there is one.
    #[cold]
    #[inline(never)]
    pub(super) fn mapped(&self, axis: usize, i: i64) -> Option<i64> {
        T::Word::inner(i, self.lengths[axis], border(self.border)).map(|i| i as i64)
    }
}

impl<T: Element, const N: usize> Out<'_, T, N> {
    /// Returns the elements that `steps` steps store, if all are inside the array. In step 0 lane 0 of the warp
    /// stores at `at`; each next lane of the block's `lanes` lanes stores `STEP` elements further along the last axis, and each
    /// next step `by` further.
    #[cfg_attr(optimised, inline(always))]
    pub fn reach<S: Simd, const STEP: usize>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: usize,
        by: [i64; N],
        steps: i64,
    ) -> Option<Reach<'_, T>> {
        if steps < 1 {
            return None;
        }
        let lanes = lanes.saturating_sub(simd.first()).min(S::WIDTH).max(1);
        let (mut place, mut moved, mut k) = (self.place, 0i64, 0);
        while k < N {
            let (mut i, mut room) = (at[k], self.lengths[k]);
            if k == N - 1 {
                i = i.wrapping_add((simd.first() * STEP) as i64);
                room = room.wrapping_sub(((lanes - 1) * STEP) as i64);
            }
            let last = by[k].checked_mul(steps - 1)?.checked_add(i)?;
            let room = if room < 0 { 0 } else { room as u64 };
            // As unsigned numbers, negative indices are too large.
            if i as u64 >= room || last as u64 >= room {
                return None;
            }
            place = place.wrapping_offset((i as isize).wrapping_mul(self.strides[k]));
            moved = moved.wrapping_add(by[k].wrapping_mul(self.strides[k] as i64));
            k += 1;
        }
        if !(self.strides[N - 1] == 1 || S::WIDTH == 1) {
            return None;
        }
        let lines = STEP == 1 && (S::WIDTH * std::mem::size_of::<T>()).is_multiple_of(LINE);
        let apart = (moved as usize).wrapping_mul(std::mem::size_of::<T>());
        let past = lines && self.large && place.addr().is_multiple_of(LINE) && apart.is_multiple_of(LINE);
        Some(Reach { first: place, by: moved, steps: steps as u64, past, array: PhantomData })
    }
}

/// The elements of a window that the lanes of a group read.
#[cfg_attr(optimised, inline(always))]
fn group_count<S: Simd>(warp: usize, lanes: &Offsets) -> usize {
    let step = lanes.step.unwrap_or(0).max(0) as usize;
    warp.saturating_sub((LANES - S::WIDTH).saturating_mul(step)).max(1)
}
