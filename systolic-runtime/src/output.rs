//! An output array during the computation.
#![allow(unsafe_code)]
use crate::alloc::product;
use crate::cpu::Element;
use crate::error::{Error, Failure};
use crate::words::{Strided, Word, axes, of_words, words};
use ndarray::{Array, Array1, ArrayViewMut, Axis, Dim, Dimension, Ix1, Slice};
use systolic_arith::{bf16, f16};

/// An output array during the computation.
#[derive(Clone, Debug)]
pub struct Output<T, const N: usize> {
    lengths: [usize; N],
    // The elements, starting at index `first`. A large output has room for one more cache line, so that `first` can be chosen
    // to begin a line.
    values: Vec<T>,
    first: usize,
    purpose: &'static str,
}

impl<T: Element, const N: usize> Output<T, N> {
    /// Allocates an output of zeros. Fails if there is not enough memory; `purpose` goes into the error.
    pub fn new(lengths: [usize; N], purpose: &'static str) -> Result<Output<T, N>, Failure> {
        let (words, first) = T::Word::room(&lengths, purpose)?;
        Ok(Output { lengths, values: of_words(words), first, purpose })
    }

    /// Allocates an output whose elements all have one value: what those hold that no point stores.
    pub fn with_rest(lengths: [usize; N], rest: T, purpose: &'static str) -> Result<Output<T, N>, Failure> {
        let mut output = Output::new(lengths, purpose)?;
        output.values.fill(rest);
        Ok(output)
    }

    /// Stores an element. The laws guarantee that every index is in bounds; one that is not is ignored.
    pub fn store(&mut self, index: [i64; N], value: T) {
        let (mut cell, mut k) = (0usize, 0);
        // No iterator, because every crate with a kernel would compile its code.
        while k < N {
            // As unsigned numbers, negative indices are too large.
            if index[k] as u64 >= self.lengths[k] as u64 {
                return;
            }
            // Stays below the number of values, so it does not overflow.
            cell = cell.wrapping_mul(self.lengths[k]).wrapping_add(index[k] as usize);
            k += 1;
        }
        if let Some(place) = self.values.get_mut(self.first + cell) {
            *place = value;
        }
    }

    /// [`store`](Output::store), not inlined: bodies with many of them compile faster.
    #[inline(never)]
    pub fn store_called(&mut self, index: [i64; N], value: T) {
        self.store(index, value);
    }

    /// Returns the array in standard layout. Unless it is small, its first element begins a cache line. Fails for an empty
    /// shape that `ndarray` cannot represent.
    pub fn finish(self) -> Result<Array<T, Dim<[usize; N]>>, Failure>
    where
        T: Shaped<N>,
        Dim<[usize; N]>: Dimension,
    {
        T::shaped(self.values, self.first, self.lengths, self.purpose)
    }
}

/// An element type, for arrays of `N` axes. The code that builds an array is long and generic, so it is compiled here, for all
/// element types and numbers of axes, and not in every crate that has a kernel.
pub trait Shaped<const N: usize>: Sized
where
    Dim<[usize; N]>: Dimension,
{
    /// Returns the array in standard layout whose first element is at index `first` of `values`. Fails for an empty shape that
    /// `ndarray` cannot represent.
    fn shaped(
        values: Vec<Self>,
        first: usize,
        lengths: [usize; N],
        purpose: &'static str,
    ) -> Result<Array<Self, Dim<[usize; N]>>, Failure>;
}

macro_rules! shaped {
    ($($type:ident)+: $axes:tt) => { $(shaped!(@ $type $axes);)+ };
    (@ $type:ident [$($axes:literal)+]) => {
        $(impl Shaped<$axes> for $type {
            fn shaped(
                values: Vec<Self>,
                first: usize,
                lengths: [usize; $axes],
                purpose: &'static str,
            ) -> Result<Array<Self, Dim<[usize; $axes]>>, Failure> {
                let elements = lengths.iter().fold(1usize, |all, n| all.wrapping_mul(*n));
                if values.len() == elements && elements > 0 {
                    // SAFETY: there are as many values as the product of the lengths, which is not 0, so ndarray can
                    // represent it.
                    return Ok(unsafe { Array::from_shape_vec_unchecked(lengths, values) });
                }
                let mut values = Array1::from_vec(values);
                values.slice_axis_inplace(Axis(0), Slice::from(first..first + elements));
                // ndarray rejects an array without elements if the product of its other lengths is too large.
                values.into_shape_with_order(lengths).map_err(|_| none(&lengths, purpose, size_of::<Self>()).into())
            }
        })+
    };
}

