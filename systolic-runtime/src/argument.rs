//! The types that a call accepts for an array: arrays and views of `ndarray`, slices and vectors in one dimension, slices of
//! rows in two, and slices with a shape in any number of dimensions.
//!
//! Emitted code uses the traits of [`crate::asked`], which name the parameter in rustc's messages and are implemented for
//! everything that implements a trait here. So rustc never shows the traits of this module.
#![allow(unsafe_code)]
use crate::error::Error;
use crate::flat::{Flat, FlatMut};
use ndarray::{
    ArrayBase, ArrayRef, ArrayView, ArrayViewMut, Data, DataMut, Dim, Dimension, IntoDimension, aview_mut1, aview1,
};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// An argument for an array parameter of `N` dimensions.
pub trait Argument<'a, T, const N: usize>: Sized
where
    Dim<[usize; N]>: Dimension,
{
    /// Returns a view of the array. Fails, naming the parameter, if a slice does not have as many elements as its shape.
    fn argument(self, parameter: &'static str) -> Result<ArrayView<'a, T, Dim<[usize; N]>>, Error>;
}

/// An argument for an output of `N` dimensions.
pub trait Destination<'a, T, const N: usize>: Sized
where
    Dim<[usize; N]>: Dimension,
{
    /// Returns a view of the array. Fails, naming the output, if a slice does not have as many elements as its shape.
    fn destination(self, output: &'static str) -> Result<ArrayViewMut<'a, T, Dim<[usize; N]>>, Error>;
}

/// A type that may be passed by reference as an argument.
pub trait Source<T, const N: usize>
where
    Dim<[usize; N]>: Dimension,
{
    /// Returns a view of all elements.
    fn source(&self) -> ArrayView<'_, T, Dim<[usize; N]>>;
}

/// A type that may be passed by mutable reference for an output.
pub trait SourceMut<T, const N: usize>
where
    Dim<[usize; N]>: Dimension,
{
    /// Returns a mutable view of all elements.
    fn source_mut(&mut self) -> ArrayViewMut<'_, T, Dim<[usize; N]>>;
}

impl<'a, T, const N: usize, S: Source<T, N> + ?Sized> Argument<'a, T, N> for &'a S
where
    Dim<[usize; N]>: Dimension,
{
    #[inline]
    fn argument(self, _: &'static str) -> Result<ArrayView<'a, T, Dim<[usize; N]>>, Error> {
        Ok(self.source())
    }
}

impl<'a, T, const N: usize> Argument<'a, T, N> for ArrayView<'a, T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    #[inline]
    fn argument(self, _: &'static str) -> Result<Self, Error> {
        Ok(self)
    }
}

/// A slice with a shape: `(&x, [rows, columns])` or `(&x, (rows, columns))`.
impl<'a, T, const N: usize, S: Flat<T> + ?Sized, I> Argument<'a, T, N> for (&'a S, I)
where
    Dim<[usize; N]>: Dimension,
    I: IntoDimension<Dim = Dim<[usize; N]>>,
{
    // Always: a result that is returned through memory would be waited for.
    #[cfg_attr(optimised, inline(always))]
    fn argument(self, parameter: &'static str) -> Result<ArrayView<'a, T, Dim<[usize; N]>>, Error> {
        let (elements, shape) = (self.0.flat(), self.1.into_dimension());
        let misfit = misfit(parameter, shape.slice(), elements.len());
        if shape.size_checked() != Some(elements.len()) {
            return Err(misfit());
        }
        if elements.is_empty() {
            return ArrayView::from_shape(shape, elements).map_err(|_| misfit());
        }
        // SAFETY: there are as many elements as the product of the lengths, and no length is 0, so the product of any of them
        // is not larger.
        Ok(unsafe { ArrayView::from_shape_ptr(shape, elements.as_ptr()) })
    }
}

impl<'a, T, const N: usize, S: SourceMut<T, N> + ?Sized> Destination<'a, T, N> for &'a mut S
where
    Dim<[usize; N]>: Dimension,
{
    #[inline]
    fn destination(self, _: &'static str) -> Result<ArrayViewMut<'a, T, Dim<[usize; N]>>, Error> {
        Ok(self.source_mut())
    }
}

impl<'a, T, const N: usize> Destination<'a, T, N> for ArrayViewMut<'a, T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    #[inline]
    fn destination(self, _: &'static str) -> Result<Self, Error> {
        Ok(self)
    }
}

/// A slice with a shape: `(&mut y, [rows, columns])` or `(&mut y, (rows, columns))`.
impl<'a, T, const N: usize, S: FlatMut<T> + ?Sized, I> Destination<'a, T, N> for (&'a mut S, I)
where
    Dim<[usize; N]>: Dimension,
    I: IntoDimension<Dim = Dim<[usize; N]>>,
{
    #[cfg_attr(optimised, inline(always))]
    fn destination(self, output: &'static str) -> Result<ArrayViewMut<'a, T, Dim<[usize; N]>>, Error> {
        let (elements, shape) = (self.0.flat_mut(), self.1.into_dimension());
        let misfit = misfit(output, shape.slice(), elements.len());
        if shape.size_checked() != Some(elements.len()) {
            return Err(misfit());
        }
        if elements.is_empty() {
            return ArrayViewMut::from_shape(shape, elements).map_err(|_| misfit());
        }
        // SAFETY: as for an argument; the elements are borrowed exclusively.
        Ok(unsafe { ArrayViewMut::from_shape_ptr(shape, elements.as_mut_ptr()) })
    }
}

/// The error for a slice that does not have as many elements as its shape. It is also the error for a shape with a zero
/// length that `ndarray` cannot represent because the product of the other lengths overflows.
pub(crate) fn misfit(parameter: &'static str, shape: &[usize], got: usize) -> impl Fn() -> Error {
    move || Error::Elements { parameter, shape: shape.to_vec(), got }
}

impl<T> Source<T, 1> for [T] {
    #[inline]
    fn source(&self) -> ArrayView<'_, T, Dim<[usize; 1]>> {
        aview1(self)
    }
}

impl<T, const K: usize> Source<T, 1> for [T; K] {
    #[inline]
    fn source(&self) -> ArrayView<'_, T, Dim<[usize; 1]>> {
        aview1(self)
    }
}

impl<T> Source<T, 1> for Vec<T> {
    #[inline]
    fn source(&self) -> ArrayView<'_, T, Dim<[usize; 1]>> {
        aview1(self)
    }
}

impl<T: Clone> Source<T, 1> for Cow<'_, [T]> {
    #[inline]
    fn source(&self) -> ArrayView<'_, T, Dim<[usize; 1]>> {
        aview1(self)
    }
}

impl<T, const K: usize> Source<T, 2> for [[T; K]] {
    #[inline]
    fn source(&self) -> ArrayView<'_, T, Dim<[usize; 2]>> {
        self.into()
    }
}

