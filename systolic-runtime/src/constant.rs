//! The types that a call accepts for a `const` parameter: nested arrays, whose lengths rustc checks, and slices, vectors and
//! arrays of `ndarray`, whose lengths the call checks.
use crate::argument::misfit;
use crate::error::{Error, Expected};
use crate::flat::Flat;
use ndarray::{ArrayBase, ArrayRef, ArrayView, Data, Dim, Dimension, IntoDimension};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

/// A nested array of `N` dimensions: `[[T; 3]; 2]`.
pub trait Nested<T, const N: usize>: Sized {
    /// Its lengths, the outermost first.
    const LENGTHS: [usize; N];

    /// Returns an array filled in row-major order; missing values are zero.
    fn filled(values: &mut dyn Iterator<Item = T>) -> Self;
}

/// An argument for a `const` parameter, which is a `W`.
pub trait Constant<'a, T, const N: usize, W>: Sized {
    /// Returns the values, borrowed if they already have the layout of `W`. Fails, naming the parameter, if the shape is not
    /// that of `W`.
    fn constant(self, parameter: &'static str) -> Result<Held<'a, W>, Error>;
}

/// The values of a `const` parameter.
#[derive(Debug)]
pub enum Held<'a, W> {
    /// The caller's own values.
    Borrowed(&'a W),
    /// A copy, because the caller's values have another layout.
    Owned(W),
}

impl<W> Deref for Held<'_, W> {
    type Target = W;

    #[inline]
    fn deref(&self) -> &W {
        match self {
            Held::Borrowed(values) => values,
            Held::Owned(values) => values,
        }
    }
}

/// A type that may be passed by reference for a `const` parameter.
pub trait Values<T, const N: usize, W> {
    /// Returns the values. Fails, naming the parameter, if the shape is not that of `W`.
    fn values(&self, parameter: &'static str) -> Result<Held<'_, W>, Error>;
}

impl<'a, T, const N: usize, W, S: Values<T, N, W> + ?Sized> Constant<'a, T, N, W> for &'a S {
    #[inline]
    fn constant(self, parameter: &'static str) -> Result<Held<'a, W>, Error> {
        self.values(parameter)
    }
}

impl<'a, T: Copy, const N: usize, W: Nested<T, N>> Constant<'a, T, N, W> for ArrayView<'a, T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    fn constant(self, parameter: &'static str) -> Result<Held<'a, W>, Error> {
        copied(&self, parameter).map(Held::Owned)
    }
}

