//! Faces: memory through which the blocks of a map hand values to other blocks and to later launches.
#![allow(unsafe_code)]
use super::input::{group, lanes_inside, stand};
use super::vector::low;
use super::zeros::zeros;
use super::{Element, LANES, Mask, Offsets, Simd, Vector};
use crate::error::{Error, Failure};
use crate::limits::{Demand, Limits};
use std::cell::UnsafeCell;

/// Values that blocks leave for others, row-major.
///
/// Blocks on several threads read and write it at the same time. That is sound for the code that the laws have accepted: an
/// element is written by one block of a launch, and read by blocks that wait for that block (`in order`) or by a later launch.
/// Only such code may call [`load`](Face::load) and [`store`](Face::store).
#[derive(Debug)]
pub struct Face<T, const N: usize> {
    // Keeps the memory that `place` points to.
    _cells: UnsafeCell<Vec<T>>,
    place: *mut T,
    lengths: [i64; N],
}

// SAFETY: no two threads access an element at the same time, unless both read it: see the type. Elements may be sent between
// threads.
unsafe impl<T: Send, const N: usize> Sync for Face<T, N> {}

/// Fails if faces of this many bytes are more than the limit on scratch memory allows.
pub fn check_faces(bytes: i128) -> Result<(), Failure> {
    let limit = Limits::get().scratch_bytes;
    if bytes <= i128::from(limit) { Ok(()) } else { Err(Error::Scratch { bytes, limit }.into()) }
}

impl<T: Element, const N: usize> Face<T, N> {
    /// Returns a face of these lengths; a negative length counts as 0. Fails if there is no memory for it.
    pub fn new(lengths: [i128; N]) -> Result<Self, Failure> {
        let elements = Demand::product(&lengths);
        let none = || Error::no_memory("values between blocks", elements as u128, std::mem::size_of::<T>());
        let count = usize::try_from(elements).map_err(|_| none())?;
        let mut cells = zeros::<T>(count).ok_or_else(none)?;
        let place = cells.as_mut_ptr();
        // A length above 64 bits has a product of 0, and then nothing is inside.
        let lengths = if count == 0 { [0; N] } else { lengths.map(|n| i64::try_from(n).unwrap_or(0)) };
        Ok(Face { _cells: UnsafeCell::new(cells), place, lengths })
    }

    /// The place of the element at an index and the elements of its row from there on; `None` outside all rows.
    #[cfg_attr(optimised, inline(always))]
    fn row(&self, at: [i64; N]) -> Option<*mut T> {
        let (mut cell, mut k) = (0i64, 0);
        while k < N - 1 {
            // As unsigned numbers, negative indices are too large.
            if at[k] as u64 >= self.lengths[k] as u64 {
                return None;
            }
            cell = (cell + at[k]) * self.lengths[k + 1];
            k += 1;
        }
        Some(self.place.wrapping_offset(cell as isize).wrapping_offset(at[k] as isize))
    }