impl<T, const K: usize, const L: usize> Source<T, 2> for [[T; K]; L] {
    #[inline]
    fn source(&self) -> ArrayView<'_, T, Dim<[usize; 2]>> {
        self.into()
    }
}

impl<T, const K: usize> Source<T, 2> for Vec<[T; K]> {
    #[inline]
    fn source(&self) -> ArrayView<'_, T, Dim<[usize; 2]>> {
        self.as_slice().into()
    }
}

impl<T, const N: usize, S: Data<Elem = T>> Source<T, N> for ArrayBase<S, Dim<[usize; N]>, T>
where
    Dim<[usize; N]>: Dimension,
{
    #[inline]
    fn source(&self) -> ArrayView<'_, T, Dim<[usize; N]>> {
        self.view()
    }
}

impl<T, const N: usize> Source<T, N> for ArrayRef<T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    #[inline]
    fn source(&self) -> ArrayView<'_, T, Dim<[usize; N]>> {
        self.view()
    }
}

/// Pointers to a type that may be passed as an argument.
macro_rules! through {
    ($($pointer:ty),+) => {
        $(impl<T, const N: usize, S: Source<T, N> + ?Sized> Source<T, N> for $pointer
        where
            Dim<[usize; N]>: Dimension,
        {
            #[inline]
            fn source(&self) -> ArrayView<'_, T, Dim<[usize; N]>> {
                (**self).source()
            }
        })+
    };
}