shaped! { f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool: [1 2 3 4] }

#[cold]
#[inline(never)]
fn none(lengths: &[usize], purpose: &'static str, bytes: usize) -> Error {
    let elements = product(lengths.iter().filter(|n| **n != 0).map(|n| *n as u128));
    Error::no_memory(purpose, elements, bytes)
}

/// An output that is a scalar, as an array of one element.
pub fn one_element<T>(scalar: &mut T) -> ArrayViewMut<'_, T, Ix1> {
    ArrayViewMut::from(std::slice::from_mut(scalar))
}

/// The element of an output that is a scalar.
pub fn only_element<T: Copy + Default>(array: &Array<T, Ix1>) -> T {
    array.first().copied().unwrap_or_default()
}

/// Stores an output that is a scalar.
pub fn put_element<T: Copy>(value: T, mut array: ArrayViewMut<'_, T, Ix1>) {
    array.fill(value);
}

/// Sets all elements of an output to one value: what those hold that no point stores.
pub fn fill<T: Element, const N: usize>(array: &mut ArrayViewMut<'_, T, Dim<[usize; N]>>, rest: T)
where
    Dim<[usize; N]>: Dimension,
{
    array.fill(rest);
}

/// Copies an array returned by [`Output::finish`] into one of the same shape.
pub fn copy_into<T: Element, const N: usize>(
    from: Array<T, Dim<[usize; N]>>,
    mut array: ArrayViewMut<'_, T, Dim<[usize; N]>>,
) where
    Dim<[usize; N]>: Dimension,
{
    let (mut lengths, mut strides) = ([0; N], [0; N]);
    axes(array.shape(), array.strides(), &mut lengths, &mut strides);
    // SAFETY: these are the elements of the array, which is borrowed exclusively.
    let place = unsafe { Strided::new(array.as_mut_ptr().cast(), &lengths, &strides) };
    // `finish` returns standard layout, so there is a slice.
    T::Word::spread(place, from.as_slice().map_or(&[], words));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{LINE, SMALL};
    use ndarray::array;

    #[test]
    fn stores_stand_where_they_were_put() {
        let mut output = Output::new([2, 2], "a test").unwrap();
        output.store([0, 1], 5);
        output.store([1, 0], 7);
        output.store([2, 0], 9);
        output.store([0, -1], 9);
        assert_eq!(output.finish().unwrap(), array![[0, 5], [7, 0]]);
    }

    #[test]
    fn the_rest_is_where_nothing_was_stored() {
        let mut output = Output::with_rest([2, 2], 7u8, "a test").unwrap();
        output.store([0, 1], 5);
        let mut array = output.finish().unwrap();
        assert_eq!(array, array![[7, 5], [7, 7]]);
        fill(&mut array.slice_mut(ndarray::s![.., 1..]), 9);
        assert_eq!(array, array![[7, 9], [7, 9]]);
    }

    #[test]
    fn arrays_begin_on_cache_lines_in_standard_layout() {
        // Other allocations in between, so that arrays start at different addresses.
        let mut others = Vec::new();
        for n in 1..200 {
            let mut output = Output::<u16, 2>::new([n, 3], "a test").unwrap();
            output.store([n as i64 - 1, 2], 9);
            let array = output.finish().unwrap();
            assert!(6 * n <= SMALL || array.as_ptr().addr().is_multiple_of(LINE));
            assert!(array.is_standard_layout());
            assert_eq!((array.len(), array[[n - 1, 2]], array.sum()), (3 * n, 9, 9));
            others.push((vec![0u8; n], array));
        }
    }

    #[test]
    fn empty_and_impossible_shapes() {
        assert_eq!(Output::<f32, 2>::new([0, 3], "a test").unwrap().finish().unwrap().shape(), [0, 3]);
        assert!(Output::<f32, 2>::new([usize::MAX, 2], "a test").is_err());
        assert!(Output::<f32, 3>::new([0, usize::MAX, 2], "a test").unwrap().finish().is_err());
    }
}
