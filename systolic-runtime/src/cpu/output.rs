//! Outputs written by lanes.
#![allow(unsafe_code)]
use super::{ALL, Element, LANES, Mask, Offsets, Simd, Vector};
use ndarray::{ArrayViewMut, Dim, Dimension};
use std::marker::PhantomData;

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
    strides: [isize; N],
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
        let lengths = std::array::from_fn(|k| array.shape().get(k).map_or(0, |n| *n as i64));
        let strides = std::array::from_fn(|k| array.strides().get(k).map_or(0, |n| *n));
        Out { place: array.as_mut_ptr(), lengths, strides, array: PhantomData }
    }
}

impl<T: Element, const N: usize> Out<'_, T, N> {
    /// Stores the lanes in the mask that lie inside the array; lane l is at `at[k] + lanes[k].table[l]`.
    #[cfg_attr(optimised, inline(always))]
    pub fn store<S: Simd>(&self, _: S, at: [i64; N], lanes: [&Offsets; N], mask: Mask, v: S::V<T>) {
        let rows = lanes[..N - 1].iter().all(|axis| axis.step == Some(0));
        if !rows || lanes[N - 1].step != Some(1) || self.strides[N - 1] != 1 {
            return self.scatter(at, lanes, mask, &v.to_lanes());
        }
        let mut place = self.place;
        for k in 0..N {
            let i = at[k].wrapping_add(lanes[k].table[0]);
            // Negative ones are large without a sign.
            if k < N - 1 && i as u64 >= self.lengths[k] as u64 {
                return;
            }
            place = place.wrapping_offset((i as isize).wrapping_mul(self.strides[k]));
        }
        let first = at[N - 1].wrapping_add(lanes[N - 1].table[0]);
        let mask = mask & inside(first, self.lengths[N - 1]);
        // SAFETY: the place is lane 0's, and along a row of stride 1 lane l's is l further. The lanes in the mask lie
        // inside the array, which is borrowed for as long as `self` lives, and no other block writes them.
        unsafe {
            if mask == ALL {
                v.store(&mut *place.cast::<[T; LANES]>());
            } else {
                v.store_where(mask, place);
            }
        }
    }

    /// Lane by lane.
    #[inline(never)]
    fn scatter(&self, at: [i64; N], lanes: [&Offsets; N], mask: Mask, values: &[T; LANES]) {
        'lanes: for (l, value) in values.iter().enumerate() {
            if (mask >> l) & 1 == 0 {
                continue;
            }
            let mut place = self.place;
            for k in 0..N {
                let i = at[k].saturating_add(lanes[k].table[l]);
                if !(0..self.lengths[k]).contains(&i) {
                    continue 'lanes;
                }
                place = place.wrapping_offset((i as isize).wrapping_mul(self.strides[k]));
            }
            // SAFETY: every index is inside, the array is borrowed for as long as `self` lives, and no other lane
            // writes this element.
            unsafe { place.write(*value) };
        }
    }
}

/// The lanes l with first + l in 0..length.
#[cfg_attr(optimised, inline(always))]
fn inside(first: i64, length: i64) -> Mask {
    let lanes = LANES as i64;
    if first >= 0 && first <= length - lanes {
        return ALL;
    }
    let below = first.saturating_neg().clamp(0, lanes);
    let above = length.saturating_sub(first).clamp(0, lanes);
    let from = |l: i64| ALL.checked_shl(l as u32).unwrap_or(0);
    from(below) & !from(above)
}