through!(&S, &mut S, Box<S>, Rc<S>, Arc<S>);

impl<T> SourceMut<T, 1> for [T] {
    #[inline]
    fn source_mut(&mut self) -> ArrayViewMut<'_, T, Dim<[usize; 1]>> {
        aview_mut1(self)
    }
}

impl<T, const K: usize> SourceMut<T, 1> for [T; K] {
    #[inline]
    fn source_mut(&mut self) -> ArrayViewMut<'_, T, Dim<[usize; 1]>> {
        aview_mut1(self)
    }
}

impl<T> SourceMut<T, 1> for Vec<T> {
    #[inline]
    fn source_mut(&mut self) -> ArrayViewMut<'_, T, Dim<[usize; 1]>> {
        aview_mut1(self)
    }
}

impl<T, const K: usize> SourceMut<T, 2> for [[T; K]] {
    #[inline]
    fn source_mut(&mut self) -> ArrayViewMut<'_, T, Dim<[usize; 2]>> {
        self.into()
    }
}

impl<T, const K: usize, const L: usize> SourceMut<T, 2> for [[T; K]; L] {
    #[inline]
    fn source_mut(&mut self) -> ArrayViewMut<'_, T, Dim<[usize; 2]>> {
        self.into()
    }
}

impl<T, const K: usize> SourceMut<T, 2> for Vec<[T; K]> {
    #[inline]
    fn source_mut(&mut self) -> ArrayViewMut<'_, T, Dim<[usize; 2]>> {
        self.as_mut_slice().into()
    }
}

impl<T, const N: usize, S: DataMut<Elem = T>> SourceMut<T, N> for ArrayBase<S, Dim<[usize; N]>, T>
where
    Dim<[usize; N]>: Dimension,
{
    #[inline]
    fn source_mut(&mut self) -> ArrayViewMut<'_, T, Dim<[usize; N]>> {
        self.view_mut()
    }
}

impl<T, const N: usize> SourceMut<T, N> for ArrayRef<T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    #[inline]
    fn source_mut(&mut self) -> ArrayViewMut<'_, T, Dim<[usize; N]>> {
        self.view_mut()
    }
}

macro_rules! through_mut {
    ($($pointer:ty),+) => {
        $(impl<T, const N: usize, S: SourceMut<T, N> + ?Sized> SourceMut<T, N> for $pointer
        where
            Dim<[usize; N]>: Dimension,
        {
            #[inline]
            fn source_mut(&mut self) -> ArrayViewMut<'_, T, Dim<[usize; N]>> {
                (**self).source_mut()
            }
        })+
    };
}

