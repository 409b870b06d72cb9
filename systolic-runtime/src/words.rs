//! Arrays as words of 1, 2, 4 or 8 bytes, with any number of axes, for code that moves elements without interpreting them.
//!
//! A crate compiles its own copy of every generic function that it calls. The [`Word`] functions do not depend on the types of
//! the calling crate, so they are compiled once, with this crate.
#![allow(unsafe_code)]
use crate::alloc::{filled, product};
use crate::cpu::{Element, LANES, Mask, Offsets, zeros};
use crate::error::{Error, Failure};
use crate::input::{Border, inner};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use systolic_arith::Scalar;

/// The bytes of a cache line. An output that is not small begins on one.
pub const LINE: usize = 64;

/// Outputs of at most this many bytes are not aligned to a cache line, because that would slow down small calls.
pub const SMALL: usize = 512;

/// An array in standard layout.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'a, W> {
    /// The elements in order.
    pub values: &'a [W],
    /// The length of each axis; their product is the number of elements.
    pub lengths: &'a [i64],
    /// The distance in elements to the next element along each axis.
    pub strides: &'a [i64],
    /// The result of a read outside.
    pub border: Border<W>,
}

/// An array in any layout.
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a, W> {
    place: *mut W,
    lengths: &'a [i64],
    strides: &'a [i64],
    array: PhantomData<&'a mut W>,
}

impl<'a, W> Strided<'a, W> {
    /// The array whose element at index 0 is at `place`.
    ///
    /// # Safety
    /// The elements at all indices below the lengths exist for `'a` and may be read, and written if anything is stored.
    pub unsafe fn new(place: *mut W, lengths: &'a [i64], strides: &'a [i64]) -> Self {
        Strided { place, lengths, strides, array: PhantomData }
    }

    /// Calls `what` with a pointer to every element in order, the last axis fastest.
    fn each(&self, mut what: impl FnMut(*mut W)) {
        let (Some((&last, outer)), Some(&step)) = (self.lengths.split_last(), self.strides.last()) else { return };
        if self.lengths.contains(&0) {
            return;
        }
        let mut index = vec![0; outer.len()];
        let mut row = self.place;
        loop {
            let mut place = row;
            for _ in 0..last {
                what(place);
                place = place.wrapping_offset(step as isize);
            }
            // Advances to the next row, as an odometer counts up.
            let mut axis = outer.len();
            loop {
                let Some(k) = axis.checked_sub(1) else { return };
                axis = k;
                index[k] += 1;
                row = row.wrapping_offset(self.strides[k] as isize);
                if index[k] < outer[k] {
                    break;
                }
                row = row.wrapping_offset(self.strides[k].wrapping_mul(index[k]).wrapping_neg() as isize);
                index[k] = 0;
            }
        }
    }
}