    /// Reads the lanes in the group's mask whose index is inside; zero elsewhere. Lane l of the warp reads at
    /// `at[k] + lanes[k].table[l]`.
    #[cfg_attr(optimised, inline(always))]
    pub fn load<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N], mask: Mask) -> S::V<T> {
        if !stand(lanes) || !matches!(lanes[N - 1].step, Some(1)) {
            return simd.take(&self.gather(at, lanes, simd.first(), mask));
        }
        let first = group(at, lanes, simd.first());
        let Some(place) = self.row(first) else { return simd.zero() };
        let mask = mask & lanes_inside(first[N - 1], self.lengths[N - 1], S::WIDTH);
        // SAFETY: the token exists, so the CPU has the level; the lanes in the mask are inside a row. Nobody writes to what is
        // read here: see the type.
        unsafe { S::V::<T>::load_where(mask, place, simd.zero()) }
    }

    /// Leaves the values of the lanes in the group's mask whose index is inside.
    #[cfg_attr(optimised, inline(always))]
    pub fn store<S: Simd>(&self, simd: S, at: [i64; N], lanes: [&Offsets; N], mask: Mask, v: S::V<T>) {
        if !stand(lanes) || !matches!(lanes[N - 1].step, Some(1)) {
            return self.scatter(at, lanes, simd.first(), mask, &v.to_lanes());
        }
        let first = group(at, lanes, simd.first());
        let Some(place) = self.row(first) else { return };
        let mask = mask & lanes_inside(first[N - 1], self.lengths[N - 1], S::WIDTH);
        // SAFETY: the lanes in the mask are inside a row, and nobody else accesses these elements now: see the type.
        unsafe {
            if mask == const { low(S::WIDTH) } {
                v.store(place);
            } else {
                v.store_where(mask, place);
            }
        }
    }

    #[inline(never)]
    fn gather(&self, at: [i64; N], lanes: [&Offsets; N], first: usize, mask: Mask) -> [T; LANES] {
        let mut values = [T::default(); LANES];
        for (lane, value) in values.iter_mut().enumerate().filter(|(lane, _)| mask >> lane & 1 == 1) {
            if let Some(place) = self.element(group(at, lanes, first + lane)) {
                // SAFETY: the element is inside, and nobody writes to it now: see the type.
                *value = unsafe { place.read() };
            }
        }
        values
    }

    #[inline(never)]
    fn scatter(&self, at: [i64; N], lanes: [&Offsets; N], first: usize, mask: Mask, values: &[T; LANES]) {
        for (lane, value) in values.iter().enumerate().filter(|(lane, _)| mask >> lane & 1 == 1) {
            if let Some(place) = self.element(group(at, lanes, first + lane)) {
                // SAFETY: the element is inside, and nobody else accesses it now: see the type.
                unsafe { place.write(*value) };
            }
        }
    }

    /// The place of an element, if it is inside.
    fn element(&self, at: [i64; N]) -> Option<*mut T> {
        let is_inside = (at[N - 1] as u64) < self.lengths[N - 1] as u64;
        self.row(at).filter(|_| is_inside)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Plain, Simd, Vector};
    use super::*;

    static LINE: Offsets = Offsets::line(0, 1);
    static SAME: Offsets = Offsets::line(0, 0);
    static BACK: Offsets = Offsets::line(31, -1);

    #[test]
    fn what_is_stored_is_loaded_and_nothing_outside() {
        let face = Face::<i32, 2>::new([3, 40]).unwrap();
        let simd = Plain;
        let row: [i32; LANES] = std::array::from_fn(|l| l as i32 + 1);
        face.store(simd, [1, 20], [&SAME, &LINE], u32::MAX, simd.load(&row));
        let back = face.load(simd, [1, 20], [&SAME, &LINE], u32::MAX).to_lanes();
        assert_eq!(back[..20], row[..20]);
        assert_eq!(back[20..], [0; 12]);
        let each = face.load(simd, [1, 0], [&SAME, &BACK], 0xf).to_lanes();
        assert_eq!(each[..4], [12, 11, 10, 9]);
        assert_eq!(each[4..], [0; 28]);
        for at in [[-1, 0], [3, 0], [1, 40], [1, -40]] {
            face.store(simd, at, [&SAME, &LINE], u32::MAX, simd.load(&row));
            face.store(simd, at, [&SAME, &BACK], u32::MAX, simd.load(&row));
            assert_eq!(face.load(simd, at, [&SAME, &LINE], u32::MAX).to_lanes()[0], 0, "{at:?}");
        }
        assert_eq!(face.load(simd, [2, 0], [&SAME, &LINE], u32::MAX).to_lanes(), [0; LANES]);
    }

    #[test]
    fn faces_that_do_not_fit_are_errors() {
        assert!(Face::<f64, 2>::new([1 << 62, 1 << 62]).is_err());
        assert!(Face::<f64, 1>::new([i128::MAX]).is_err());
        assert!(Face::<f64, 2>::new([-1, 5]).is_ok());
        assert!(check_faces(1 << 20).is_ok() && check_faces(i128::MAX).is_err());
    }
}
