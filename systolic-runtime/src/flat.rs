//! Contiguous elements, which are passed together with a shape.
use std::rc::Rc;
use std::sync::Arc;

/// A slice, or a type that holds or points to one.
pub trait Flat<T> {
    /// Returns the elements.
    fn flat(&self) -> &[T];
}

/// A mutable slice, or a type that holds or points to one.
pub trait FlatMut<T> {
    /// Returns the elements.
    fn flat_mut(&mut self) -> &mut [T];
}

impl<T> Flat<T> for [T] {
    #[inline]
    fn flat(&self) -> &[T] {
        self
    }
}

impl<T, const K: usize> Flat<T> for [T; K] {
    #[inline]
    fn flat(&self) -> &[T] {
        self
    }
}

impl<T> Flat<T> for Vec<T> {
    #[inline]
    fn flat(&self) -> &[T] {
        self
    }
}

macro_rules! through {
    ($($pointer:ty),+) => {
        $(impl<T, S: Flat<T> + ?Sized> Flat<T> for $pointer {
            #[inline]
            fn flat(&self) -> &[T] {
                (**self).flat()
            }
        })+
    };
}

through!(&S, &mut S, Box<S>, Rc<S>, Arc<S>);

impl<T> FlatMut<T> for [T] {
    #[inline]
    fn flat_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T, const K: usize> FlatMut<T> for [T; K] {
    #[inline]
    fn flat_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T> FlatMut<T> for Vec<T> {
    #[inline]
    fn flat_mut(&mut self) -> &mut [T] {
        self
    }
}

macro_rules! through_mut {
    ($($pointer:ty),+) => {
        $(impl<T, S: FlatMut<T> + ?Sized> FlatMut<T> for $pointer {
            #[inline]
            fn flat_mut(&mut self) -> &mut [T] {
                (**self).flat_mut()
            }
        })+
    };
}

through_mut!(&mut S, Box<S>);