/// An unsigned integer that stands for an element of the same size. Functions that allocate fail if there is not enough
/// memory; `purpose` goes into the error.
pub trait Word: Scalar {
    /// Returns the element at an index; outside, the value that the border gives. In an empty array every border but a
    /// constant gives zero.
    fn read(array: Packed<'_, Self>, index: &[i64]) -> Self;
    /// Reads the elements along the last axis starting at an index; outside, the values that the border gives.
    fn read_line(array: Packed<'_, Self>, at: &[i64], line: &mut [Self]);
    /// As [`read_line`](Word::read_line), for the first `width` elements of a row that has one element per lane; the others
    /// are written too, with any values.
    fn read_row(array: Packed<'_, Self>, at: &[i64], width: usize, row: &mut [MaybeUninit<Self>; LANES]);
    /// Returns one element per lane: lane l reads at `at[k] + lanes[k].table[l]`. The result begins with lane `first` and has
    /// `width` lanes.
    fn gather(array: Packed<'_, Self>, at: &[i64], lanes: &[&Offsets], first: usize, width: usize) -> [Self; LANES];
    /// As [`read`](Word::read), for an array in any layout.
    fn find(array: Strided<'_, Self>, border: Border<Self>, index: &[i64]) -> Self;
    /// Returns the elements in order.
    fn pack(array: Strided<'_, Self>, purpose: &'static str) -> Result<Vec<Self>, Error>;
    /// As [`pack`](Word::pack), for the view of an input.
    ///
    /// # Safety
    /// The elements at all indices below the lengths may be read; `place` is the one at index 0.
    unsafe fn contiguous(place: *const Self, shape: &[usize], steps: &[isize]) -> Result<Vec<Self>, Failure>;
    /// Returns the index within an axis of this length that `i` maps to, or `None` if there is none: outside with a constant
    /// border, or in an empty axis.
    fn inner(i: i64, length: i64, border: Border<Self>) -> Option<usize>;
    /// Returns as many zeros as the product of the extents.
    fn filled(extents: &[i64], purpose: &'static str) -> Result<Vec<Self>, Failure>;
    /// Writes `values`, which are in order, to the elements of the array.
    fn spread(array: Strided<'_, Self>, values: &[Self]);
    /// Returns zeros, and the index of the first element among them. If the array is not small, that element begins a cache
    /// line and there are more zeros than elements.
    fn room(lengths: &[usize], purpose: &'static str) -> Result<(Vec<Self>, usize), Failure>;
}

macro_rules! word {
    ($($word:ident)+) => {
        $(impl Word for $word {
            fn read(array: Packed<'_, $word>, index: &[i64]) -> $word {
                read(&array, index)
            }
            fn read_line(array: Packed<'_, $word>, at: &[i64], line: &mut [$word]) {
                read_line(&array, at, line);
            }
            fn read_row(array: Packed<'_, $word>, at: &[i64], width: usize, row: &mut [MaybeUninit<$word>; LANES]) {
                read_row(&array, at, width, row);
            }
            fn gather(array: Packed<'_, $word>, at: &[i64], lanes: &[&Offsets], first: usize, width: usize) -> [$word; LANES] {
                gather(&array, at, lanes, first, width)
            }
            fn find(array: Strided<'_, $word>, border: Border<$word>, index: &[i64]) -> $word {
                find(&array, &border, index)
            }
            fn pack(array: Strided<'_, $word>, purpose: &'static str) -> Result<Vec<$word>, Error> {
                pack(&array, purpose)
            }
            #[cold]
            unsafe fn contiguous(place: *const $word, shape: &[usize], steps: &[isize]) -> Result<Vec<$word>, Failure> {
                let (mut lengths, mut strides) = (vec![0; shape.len()], vec![0; shape.len()]);
                axes(shape, steps, &mut lengths, &mut strides);
                // SAFETY: the caller guarantees that these are elements, and nothing is written to them.
                let view = unsafe { Strided::new(place.cast_mut(), &lengths, &strides) };
                Ok(pack(&view, "a contiguous copy of an input")?)
            }
            fn inner(i: i64, length: i64, border: Border<$word>) -> Option<usize> {
                inner(i, length, &border)
            }
            fn filled(extents: &[i64], purpose: &'static str) -> Result<Vec<$word>, Failure> {
                Ok(filled(product(extents.iter().map(|extent| extent.unsigned_abs().into())), purpose)?)
            }
            fn spread(array: Strided<'_, $word>, values: &[$word]) {
                let mut values = values.iter();
                array.each(|place| {
                    if let Some(value) = values.next() {
                        // SAFETY: an element of the array, as the caller of `Strided::new` guarantees.
                        unsafe { place.write(*value) }
                    }
                });
            }
            fn room(lengths: &[usize], purpose: &'static str) -> Result<(Vec<$word>, usize), Failure> {
                room(product(lengths.iter().map(|n| *n as u128)), purpose)
            }
        })+
    };
}

word!(u8 u16 u32 u64);

fn outside<W: Word>(border: &Border<W>) -> W {
    if let Border::Constant(value) = border { *value } else { W::default() }
}

fn read<W: Word>(array: &Packed<'_, W>, index: &[i64]) -> W {
    let mut cell = 0i64;
    for ((i, length), stride) in index.iter().zip(array.lengths).zip(array.strides) {
        match inner(*i, *length, &array.border) {
            Some(i) => cell = cell.wrapping_add((i as i64).wrapping_mul(*stride)),
            None => return outside(&array.border),
        }
    }
    usize::try_from(cell).ok().and_then(|cell| array.values.get(cell)).copied().unwrap_or_default()
}

fn find<W: Word>(array: &Strided<'_, W>, border: &Border<W>, index: &[i64]) -> W {
    let mut place = array.place;
    for ((i, length), stride) in index.iter().zip(array.lengths).zip(array.strides) {
        match inner(*i, *length, border) {
            Some(i) => place = place.wrapping_offset((i as isize).wrapping_mul(*stride as isize)),
            None => return outside(border),
        }
    }
    // SAFETY: every index is within its axis, so this is an element of the array.
    unsafe { place.read() }
}

fn read_line<W: Word>(array: &Packed<'_, W>, at: &[i64], line: &mut [W]) {
    let (Some((&first, outer)), Some(&length)) = (at.split_last(), array.lengths.last()) else { return };
    let mut start = 0i64;
    for ((i, length), stride) in outer.iter().zip(array.lengths).zip(array.strides) {
        match inner(*i, *length, &array.border) {
            Some(i) => start = start.wrapping_add((i as i64).wrapping_mul(*stride)),
            None => return line.fill(outside(&array.border)),
        }
    }
    let count = line.len() as i64;
    let from = first.saturating_neg().clamp(0, count);
    let to = length.saturating_sub(first).clamp(from, count);
    // Elements `from` to `to` of the line are inside the array's row.
    let inside = usize::try_from(start.wrapping_add(first).wrapping_add(from)).ok();
    let inside = inside.and_then(|begin| array.values.get(begin..)?.get(..(to - from) as usize));
    let (before, rest) = line.split_at_mut(from as usize);
    let (within, after) = rest.split_at_mut((to - from) as usize);
    if let Some(inside) = inside {
        // Usually fewer elements than a warp has lanes: a loop is faster than a call of memcpy.
        for (to, from) in within.iter_mut().zip(inside) {
            *to = *from;
        }
    }
    if let Border::Constant(value) = array.border {
        before.fill(value);
        after.fill(value);
        return;
    }
    if let (Border::Clamp, Some(last)) = (array.border, length.checked_sub(1).filter(|last| *last >= 0)) {
        let element = |i: i64| usize::try_from(start.wrapping_add(i)).ok().and_then(|at| array.values.get(at)).copied();
        before.fill(element(0).unwrap_or_default());
        after.fill(element(last).unwrap_or_default());
        return;
    }
    let read = |i: i64| {
        let place = inner(i, length, &array.border).map(|i| start.wrapping_add(i as i64));
        let place = place.and_then(|place| usize::try_from(place).ok());
        place.and_then(|place| array.values.get(place)).copied().unwrap_or_default()
    };
    for (l, x) in before.iter_mut().enumerate() {
        *x = read(first.saturating_add(l as i64));
    }
    for (l, x) in after.iter_mut().enumerate() {
        *x = read(first.saturating_add(to).saturating_add(l as i64));
    }
}

/// Reads a row that is not entirely inside the array. In the usual case it begins inside the array and the border is a
/// constant; in an array with fewer columns than a vector has lanes, every row is like that.
#[inline]
fn read_row<W: Word>(array: &Packed<'_, W>, at: &[i64], width: usize, row: &mut [MaybeUninit<W>; LANES]) {
    row.fill(MaybeUninit::new(outside(&array.border)));
    // SAFETY: all elements are written.
    let row = unsafe { &mut *std::ptr::from_mut(row).cast::<[W; LANES]>() };
    match beginning(array, at, width) {
        Some(inside) => {
            // Usually few: a loop is faster than a call of memcpy.
            for (to, from) in row.iter_mut().zip(inside) {
                *to = *from;
            }
        }
        None => read_line(array, at, &mut row[..width.min(LANES)]),
    }
}

/// Returns the elements of a row that are inside the array, at most `width`, if the row begins inside it and the border is a
/// constant.
#[inline]
fn beginning<'a, W: Word>(array: &Packed<'a, W>, at: &[i64], width: usize) -> Option<&'a [W]> {
    let (mut cell, mut left) = (0, 0);
    for ((i, length), stride) in at.iter().zip(array.lengths).zip(array.strides) {
        // As unsigned numbers, negative indices are too large.
        if *i as u64 >= *length as u64 {
            return None;
        }
        cell += i * stride;
        left = length - i;
    }
    let (from, count) = (usize::try_from(cell).ok()?, width.min(usize::try_from(left).ok()?));
    let constant = matches!(array.border, Border::Constant(_));
    array.values.get(from..from + count).filter(|_| constant)
}

fn gather<W: Word>(array: &Packed<'_, W>, at: &[i64], lanes: &[&Offsets], first: usize, width: usize) -> [W; LANES] {
    let mut read = [W::default(); LANES];
    let width = width.min(LANES.saturating_sub(first));
    let axes = || at.iter().zip(lanes).zip(array.lengths);
    // If the lanes are consecutive along a row, read them as a line. Not if an index overflows 64 bits: each lane's index
    // then saturates on its own, below.
    let straight = |(k, lanes): (usize, &&Offsets)| lanes.step == Some(i64::from(k + 1 == at.len()));
    let fits = |i: &i64, lanes: &Offsets| i.checked_add(lanes.low).and(i.checked_add(lanes.high)).is_some();
    if lanes.iter().enumerate().all(straight) && axes().all(|((i, lanes), _)| fits(i, lanes)) {
        let mut line = [0; 8];
        if let Some(line) = line.get_mut(..at.len()) {
            for (i, ((at, lanes), _)) in line.iter_mut().zip(axes()) {
                *i = at.wrapping_add(lanes.of(first));
            }
            read_line(array, line, &mut read[..width]);
            return read;
        }
    }
    // Axis by axis, so that the indices of all lanes along an axis are computed together.
    let mut cells = [0i64; LANES];
    let mut missing: Mask = 0;
    for (((i, lanes), length), stride) in axes().zip(array.strides) {
        let inside = i.saturating_add(lanes.low) >= 0 && i.saturating_add(lanes.high) < *length;
        let table = lanes.table.iter().skip(first);
        for (l, (cell, lane)) in cells.iter_mut().zip(table).take(width).enumerate() {
            let i = i.saturating_add(*lane);
            let i = if inside {
                i
            } else {
                match inner(i, *length, &array.border) {
                    Some(i) => i as i64,
                    None => {
                        missing |= 1 << l;
                        0
                    }
                }
            };
            *cell = cell.wrapping_add(i.wrapping_mul(*stride));
        }
    }
    for (l, (read, cell)) in read.iter_mut().zip(cells).take(width).enumerate() {
        *read = if missing >> l & 1 == 1 {
            outside(&array.border)
        } else {
            usize::try_from(cell).ok().and_then(|cell| array.values.get(cell)).copied().unwrap_or_default()
        };
    }
    read
}

fn pack<W: Word>(array: &Strided<'_, W>, purpose: &'static str) -> Result<Vec<W>, Error> {
    // ndarray guarantees that each length, and the product of those that are not 0, is at most `isize::MAX`.
    let elements = array.lengths.iter().fold(1usize, |all, n| all.wrapping_mul(*n as usize));
    let mut values = Vec::new();
    let none = |_| Error::no_memory(purpose, elements as u128, size_of::<W>());
    values.try_reserve_exact(elements).map_err(none)?;
    // SAFETY: an element of the array, as the caller of `Strided::new` guarantees.
    array.each(|place| values.push(unsafe { place.read() }));
    Ok(values)
}

fn room<W: Word>(elements: u128, purpose: &'static str) -> Result<(Vec<W>, usize), Failure> {
    let (bytes, count) = (size_of::<W>(), usize::try_from(elements));
    if elements <= (SMALL / bytes) as u128 {
        // Too few elements for the alignment to be worth its cost.
        let values = count.ok().and_then(zeros::<W>).ok_or_else(|| Error::no_memory(purpose, elements, bytes))?;
        return Ok((values, 0));
    }
    let values = count.ok().and_then(|count| zeros::<W>(count.checked_add(LINE / bytes)?));
    let values = values.ok_or_else(|| Error::no_memory(purpose, elements, bytes))?;
    // In elements; fewer than a line has.
    let first = values.as_ptr().align_offset(LINE) % (LINE / bytes);
    Ok((values, first))
}

/// Converts words to the elements that they stand for, without a copy.
pub fn of_words<T: Element>(values: Vec<T::Word>) -> Vec<T> {
    let mut values = std::mem::ManuallyDrop::new(values);
    // SAFETY: an element has the size and alignment of its word, and the words come from elements or are zero, which is a
    // valid value of every element type.
    unsafe { Vec::from_raw_parts(values.as_mut_ptr().cast(), values.len(), values.capacity()) }
}

/// Casts one word per lane to the elements that they stand for.
///
/// # Safety
/// Their bits are valid values of `T`.
pub unsafe fn of_all_words<T: Element>(words: &[T::Word; LANES]) -> &[T; LANES] {
    // SAFETY: words and elements have the same size and alignment, and the caller guarantees that the bits are valid.
    unsafe { &*std::ptr::from_ref(words).cast() }
}

/// Writes the lengths and strides of a view. ndarray guarantees that a length is at most `isize::MAX`.
#[inline(never)]
pub fn axes(shape: &[usize], steps: &[isize], lengths: &mut [i64], strides: &mut [i64]) {
    for ((length, stride), (n, step)) in lengths.iter_mut().zip(strides).zip(shape.iter().zip(steps)) {
        (*length, *stride) = (*n as i64, *step as i64);
    }
}

/// Writes the lengths of an array and the strides that it has in standard layout, and returns whether `steps` are those.
#[inline(never)]
pub fn standard(shape: &[usize], steps: &[isize], lengths: &mut [i64], strides: &mut [i64]) -> bool {
    axes(shape, steps, lengths, strides);
    // ndarray guarantees that the product of the lengths that are not 0 is at most `isize::MAX`.
    let (mut step, mut is_standard) = (1i64, true);
    for (length, stride) in lengths.iter().zip(strides).rev() {
        is_standard &= *length < 2 || *stride == step;
        *stride = step;
        step = step.wrapping_mul(*length);
    }
    // An array without elements has every layout.
    is_standard || step == 0
}

/// Casts elements to words.
pub fn words<T: Element>(values: &[T]) -> &[T::Word] {
    // SAFETY: an element has the size and alignment of its word, and no uninitialised bytes.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// Converts a border to that of the array of words.
pub fn border<T: Element>(border: Border<T>) -> Border<T::Word> {
    match border {
        Border::Constant(value) => Border::Constant(word(value)),
        Border::Clamp => Border::Clamp,
        Border::Reflect => Border::Reflect,
        Border::Symmetric => Border::Symmetric,
        Border::Wrap => Border::Wrap,
    }
}

/// Converts an element to a word.
pub fn word<T: Element>(value: T) -> T::Word {
    const { assert!(size_of::<T>() == size_of::<T::Word>() && align_of::<T>() == align_of::<T::Word>()) };
    // SAFETY: both have the same size, and every bit pattern is a valid word.
    unsafe { std::mem::transmute_copy(&value) }
}

/// Converts a word to the element that it stands for. The word comes from an element of this type or is zero.
///
/// # Safety
/// The bits are a valid value of `T`.
pub unsafe fn of_word<T: Element>(word: T::Word) -> T {
    // SAFETY: both have the same size, as `word` asserts, and the caller guarantees that the bits are valid.
    unsafe { std::mem::transmute_copy(&word) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array3, ArrayView3, Axis, Slice};

    /// Views of an array of 2 × 3 × 4 elements in several layouts, each with its elements in order.
    fn views(array: &Array3<u16>) -> Vec<(ArrayView3<'_, u16>, Vec<u16>)> {
        let mut turned = array.view().permuted_axes([2, 0, 1]);
        turned.invert_axis(Axis(1));
        let apart = array.slice_axis(Axis(2), Slice::new(1, None, 2));
        let row = array.slice_axis(Axis(0), Slice::from(0..1));
        let all = [array.view(), turned, apart, row, array.slice_axis(Axis(1), Slice::from(2..2))];
        all.into_iter().map(|v| (v, v.iter().copied().collect())).collect()
    }

    fn array() -> Array3<u16> {
        Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (100 * i + 10 * j + k + 1) as u16)
    }

    #[test]
    fn elements_in_order() {
        let array = array();
        for (view, order) in views(&array) {
            let (mut lengths, mut strides) = ([0; 3], [0; 3]);
            axes(view.shape(), view.strides(), &mut lengths, &mut strides);
            // SAFETY: these are the elements of the view, and nothing is written to them.
            let all = unsafe { Strided::new(view.as_ptr().cast_mut(), &lengths, &strides) };
            assert_eq!(u16::pack(all, "a test").unwrap(), order);
            let mut found = [0; 3];
            let is_standard = standard(view.shape(), view.strides(), &mut found, &mut strides);
            assert_eq!((found, is_standard), (lengths, view.is_standard_layout()));
        }
    }

    #[test]
    fn elements_are_spread_as_they_stand() {
        let mut target = Array3::<u16>::zeros((4, 2, 3));
        let mut view = target.view_mut().permuted_axes([1, 2, 0]);
        view.invert_axis(Axis(2));
        let (mut lengths, mut strides) = ([0; 3], [0; 3]);
        axes(view.shape(), view.strides(), &mut lengths, &mut strides);
        // SAFETY: these are the elements of the view, which is borrowed exclusively.
        let all = unsafe { Strided::new(view.as_mut_ptr(), &lengths, &strides) };
        u16::spread(all, array().as_slice().unwrap());
        assert_eq!(view, array());
    }

    #[test]
    fn lanes_read_what_each_would_read() {
        let array = array();
        let (values, lengths) = (array.as_slice().unwrap(), [2, 3, 4]);
        let strides = [12, 4, 1];
        let bent = Offsets::new(std::array::from_fn(|l| (l as i64 * 5) % 7 - 2));
        let (line, still) = (Offsets::line(-3, 1), Offsets::line(0, 0));
        let far = Offsets::line(i64::MAX - 3, 1);
        let tables = [[&still, &still, &line], [&bent, &still, &line], [&still, &bent, &bent], [&line, &far, &still]];
        for border in [Border::Constant(9), Border::Clamp, Border::Reflect, Border::Symmetric, Border::Wrap] {
            let packed = Packed { values, lengths: &lengths, strides: &strides, border };
            for lanes in tables {
                for at in [[0, 0, 0], [1, 2, 3], [-1, 1, -5], [1, -9, 12], [i64::MAX, i64::MIN, 0]] {
                    for (first, width) in [(0, 32), (8, 8), (16, 16)] {
                        let read = u16::gather(packed, &at, &lanes, first, width);
                        for (l, read) in read.iter().enumerate().take(width) {
                            let index: [i64; 3] =
                                std::array::from_fn(|k| at[k].saturating_add(lanes[k].table[first + l]));
                            assert_eq!(*read, u16::read(packed, &index), "{border:?} at {index:?}");
                        }
                    }
                }
            }
        }
    }
}
