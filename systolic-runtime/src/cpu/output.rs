//! Outputs written by lanes.
#![allow(unsafe_code)]
use super::input::{group, stand};
use super::prefetch::ask_to_write;
use super::vector::low;
use super::{Element, LANES, Mask, Offsets, Simd, Vector};
use crate::words::{LINE, axes};
use ndarray::{ArrayViewMut, Dim, Dimension};
use std::marker::PhantomData;

/// The bytes of an output beyond which it does not stay in a core's caches.
const LARGE: usize = 4 << 20;

/// An output shared by the blocks of a launch.
///
/// Blocks on several threads write to it at once. Nothing here keeps them apart: the laws `outputs` and `collision` do,
/// which prove that every element is stored by exactly one (block, step, lane). Only code that they have accepted may
/// call [`store`](Out::store).
#[derive(Debug)]
pub struct Out<'a, T, const N: usize> {
    // The element at index 0; strides count elements and may be negative.
    place: *mut T,
    lengths: [i64; N],
    pub(super) strides: [isize; N],
    // Larger than what caches keep: full lines are written past them.
    pub(super) large: bool,
    array: PhantomData<&'a mut [T]>,
}

// SAFETY: an element is written by one block only, as the laws prove, and nothing is read before the launch has ended
// and with it the borrow of the array; plain elements may go from one thread to another.
unsafe impl<T: Send, const N: usize> Sync for Out<'_, T, N> {}
// SAFETY: as a `&mut [T]`, which may change threads where `T` may.
unsafe impl<T: Send, const N: usize> Send for Out<'_, T, N> {}

impl<'a, T: Element, const N: usize> Out<'a, T, N>
where
    Dim<[usize; N]>: Dimension,
{
    /// The array, whatever its strides.
    pub fn new(mut array: ArrayViewMut<'a, T, Dim<[usize; N]>>) -> Self {
        let (lengths, strides) = axes(array.shape(), array.strides());
        let large = std::mem::size_of::<T>().saturating_mul(array.len()) > LARGE;
        Out { place: array.as_mut_ptr(), lengths, strides, large, array: PhantomData }
    }
}

impl<T: Element, const N: usize> Out<'_, T, N> {
    /// Stores the lanes in the group's mask that lie inside the array; lane l of the warp is at
    /// `at[k] + lanes[k].table[l]`.
    #[cfg_attr(optimised, inline(always))]
    pub fn store<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N], mask: Mask, v: S::V<T>) {
        if !stand(lanes) || !matches!(lanes[N - 1].step, Some(1)) {
            return self.store_each(simd, at, lanes, mask, v);
        }
        self.store_row(simd, group(at, lanes, 0), mask, v);
    }

    /// As [`store`](Out::store), where lanes store elements of a row that follow each other: lane 0 of the warp at `at`.
    #[cfg_attr(optimised, inline(always))]
    pub fn store_row<S: Simd>(&self, simd: S, at: [i64; N], mask: Mask, v: S::V<T>) {
        if self.strides[N - 1] != 1 {
            let mut lanes = [const { &Offsets::line(0, 0) }; N];
            lanes[N - 1] = const { &Offsets::line(0, 1) };
            return self.store_each(simd, at, lanes, mask, v);
        }
        let mut first = at;
        first[N - 1] = at[N - 1].wrapping_add(simd.first() as i64);
        let mut place = self.place;
        for (k, i) in first.into_iter().enumerate() {
            // Negative ones are large without a sign.
            if k < N - 1 && i as u64 >= self.lengths[k] as u64 {
                return;
            }
            place = place.wrapping_offset((i as isize).wrapping_mul(self.strides[k]));
        }
        let mask = mask & inside(first[N - 1], self.lengths[N - 1], S::WIDTH);
        // SAFETY: the place is the group's first lane's, and along a row of stride 1 its lane l's is l further. The
        // lanes in the mask lie inside the array, which is borrowed for as long as `self` lives, and no other block
        // writes them.
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

    /// As [`store`](Out::store), where the offsets are computed: lane by lane.
    #[cfg_attr(optimised, inline(always))]
    pub fn store_each<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N], mask: Mask, v: S::V<T>) {
        self.scatter(at, lanes, simd.first(), mask & const { low(S::WIDTH) }, &v.to_lanes());
    }

    /// Asks for the lines that a later store at this index needs, where it goes through the caches. Outside the array
    /// nothing happens.
    #[cfg_attr(optimised, inline(always))]
    pub fn prefetch<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N]) {
        let first = group(at, lanes, simd.first());
        let mut place = self.place;
        for (k, i) in first.into_iter().enumerate() {
            if i as u64 >= self.lengths[k] as u64 {
                return;
            }
            place = place.wrapping_offset((i as isize).wrapping_mul(self.strides[k]));
        }
        if self.large && !place.addr().is_multiple_of(LINE) {
            ask_to_write(place, S::WIDTH);
        }
    }

    /// Lane by lane, from a group's first on.
    #[inline(never)]
    pub(super) fn scatter(&self, at: [i64; N], lanes: [&Offsets; N], first: usize, mask: Mask, values: &[T; LANES]) {
        let mut left = mask;
        // A step may store in one lane alone, so lanes that do not store cost nothing.
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let (Some(value), l) = (values.get(lane), first + lane) else { continue };
            if l >= LANES {
                return;
            }
            if let Some(place) = self.place(at, lanes, l) {
                // SAFETY: inside the array, which is borrowed for as long as `self` lives, and no other lane writes
                // this element.
                unsafe { place.write(*value) };
            }
        }
    }

    /// Where a lane of the warp stores, if that is inside the array.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn place(&self, at: [i64; N], lanes: [&Offsets; N], lane: usize) -> Option<*mut T> {
        let mut place = self.place;
        for k in 0..N {
            let i = at[k].saturating_add(lanes[k].table[lane]);
            if !(0..self.lengths[k]).contains(&i) {
                return None;
            }
            place = place.wrapping_offset((i as isize).wrapping_mul(self.strides[k]));
        }
        Some(place)
    }
}

/// The lanes l below a width with first + l in 0..length.
#[cfg_attr(optimised, inline(always))]
fn inside(first: i64, length: i64, width: usize) -> Mask {
    let lanes = width as i64;
    // Both are from 0 to 32, so that a shift of 64 bits has no case of its own.
    let below = first.saturating_neg().clamp(0, lanes);
    let above = length.saturating_sub(first).clamp(0, lanes);
    (((1u64 << above) - 1) & !((1u64 << below) - 1)) as Mask
}
