//! Reads of arrays by integer indices, which may be out of bounds if the array has a border.
#![allow(unsafe_code)]
use crate::cpu::Element;
use crate::words::{Strided, Word, axes, border, of_word};
use ndarray::{ArrayView, Dim, Dimension};
use std::marker::PhantomData;

/// The result of a read outside an array. Each axis is handled on its own.
#[derive(Clone, Copy, Debug)]
pub enum Border<T> {
    /// This value.
    Constant(T),
    /// The nearest element.
    Clamp,
    /// The element mirrored at the edge, which is not repeated.
    Reflect,
    /// The element mirrored at the edge, which is repeated.
    Symmetric,
    /// The element at the index modulo the length.
    Wrap,
}

/// An array parameter.
#[derive(Clone, Debug)]
pub struct Input<'a, T, const N: usize> {
    // Points to the element at index 0. Strides are in elements and may be negative.
    place: *const T,
    lengths: [i64; N],
    strides: [i64; N],
    border: Border<T>,
    view: PhantomData<&'a [T]>,
}

impl<'a, T: Element, const N: usize> Input<'a, T, N> {
    /// Returns the array with its border. An array without a border is never read outside; its `border` does not matter.
    pub fn new(view: ArrayView<'a, T, Dim<[usize; N]>>, border: Border<T>) -> Self
    where
        Dim<[usize; N]>: Dimension,
    {
        let (mut lengths, mut strides) = ([0; N], [0; N]);
        axes(view.shape(), view.strides(), &mut lengths, &mut strides);
        Input { place: view.as_ptr(), lengths, strides, border, view: PhantomData }
    }

    /// Returns the element at an index; outside, the value that the border gives. In an empty array every border but a
    /// constant gives zero.
    pub fn read(&self, index: [i64; N]) -> T {
        let mut place = self.place;
        let mut k = 0;
        // No iterator, because every crate with a kernel would compile its code.
        while k < N {
            // As unsigned numbers, negative indices are too large.
            if index[k] as u64 >= self.lengths[k] as u64 {
                return self.read_outside(index);
            }
            place = place.wrapping_offset(index[k].wrapping_mul(self.strides[k]) as isize);
            k += 1;
        }
        // SAFETY: every index is within its axis of the view.
        unsafe { place.read() }
    }

    #[cold]
    fn read_outside(&self, index: [i64; N]) -> T {
        // SAFETY: these are the elements of the view, and nothing is written to them.
        let array = unsafe { Strided::new(self.place.cast_mut().cast(), &self.lengths, &self.strides) };
        // SAFETY: the word comes from the array or its border, or is zero.
        unsafe { of_word(T::Word::find(array, border(self.border), &index)) }
    }

    /// Returns an element of lengths; outside, the least one.
    pub fn length(&self, index: [i64; N], least: i64) -> i64 {
        let inside = index.iter().zip(&self.lengths).all(|(i, n)| (0..*n).contains(i));
        crate::lengths::length(inside.then(|| self.read(index)), least)
    }

    /// [`read`](Input::read), not inlined: bodies with many of them compile faster.
    #[inline(never)]
    pub fn read_called(&self, index: [i64; N]) -> T {
        self.read(index)
    }
}

/// Returns the index within an axis of this length that `i` maps to, or `None` if there is none: outside with a constant
/// border, or in an empty axis.
pub(crate) fn inner<T>(i: i64, length: i64, border: &Border<T>) -> Option<usize> {
    if length < 1 {
        return None;
    }
    let i = match border {
        _ if (0..length).contains(&i) => i,
        Border::Constant(_) => return None,
        Border::Clamp => i.clamp(0, length - 1),
        // One period further is the usual case, and needs no division.
        Border::Wrap if i < 0 && i >= -length => i + length,
        Border::Wrap if i >= 0 && i - length < length => i - length,
        Border::Wrap => i.checked_rem_euclid(length)?,
        Border::Reflect => mirrored(i, length, 0)?,
        Border::Symmetric => mirrored(i, length, 1)?,
    };
    usize::try_from(i).ok()
}

/// The mirror image of an index. `repeated` is 1 if the element at an edge is repeated, otherwise 0: a, b, c is followed by
/// c, b, a or by b, a.
fn mirrored(i: i64, length: i64, repeated: i64) -> Option<i64> {
    let period = 2 * (length - 1 + repeated);
    // The first image is the usual case, and needs no division.
    if i < 0 && i > i64::MIN / 2 && -repeated - i < length {
        return Some(-repeated - i);
    }
    if i >= length && period - repeated - i >= 0 {
        return Some(period - repeated - i);
    }
    // One element that is not repeated has period 0: every index reads it.
    let there = i.checked_rem_euclid(period.max(1))?;
    Some(there.min(period - repeated - there))
}

/// Returns an element of a row-major list: a `const` parameter or a constant of the body. Out of bounds it is zero.
pub fn element<T: Copy + Default, const N: usize>(values: &[T], lengths: [i64; N], index: [i64; N]) -> T {
    let mut cell: i64 = 0;
    for k in 0..N {
        if !(0..lengths[k]).contains(&index[k]) {
            return T::default();
        }
        cell = cell.saturating_mul(lengths[k]).saturating_add(index[k]);
    }
    usize::try_from(cell).ok().and_then(|cell| values.get(cell)).copied().unwrap_or_default()
}

/// Returns an element of a row-major list at any index; outside, the value that the border gives.
pub fn lookup<T: Copy + Default, const N: usize>(
    values: &[T],
    lengths: [i64; N],
    border: Border<T>,
    index: [i64; N],
) -> T {
    let mut cell = 0usize;
    for k in 0..N {
        match (inner(index[k], lengths[k], &border), &border) {
            (Some(i), _) => cell = cell.saturating_mul(lengths[k] as usize).saturating_add(i),
            (None, Border::Constant(value)) => return *value,
            (None, _) => return T::default(),
        }
    }
    values.get(cell).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2, Axis, Slice};