/// A slice with a shape: `(&w, [rows, columns])`.
impl<'a, T: Copy, const N: usize, W: Nested<T, N>, S: Flat<T> + ?Sized, I> Constant<'a, T, N, W> for (&'a S, I)
where
    Dim<[usize; N]>: Dimension,
    I: IntoDimension<Dim = Dim<[usize; N]>>,
{
    fn constant(self, parameter: &'static str) -> Result<Held<'a, W>, Error> {
        let (elements, shape) = (self.0.flat(), self.1.into_dimension());
        if shape.size_checked() != Some(elements.len()) {
            return Err(misfit(parameter, shape.slice(), elements.len())());
        }
        check::<T, N, W>(parameter, shape.slice())?;
        Ok(Held::Owned(W::filled(&mut elements.iter().copied())))
    }
}

/// Fails unless the shape is that of the `const` parameter.
fn check<T, const N: usize, W: Nested<T, N>>(parameter: &'static str, got: &[usize]) -> Result<(), Error> {
    if got == W::LENGTHS {
        return Ok(());
    }
    let dimensions = W::LENGTHS.iter().map(ToString::to_string).collect();
    let expected = Expected { dimensions, lengths: W::LENGTHS.to_vec(), sizes: Vec::new() };
    Err(Error::Shape { parameter, expected: Box::new(expected), got: got.to_vec() })
}

fn copied<T: Copy, const N: usize, W: Nested<T, N>>(
    array: &ArrayRef<T, Dim<[usize; N]>>,
    parameter: &'static str,
) -> Result<W, Error>
where
    Dim<[usize; N]>: Dimension,
{
    check::<T, N, W>(parameter, array.shape())?;
    Ok(W::filled(&mut array.iter().copied()))
}

/// Nested arrays of each number of dimensions, borrowed without a copy.
macro_rules! nested {
    ($($rank:literal: $nested:ty, [$($length:ident),+], $values:ident => $filled:expr;)+) => {
        $(impl<T: Copy + Default, $(const $length: usize),+> Nested<T, $rank> for $nested {
            const LENGTHS: [usize; $rank] = [$($length),+];

            fn filled($values: &mut dyn Iterator<Item = T>) -> Self {
                $filled
            }
        }

        impl<T, $(const $length: usize),+> Values<T, $rank, $nested> for $nested {
            #[inline]
            fn values(&self, _: &'static str) -> Result<Held<'_, Self>, Error> {
                Ok(Held::Borrowed(self))
            }
        })+
    };
}

nested! {
    1: [T; A], [A], values => std::array::from_fn(|_| values.next().unwrap_or_default());
    2: [[T; B]; A], [A, B], values => std::array::from_fn(|_| Nested::filled(values));
    3: [[[T; C]; B]; A], [A, B, C], values => std::array::from_fn(|_| Nested::filled(values));
    4: [[[[T; D]; C]; B]; A], [A, B, C, D], values => std::array::from_fn(|_| Nested::filled(values));
}

/// A slice of elements or of rows, borrowed without a copy if its length is right.
impl<T, R, const N: usize, const K: usize> Values<T, N, [R; K]> for [R]
where
    [R; K]: Nested<T, N>,
{
    #[inline]
    fn values(&self, parameter: &'static str) -> Result<Held<'_, [R; K]>, Error> {
        match self.try_into() {
            Ok(values) => Ok(Held::Borrowed(values)),
            Err(_) => {
                let mut got = <[R; K] as Nested<T, N>>::LENGTHS;
                got.iter_mut().take(1).for_each(|first| *first = self.len());
                check::<T, N, [R; K]>(parameter, &got)?;
                // Not reached: the conversion failed, so the lengths differ and `check` has returned an error.
                Err(misfit(parameter, &got, self.len())())
            }
        }
    }
}

impl<T, R, const N: usize, W> Values<T, N, W> for Vec<R>
where
    [R]: Values<T, N, W>,
{
    #[inline]
    fn values(&self, parameter: &'static str) -> Result<Held<'_, W>, Error> {
        self.as_slice().values(parameter)
    }
}

impl<T: Copy, const N: usize, W: Nested<T, N>, S: Data<Elem = T>> Values<T, N, W> for ArrayBase<S, Dim<[usize; N]>, T>
where
    Dim<[usize; N]>: Dimension,
{
    fn values(&self, parameter: &'static str) -> Result<Held<'_, W>, Error> {
        copied(self, parameter).map(Held::Owned)
    }
}

impl<T: Copy, const N: usize, W: Nested<T, N>> Values<T, N, W> for ArrayRef<T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    fn values(&self, parameter: &'static str) -> Result<Held<'_, W>, Error> {
        copied(self, parameter).map(Held::Owned)
    }
}

/// Pointers to a type that may be passed as an argument.
macro_rules! through {
    ($($pointer:ty),+) => {
        $(impl<T, const N: usize, W, S: Values<T, N, W> + ?Sized> Values<T, N, W> for $pointer {
            #[inline]
            fn values(&self, parameter: &'static str) -> Result<Held<'_, W>, Error> {
                (**self).values(parameter)
            }
        })+
    };
}

through!(&S, &mut S, Box<S>, Rc<S>, Arc<S>);

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};

    type Rows = [[i32; 3]; 2];
    const ROWS: Rows = [[1, 2, 3], [4, 5, 6]];

    fn rows<'a>(argument: impl Constant<'a, i32, 2, Rows>) -> Result<Held<'a, Rows>, Error> {
        argument.constant("w")
    }

    fn line<'a>(argument: impl Constant<'a, i32, 1, [i32; 3]>) -> Result<Held<'a, [i32; 3]>, Error> {
        argument.constant("w")
    }

    #[test]
    fn all_dresses_hold_the_same_values() {
        assert!(matches!(rows(&ROWS).unwrap(), Held::Borrowed(&ROWS)));
        assert!(matches!(rows(&ROWS[..]).unwrap(), Held::Borrowed(&ROWS)));
        assert_eq!(*rows(&ROWS.to_vec()).unwrap(), ROWS);
        assert_eq!(*rows(&Box::new(ROWS)).unwrap(), ROWS);
        assert_eq!(*rows(&array![[1, 2, 3], [4, 5, 6]]).unwrap(), ROWS);
        // Column-major in memory.
        assert_eq!(*rows(array![[1, 4], [2, 5], [3, 6]].t()).unwrap(), ROWS);
        assert_eq!(*rows((&[1, 2, 3, 4, 5, 6], [2, 3])).unwrap(), ROWS);
        assert_eq!(*rows((&vec![1, 2, 3, 4, 5, 6], (2, 3))).unwrap(), ROWS);
        assert_eq!(*line(&[1, 2, 3]).unwrap(), [1, 2, 3]);
        assert_eq!(*line(&vec![1, 2, 3]).unwrap(), [1, 2, 3]);
        assert_eq!(*line(&array![1, 2, 3]).unwrap(), [1, 2, 3]);
    }

    #[test]
    fn another_shape_is_an_error_that_names_the_parameter() {
        let says = |error: Error, text: &str| assert_eq!(error.to_string(), text);
        says(line(&vec![1, 2]).unwrap_err(), "`w`: expected [3], got [2]");
        says(line(&[1, 2, 3, 4][..]).unwrap_err(), "`w`: expected [3], got [4]");
        says(line(&array![1]).unwrap_err(), "`w`: expected [3], got [1]");
        says(rows(&ROWS[..1]).unwrap_err(), "`w`: expected [2, 3], got [1, 3]");
        says(rows(&Array2::zeros((3, 2))).unwrap_err(), "`w`: expected [2, 3], got [3, 2]");
        says(rows((&[1, 2, 3, 4, 5, 6], [3, 2])).unwrap_err(), "`w`: expected [2, 3], got [3, 2]");
        says(rows((&[1, 2, 3, 4, 5], [2, 3])).unwrap_err(), "`w`: expected 6 elements for the shape [2, 3], got 5");
    }

    #[test]
    fn four_dimensions_are_filled_by_rows() {
        let mut numbers = 0..;
        let w: [[[[i32; 2]; 1]; 2]; 2] = Nested::filled(&mut numbers);
        assert_eq!(w, [[[[0, 1]], [[2, 3]]], [[[4, 5]], [[6, 7]]]]);
        assert_eq!(<[[[[i32; 2]; 1]; 2]; 3] as Nested<i32, 4>>::LENGTHS, [3, 2, 1, 2]);
    }
}
