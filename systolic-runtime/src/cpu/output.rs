//! Outputs, written by all lanes of a warp or group at once.
#![allow(unsafe_code)]
use super::input::{from_zero, group, lanes_inside, stand};
use super::joined::join;
use super::prefetch::ask_to_write;
use super::vector::low;
use super::window::WIDEST_STEP;
use super::{Element, LANES, Mask, Offsets, Simd, Vector};
use crate::words::{LINE, axes};
use ndarray::{ArrayViewMut, Dim, Dimension};
use std::marker::PhantomData;

/// An output of more bytes than this does not stay in a core's caches.
const LARGE: usize = 4 << 20;

/// An output shared by the blocks of a launch.
///
/// Blocks on several threads write to it at the same time, without synchronisation. The laws `outputs` and `collision` make
/// this sound: they prove that every element is stored by exactly one (block, step, lane). The last step of a row may store
/// elements of the step before it again, with the same bits, in the same block. Only code that these laws have accepted may call [`store`](Out::store).
#[derive(Debug)]
pub struct Out<'a, T, const N: usize> {
    // Points to the element at index 0. Strides are in elements and may be negative.
    pub(super) place: *mut T,
    pub(super) lengths: [i64; N],
    pub(super) strides: [i64; N],
    // Too large for the caches, so full cache lines are written by non-temporal stores, which bypass them.
    pub(super) large: bool,
    array: PhantomData<&'a mut [T]>,
}

// SAFETY: the laws prove that an element is written by one block only. Nothing is read before the launch, and with it the
// borrow of the array, has ended. Elements may be sent between threads.
unsafe impl<T: Send, const N: usize> Sync for Out<'_, T, N> {}
// SAFETY: like a `&mut [T]`, which is `Send` if `T` is.
unsafe impl<T: Send, const N: usize> Send for Out<'_, T, N> {}

impl<'a, T: Element, const N: usize> Out<'a, T, N>
where
    Dim<[usize; N]>: Dimension,
{
    /// Returns the array as an output; it may have any strides.
    pub fn new(mut array: ArrayViewMut<'a, T, Dim<[usize; N]>>) -> Self {
        let (mut lengths, mut strides) = ([0; N], [0; N]);
        axes(array.shape(), array.strides(), &mut lengths, &mut strides);
        let large = std::mem::size_of::<T>().saturating_mul(array.len()) > LARGE;
        Out { place: array.as_mut_ptr(), lengths, strides, large, array: PhantomData }
    }
}

impl<'a, T: Element, const N: usize> Out<'a, T, N> {
    /// Returns the array with `count` axes from axis `first` on as one, if `is_joined`: the last takes all their elements. It must
    /// be in standard layout.
    #[inline]
    pub fn joined(mut self, is_joined: bool, first: usize, count: usize) -> Self {
        if is_joined {
            let (mut step, mut is_standard) = (1i64, true);
            for (length, stride) in self.lengths.iter().zip(&mut self.strides).rev() {
                is_standard &= *length < 2 || *stride == step;
                *stride = step;
                step = step.wrapping_mul(*length);
            }
            join(&mut self.lengths, first, count);
            if !is_standard {
                // In another layout nothing is stored.
                self.lengths = [0; N];
            }
        }
        self
    }

    /// Returns the array, which must be in standard layout, with its last axes as one, so that there are `M`.
    pub fn merged<const M: usize>(self) -> Out<'a, T, M> {
        let (mut lengths, mut strides) = ([1; M], [1; M]);
        let kept = M.min(N);
        lengths[..kept].copy_from_slice(&self.lengths[..kept]);
        strides[..kept].copy_from_slice(&self.strides[..kept]);
        let last = self.lengths.iter().zip(&self.strides).enumerate().skip(M.saturating_sub(1)).rev();
        let (mut step, mut is_standard) = (1i64, true);
        for (_, (length, stride)) in last {
            is_standard &= *length < 2 || *stride == step;
            step = step.wrapping_mul(*length);
        }
        if M > 0 {
            // In another layout nothing is stored.
            lengths[M - 1] = if is_standard { step } else { 0 };
            strides[M - 1] = 1;
        }
        Out { place: self.place, lengths, strides, large: self.large, array: self.array }
    }
}