    fn line(border: Border<i32>, n: i32, indices: std::ops::Range<i64>) -> Vec<i32> {
        let x = Array1::from_iter(0..n);
        let input = Input::new(x.view(), border);
        indices.map(|i| input.read([i])).collect()
    }

    #[test]
    fn borders_of_one_axis() {
        assert_eq!(line(Border::Constant(9), 3, -2..5), [9, 9, 0, 1, 2, 9, 9]);
        assert_eq!(line(Border::Clamp, 3, -2..5), [0, 0, 0, 1, 2, 2, 2]);
        assert_eq!(line(Border::Wrap, 3, -4..5), [2, 0, 1, 2, 0, 1, 2, 0, 1]);
        assert_eq!(line(Border::Reflect, 3, -4..8), [0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1]);
        assert_eq!(line(Border::Symmetric, 3, -8..8), [1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1]);
    }

    #[test]
    fn borders_of_one_element() {
        assert_eq!(line(Border::Reflect, 1, -3..4), [0; 7]);
        assert_eq!(line(Border::Symmetric, 1, -3..4), [0; 7]);
        assert_eq!(line(Border::Wrap, 1, -3..4), [0; 7]);
        assert_eq!(line(Border::Clamp, 1, -3..4), [0; 7]);
    }

    #[test]
    fn borders_of_two_elements() {
        assert_eq!(line(Border::Reflect, 2, -3..5), [1, 0, 1, 0, 1, 0, 1, 0]);
        assert_eq!(line(Border::Symmetric, 2, -5..7), [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1]);
    }

    #[test]
    fn nothing_to_read_is_zero() {
        for border in [Border::Clamp, Border::Reflect, Border::Symmetric, Border::Wrap] {
            assert_eq!(line(border, 0, -1..1), [0, 0]);
        }
        assert_eq!(line(Border::Constant(9), 0, -1..1), [9, 9]);
    }

    #[test]
    fn each_axis_on_its_own() {
        let x = Array2::from_shape_fn((2, 3), |(r, c)| 10 * r as i32 + c as i32);
        let read = |border, index| Input::new(x.view(), border).read(index);
        assert_eq!(read(Border::Clamp, [-5, 1]), 1);
        assert_eq!(read(Border::Clamp, [7, 9]), 12);
        assert_eq!(read(Border::Reflect, [2, -1]), 1);
        assert_eq!(read(Border::Symmetric, [2, -1]), 10);
        assert_eq!(read(Border::Symmetric, [-6, 7]), 11);
        assert_eq!(read(Border::Symmetric, [i64::MIN, i64::MAX]), 1);
        assert_eq!(read(Border::Constant(-1), [0, 3]), -1);
        assert_eq!(read(Border::Constant(-1), [-1, 0]), -1);
        assert_eq!(read(Border::Wrap, [i64::MIN, 0]), 0);
    }

    #[test]
    fn strides_are_respected() {
        let x = Array2::from_shape_fn((4, 6), |(r, c)| 10 * r as i32 + c as i32);
        let mut view = x.slice_axis(Axis(0), Slice::new(0, None, 2));
        view.invert_axis(Axis(1));
        let input = Input::new(view, Border::Clamp);
        assert_eq!(input.read([1, 0]), 25);
        assert_eq!(input.read([1, 9]), 20);
    }

    #[test]
    fn a_list_at_any_index() {
        let values = [1, 2, 3, 4, 5, 6];
        let read = |border, index| lookup(&values, [2, 3], border, index);
        assert_eq!(read(Border::Constant(9), [1, 0]), 4);
        assert_eq!((read(Border::Constant(9), [2, 0]), read(Border::Constant(9), [0, i64::MIN])), (9, 9));
        assert_eq!((read(Border::Clamp, [i64::MAX, -5]), read(Border::Wrap, [-1, 4])), (4, 5));
        assert_eq!((read(Border::Reflect, [2, 3]), read(Border::Symmetric, [2, -1])), (2, 4));
        assert_eq!(lookup::<i32, 1>(&[], [0], Border::Clamp, [0]), 0);
    }

    #[test]
    fn elements_are_row_major() {
        let values = [1, 2, 3, 4, 5, 6];
        assert_eq!(element(&values, [2, 3], [1, 0]), 4);
        assert_eq!(element(&values, [2, 3], [0, 3]), 0);
        assert_eq!(element(&values, [6], [5]), 6);
    }
}
