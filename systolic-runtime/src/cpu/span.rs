//! Spans: the elements that all steps of two nested loops access, located and checked once, before the loops.
#![allow(unsafe_code)]
use super::vector::low;
use super::{Element, In, LANES, Mask, Offsets, Out, Simd, Vector};
use crate::words::LINE;
use std::marker::PhantomData;

/// The steps of two nested loops.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// The number of iterations of the outer loop.
    pub rows: i64,
    /// The number of iterations of the inner loop.
    pub steps: i64,
}

impl Steps {
    /// No steps.
    const NONE: Steps = Steps { rows: 0, steps: 0 };

    /// Returns how far the last step is from the first along an axis, in the outer and the inner loop, if there are steps.
    #[cfg_attr(optimised, inline(always))]
    fn ends(self, by: [i64; 2]) -> Option<[i64; 2]> {
        if self.rows < 1 || self.steps < 1 {
            return None;
        }
        Some([by[0].checked_mul(self.rows - 1)?, by[1].checked_mul(self.steps - 1)?])
    }

    /// Returns whether an index is below `room` in all steps: it is so in the four corners.
    #[cfg_attr(optimised, inline(always))]
    fn is_below(self, i: i64, by: [i64; 2], room: i64) -> Option<bool> {
        let [row, step] = self.ends(by)?;
        let (a, b) = (i.checked_add(row)?, i.checked_add(step)?);
        let c = a.checked_add(step)?;
        let room = if room < 0 { 0 } else { room as u64 };
        // As unsigned numbers, negative indices are too large.
        Some((i as u64) < room && (a as u64) < room && (b as u64) < room && (c as u64) < room)
    }
}

/// What two nested loops read of an input: a window per step, each at the same distance from the one before.
#[derive(Clone, Copy, Debug)]
pub struct Span<'a, T> {
    first: *const T,
    /// The distance in elements from one iteration to the next, of the outer and of the inner loop.
    by: [i64; 2],
    /// There are none if some step lies outside the array.
    count: Steps,
    /// The elements per window.
    length: usize,
    array: PhantomData<&'a [T]>,
}

/// What an iteration of the outer loop reads.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a, T> {
    first: *const T,
    by: i64,
    steps: i64,
    length: usize,
    array: PhantomData<&'a [T]>,
}

impl<'a, T: Element> Span<'a, T> {
    /// Returns the windows of an iteration of the outer loop; none if there is no such iteration.
    #[cfg_attr(optimised, inline(always))]
    pub fn line(&self, row: i64) -> Line<'a, T> {
        let exists = (row as u64) < self.count.rows as u64;
        let first = self.first.wrapping_offset(self.by[0].wrapping_mul(row) as isize);
        let steps = if exists { self.count.steps } else { 0 };
        Line { first, by: self.by[1], steps, length: self.length, array: PhantomData }
    }
}

impl<'a, T: Element> Line<'a, T> {
    /// Returns the number of steps.
    #[cfg_attr(optimised, inline(always))]
    pub fn steps(&self) -> i64 {
        self.steps
    }

    /// Returns the window of a step, which is empty if there is no such step. In a loop over steps the comparison vanishes.
    #[cfg_attr(optimised, inline(always))]
    pub fn part(&self, step: i64) -> &'a [T] {
        if step < 0 || step >= self.steps {
            return &[];
        }
        // SAFETY: the windows in the four corners lie inside the array, and so do all between them.
        unsafe {
            std::slice::from_raw_parts(self.first.wrapping_offset(self.by.wrapping_mul(step) as isize), self.length)
        }
    }
}

/// What two nested loops store to an output.
#[derive(Clone, Copy, Debug)]
pub struct Reach<'a, T> {
    first: *mut T,
    by: [i64; 2],
    count: Steps,
    /// Whether all groups of lanes begin on a cache line, and bypass the caches.
    past: bool,
    array: PhantomData<&'a mut [T]>,
}

/// What an iteration of the outer loop stores.
#[derive(Clone, Copy, Debug)]
pub struct Track<'a, T> {
    first: *mut T,
    by: i64,
    steps: i64,
    past: bool,
    array: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element> Reach<'a, T> {
    /// Returns the elements of an iteration of the outer loop; none if there is no such iteration.
    #[cfg_attr(optimised, inline(always))]
    pub fn line(&self, row: i64) -> Track<'a, T> {
        let exists = (row as u64) < self.count.rows as u64;
        let first = self.first.wrapping_offset(self.by[0].wrapping_mul(row) as isize);
        let steps = if exists { self.count.steps } else { 0 };
        Track { first, by: self.by[1], steps, past: self.past, array: PhantomData }
    }
}