impl<T: Element, const N: usize> Out<'_, T, N> {
    /// Stores the lanes in the group's mask whose index is inside the array. Lane l of the warp stores at
    /// `at[k] + lanes[k].table[l]`.
    #[cfg_attr(optimised, inline(always))]
    pub fn store<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N], mask: Mask, v: S::V<T>) {
        if !stand(lanes) || !matches!(lanes[N - 1].step, Some(1)) {
            return self.store_each(simd, at, lanes, mask, v);
        }
        self.store_row(simd, group(at, lanes, 0), mask, v);
    }

    /// As [`store`](Out::store), if lanes store consecutive elements of a row. Lane 0 of the warp is at `at`.
    #[cfg_attr(optimised, inline(always))]
    pub fn store_row<S: Simd>(&self, simd: S, at: [i64; N], mask: Mask, v: S::V<T>) {
        if const { S::WIDTH == 1 } {
            return self.store_one(simd, at, mask, v);
        }
        if self.strides[N - 1] != 1 {
            let mut lanes = [const { &Offsets::line(0, 0) }; N];
            lanes[N - 1] = const { &Offsets::line(0, 1) };
            return self.store_each(simd, at, lanes, mask, v);
        }
        let mut first = at;
        first[N - 1] = at[N - 1].wrapping_add(simd.first() as i64);
        let (mut place, mut k) = (self.place, 0);
        // No iterator, because every level of every kernel would compile its code.
        while k < N - 1 {
            // As unsigned numbers, negative indices are too large.
            if first[k] as u64 >= self.lengths[k] as u64 {
                return;
            }
            place = place.wrapping_offset((first[k] as isize).wrapping_mul(self.strides[k] as isize));
            k += 1;
        }
        // Along the last axis the stride is 1.
        place = place.wrapping_offset(first[k] as isize);
        // The usual case first, which needs no shifts.
        let whole = (first[N - 1] as u64) < from_zero(self.lengths[N - 1] - (S::WIDTH as i64 - 1));
        // As is every lane of the mask where the first and the last one are inside.
        let last = first[N - 1].wrapping_add(i64::from(Mask::BITS - mask.leading_zeros()));
        let whole = whole || first[N - 1] >= 0 && last >= 0 && last <= self.lengths[N - 1];
        let mask = if whole { mask } else { mask & lanes_inside(first[N - 1], self.lengths[N - 1], S::WIDTH) };
        // SAFETY: `place` is the element of the group's first lane, and along a row of stride 1 that of lane l is l
        // further. The lanes in the mask are inside the array, which is borrowed for as long as `self` lives, and no other
        // block writes these elements.
        unsafe {
            if mask == const { low(S::WIDTH) } {
                let lines = (S::WIDTH * std::mem::size_of::<T>()).is_multiple_of(LINE);
                if lines && self.large && place.addr().is_multiple_of(LINE) {
                    v.stream(place);
                } else {
                    v.store(place);
                }
            } else {
                v.store_where(mask, place);
            }
        }
    }

    /// As [`store`](Out::store), for a group of one lane. It calls no function, so that nothing of the step waits in memory.
    #[cfg_attr(optimised, inline(always))]
    fn store_one<S: Simd>(&self, simd: S, at: [i64; N], mask: Mask, v: S::V<T>) {
        let mut first = at;
        first[N - 1] = at[N - 1].wrapping_add(simd.first() as i64);
        let (mut place, mut fits) = (self.place, mask & 1 == 1 && S::WIDTH == 1);
        for (k, i) in first.into_iter().enumerate() {
            // As unsigned numbers, negative indices are too large.
            fits &= (i as u64) < self.lengths[k] as u64;
            place = place.wrapping_offset((i as isize).wrapping_mul(self.strides[k] as isize));
        }
        if fits {
            // SAFETY: the element is inside the array, which is borrowed for as long as `self` lives, and no other block
            // writes it; the group has one lane.
            unsafe { v.store(place) }
        }
    }

    /// As [`store`](Out::store), if lanes store every `STEP`-th element of a row. Lane 0 of the warp is at `at`.
    #[cfg_attr(optimised, inline(always))]
    pub fn store_apart<S: Simd, const STEP: usize>(&self, simd: S, at: [i64; N], mask: Mask, v: S::V<T>) {
        let mut first = at;
        first[N - 1] = at[N - 1].wrapping_add((simd.first() * STEP) as i64);
        let mut place = self.place;
        let mut fits =
            self.strides[N - 1] == 1 && mask == const { low(S::WIDTH) } && (2..=WIDEST_STEP as usize).contains(&STEP);
        for (k, i) in first.into_iter().enumerate() {
            let reach = if k == N - 1 { ((S::WIDTH - 1) * STEP) as i64 } else { 0 };
            fits &= (i as u64) < from_zero(self.lengths[k].saturating_sub(reach));
            place = place.wrapping_offset((i as isize).wrapping_mul(self.strides[k] as isize));
        }
        if fits {
            // SAFETY: the elements of all lanes are inside the array, which is borrowed for as long as `self` lives, and no
            // other block writes them.
            return unsafe { v.store_apart(place, STEP) };
        }
        self.scatter_row(first, STEP, mask & const { low(S::WIDTH) }, &v.to_lanes());
    }

    /// Stores the lanes of a mask along a row, this many elements apart; lane 0 of the group is at `at`.
    #[inline(never)]
    fn scatter_row(&self, at: [i64; N], step: usize, mask: Mask, values: &[T; LANES]) {
        let (mut place, mut fits) = (self.place, true);
        for (k, i) in at.into_iter().enumerate() {
            fits &= k == N - 1 || (i as u64) < self.lengths[k] as u64;
            place = place.wrapping_offset((i as isize).wrapping_mul(self.strides[k] as isize));
        }
        let stride = (self.strides[N - 1] as isize).wrapping_mul(step as isize);
        for (l, value) in values.iter().enumerate() {
            let i = at[N - 1].wrapping_add((l * step) as i64);
            if (mask >> l) & 1 == 1 && fits && (i as u64) < self.lengths[N - 1] as u64 {
                // SAFETY: the element is inside the array, which is borrowed for as long as `self` lives, and no other lane
                // writes it.
                unsafe { place.wrapping_offset(stride.wrapping_mul(l as isize)).write(*value) };
            }
        }
    }

    /// As [`store`](Out::store), lane by lane, for offsets that are computed at run time.
    #[cfg_attr(optimised, inline(always))]
    pub fn store_each<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N], mask: Mask, v: S::V<T>) {
        self.scatter(at, lanes, simd.first(), mask & const { low(S::WIDTH) }, &v.to_lanes());
    }

    /// Prefetches the cache lines that a later store at this index needs, if the output is large and the store goes through the
    /// caches. Does nothing outside the array.
    #[cfg_attr(optimised, inline(always))]
    pub fn prefetch<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N]) {
        if !self.large {
            return;
        }
        let first = group(at, lanes, simd.first());
        let mut place = self.place;
        for (k, i) in first.into_iter().enumerate() {
            if i as u64 >= self.lengths[k] as u64 {
                return;
            }
            place = place.wrapping_offset((i as isize).wrapping_mul(self.strides[k] as isize));
        }
        if !place.addr().is_multiple_of(LINE) {
            ask_to_write(place, S::WIDTH);
        }
    }

    /// Stores lane by lane, starting at a group's first lane.
    #[inline(never)]
    pub(super) fn scatter(&self, at: [i64; N], lanes: [&Offsets; N], first: usize, mask: Mask, values: &[T; LANES]) {
        let mut left = mask;
        // Visits only the lanes that store: a step may store in one lane only.
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let (Some(value), l) = (values.get(lane), first + lane) else { continue };
            if l >= LANES {
                return;
            }
            if let Some(place) = self.place(at, lanes, l) {
                // SAFETY: the element is inside the array, which is borrowed for as long as `self` lives, and no other lane
                // writes it.
                unsafe { place.write(*value) };
            }
        }
    }

    /// Returns the element that a lane of the warp stores to, or `None` if it is outside the array.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn place(&self, at: [i64; N], lanes: [&Offsets; N], lane: usize) -> Option<*mut T> {
        let (mut place, mut k) = (self.place, 0);
        while k < N {
            let i = at[k].saturating_add(lanes[k].table[lane]);
            // As unsigned numbers, negative indices are too large.
            if i as u64 >= self.lengths[k] as u64 {
                return None;
            }
            place = place.wrapping_offset((i as isize).wrapping_mul(self.strides[k] as isize));
            k += 1;
        }
        Some(place)
    }
}