through_mut!(&mut S, Box<S>);

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, Array3, array};

    fn taken<'a, const N: usize>(
        argument: impl Argument<'a, i32, N>,
    ) -> Result<ArrayView<'a, i32, Dim<[usize; N]>>, Error>
    where
        Dim<[usize; N]>: Dimension,
    {
        argument.argument("x")
    }

    fn given<'a, const N: usize>(
        argument: impl Destination<'a, i32, N>,
    ) -> Result<ArrayViewMut<'a, i32, Dim<[usize; N]>>, Error>
    where
        Dim<[usize; N]>: Dimension,
    {
        argument.destination("y")
    }

    #[test]
    fn slices_have_the_shape_that_stands_beside_them() {
        let list = vec![1, 2, 3, 4, 5, 6];
        let wanted = array![[1, 2, 3], [4, 5, 6]];
        assert_eq!(taken::<2>((&list, [2, 3])).unwrap(), wanted);
        assert_eq!(taken::<2>((&list[..], (2, 3))).unwrap(), wanted);
        assert_eq!(taken::<2>((&[1, 2, 3, 4, 5, 6], [2, 3])).unwrap(), wanted);
        assert_eq!(taken::<2>((&list.clone().into_boxed_slice(), [2, 3])).unwrap(), wanted);
        assert_eq!(taken::<2>((&&list, [2, 3])).unwrap(), wanted);
        assert_eq!(taken::<1>((&list, [6])).unwrap(), array![1, 2, 3, 4, 5, 6]);
        assert_eq!(taken::<3>((&list, [1, 2, 3])).unwrap().shape(), [1, 2, 3]);
        assert_eq!(taken::<4>((&list, (1, 2, 3, 1))).unwrap().shape(), [1, 2, 3, 1]);
    }

    #[test]
    fn a_shape_of_other_elements_is_an_error_that_names_the_parameter() {
        let list = [1, 2, 3, 4, 5];
        let misfit = |shape: &[usize]| Error::Elements { parameter: "x", shape: shape.to_vec(), got: 5 };
        assert_eq!(taken::<2>((&list, [2, 3])).unwrap_err(), misfit(&[2, 3]));
        assert_eq!(taken::<2>((&list, [2, 2])).unwrap_err(), misfit(&[2, 2]));
        assert_eq!(taken::<2>((&list, [0, 5])).unwrap_err(), misfit(&[0, 5]));
        // The product wraps around to 5, or is larger than any array.
        assert_eq!(taken::<2>((&list, [5, usize::MAX / 5 + 2])).unwrap_err(), misfit(&[5, usize::MAX / 5 + 2]));
        assert_eq!(taken::<2>((&list, [usize::MAX; 2])).unwrap_err(), misfit(&[usize::MAX; 2]));
        let nothing: [i32; 0] = [];
        assert_eq!(taken::<2>((&nothing, [0, 7])).unwrap().shape(), [0, 7]);
        assert!(taken::<3>((&nothing, [0, usize::MAX, 2])).is_err());
        assert!(given::<3>((&mut [0; 0], [0, usize::MAX, 2])).is_err());
        let error = given::<2>((&mut [0; 5], [2, 3])).unwrap_err();
        assert_eq!(error, Error::Elements { parameter: "y", shape: vec![2, 3], got: 5 });
    }

    #[test]
    fn outputs_are_written_where_they_lie() {
        let mut list = vec![0; 6];
        given::<2>((&mut list, [2, 3])).unwrap()[[1, 0]] = 7;
        given::<2>((&mut list[..], (3, 2))).unwrap()[[0, 1]] = 8;
        given::<1>(&mut list).unwrap()[5] = 9;
        assert_eq!(list, [0, 8, 0, 7, 0, 9]);
        let mut rows = [[0; 2]; 2];
        given::<2>(&mut rows).unwrap()[[1, 1]] = 3;
        assert_eq!(rows, [[0, 0], [0, 3]]);
        let mut owned = Array2::zeros((2, 2));
        given::<2>(&mut owned).unwrap()[[0, 0]] = 4;
        given::<2>(owned.view_mut()).unwrap()[[0, 1]] = 5;
        assert_eq!(owned, array![[4, 5], [0, 0]]);
    }

    #[test]
    fn arrays_and_what_leads_to_them() {
        let cube = Array3::from_elem((2, 3, 4), 1);
        assert_eq!(taken::<3>(&cube).unwrap(), cube);
        assert_eq!(taken::<3>(cube.view()).unwrap(), cube);
        assert_eq!(taken::<3>(&Arc::new(cube.clone())).unwrap(), cube);
        assert_eq!(taken::<3>(&cube.to_shared()).unwrap(), cube);
        assert_eq!(taken::<2>(&vec![[1, 2], [3, 4]]).unwrap(), array![[1, 2], [3, 4]]);
        assert_eq!(taken::<1>(&Cow::Borrowed(&[1, 2][..])).unwrap(), array![1, 2]);
        assert_eq!(taken::<1>(&Rc::new([1, 2])).unwrap(), array![1, 2]);
    }
}