impl<T: Element> Track<'_, T> {
    /// Returns the number of steps.
    #[cfg_attr(optimised, inline(always))]
    pub fn steps(&self) -> i64 {
        self.steps
    }

    /// Stores the lanes in the group's mask, every `STEP`-th element. Does nothing if there is no such step.
    #[cfg_attr(optimised, inline(always))]
    pub fn put<S: Simd, const STEP: usize>(&self, _: S, step: i64, mask: Mask, v: S::V<T>) {
        if step < 0 || step >= self.steps || mask == 0 {
            return;
        }
        let place = self.first.wrapping_offset(self.by.wrapping_mul(step) as isize);
        // SAFETY: the elements in the four corners lie inside the array for all lanes of the block, and so do all between them.
        // The array is borrowed for as long as `self` lives, and no other block writes them.
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
    /// Returns the windows of all steps, or none if some are not inside the array. That of the first step has `M` elements for a
    /// warp and begins at `at`; along each axis the next ones are `by` further. Lanes differ only along the last axis.
    #[cfg_attr(optimised, inline(always))]
    pub fn span<S: Simd, const M: usize>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        by: [[i64; 2]; N],
        count: Steps,
    ) -> Span<'_, T> {
        let length = group_length::<S>(M, lanes[N - 1]);
        let (mut fits, mut k) = (true, 0);
        // No iterator, because every level of every kernel would compile its code.
        while k < N {
            let (mut i, mut room) = (at[k], self.lengths[k]);
            if k == N - 1 {
                i = i.wrapping_add(lanes[k].of(simd.first()));
                room = room.wrapping_sub(length as i64 - 1);
            }
            fits &= count.is_below(i, by[k], room).unwrap_or(false);
            k += 1;
        }
        let count = if fits { count } else { Steps::NONE };
        self.span_inner::<S, M>(simd, at, lanes, by, count)
    }

    /// As [`span`](In::span), for an array without a border: any element of its memory may stand for one outside.
    #[cfg_attr(optimised, inline(always))]
    pub fn span_inner<S: Simd, const M: usize>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: [&Offsets; N],
        by: [[i64; 2]; N],
        count: Steps,
    ) -> Span<'_, T> {
        let length = group_length::<S>(M, lanes[N - 1]);
        let (mut cell, mut moved, mut k) = (lanes[N - 1].of(simd.first()), [0i64; 2], 0);
        while k < N {
            // The last stride is 1.
            let stride = if k == N - 1 { 1 } else { self.strides[k] };
            cell = cell.wrapping_add(at[k].wrapping_mul(stride));
            moved[0] = moved[0].wrapping_add(by[k][0].wrapping_mul(stride));
            moved[1] = moved[1].wrapping_add(by[k][1].wrapping_mul(stride));
            k += 1;
        }
        let values = self.values();
        let room = (values.len() as i64).wrapping_sub(length as i64 - 1);
        let fits = count.is_below(cell, moved, room).unwrap_or(false);
        let first = values.as_ptr().wrapping_offset(cell as isize);
        Span { first, by: moved, count: if fits { count } else { Steps::NONE }, length, array: PhantomData }
    }
}

impl<T: Element, const N: usize> Out<'_, T, N> {
    /// Returns the elements that all steps store, or none if some are not inside the array. In the first step lane 0 of the warp
    /// stores at `at`; each next lane of the block's `lanes` lanes stores `STEP` elements further along the last axis, and along
    /// each axis the next steps are `by` further.
    #[cfg_attr(optimised, inline(always))]
    pub fn reach<S: Simd, const STEP: usize>(
        &self,
        simd: S,
        at: [i64; N],
        lanes: usize,
        by: [[i64; 2]; N],
        count: Steps,
    ) -> Reach<'_, T> {
        let mut fits = S::WIDTH == 1 || self.strides[N - 1] == 1;
        let lanes = lanes.saturating_sub(simd.first()).min(S::WIDTH).max(1);
        let (mut place, mut moved, mut k) = (self.place, [0i64; 2], 0);
        while k < N {
            let (mut i, mut room) = (at[k], self.lengths[k]);
            if k == N - 1 {
                i = i.wrapping_add((simd.first() * STEP) as i64);
                room = room.wrapping_sub(((lanes - 1) * STEP) as i64);
            }
            fits &= count.is_below(i, by[k], room).unwrap_or(false);
            // The last stride of several lanes is 1.
            let stride = if k == N - 1 && S::WIDTH > 1 { 1 } else { self.strides[k] };
            place = place.wrapping_offset((i as isize).wrapping_mul(stride));
            moved[0] = moved[0].wrapping_add(by[k][0].wrapping_mul(stride as i64));
            moved[1] = moved[1].wrapping_add(by[k][1].wrapping_mul(stride as i64));
            k += 1;
        }
        let size = std::mem::size_of::<T>();
        let lines = |bytes: usize| bytes.is_multiple_of(LINE);
        let all =
            STEP == 1 && lines(S::WIDTH * size) && moved.iter().all(|by| lines((*by as usize).wrapping_mul(size)));
        let past = all && self.large && lines(place.addr());
        let count = if fits { count } else { Steps::NONE };
        Reach { first: place, by: moved, count, past, array: PhantomData }
    }
}

/// The elements of a window that the lanes of a group read.
#[cfg_attr(optimised, inline(always))]
fn group_length<S: Simd>(warp: usize, lanes: &Offsets) -> usize {
    let step = lanes.step.unwrap_or(0).max(0) as usize;
    warp.saturating_sub((LANES - S::WIDTH).saturating_mul(step)).max(1)
}
