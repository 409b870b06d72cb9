//! What `launch` takes for an array: a device array, or what holds one. A parameter of the array's own type would accept a
//! reference to anything that holds one, but an error about it would not name the parameter ([`crate::asked`]).
use super::array::DeviceArray;
use ndarray::{Dim, Dimension};
use std::cell::{Ref, RefMut};
use std::rc::Rc;
use std::sync::{Arc, MutexGuard, RwLockReadGuard, RwLockWriteGuard};

/// An array that a kernel reads. Only one implementation fits a `DeviceArray` whose types are not known yet, so rustc infers
/// them from the kernel.
pub trait DeviceArgument<T, const N: usize>
where
    Dim<[usize; N]>: Dimension,
{
    /// The array.
    fn array(&self) -> &DeviceArray<T, Dim<[usize; N]>>;
}

/// An array that a kernel writes.
pub trait DeviceDestination<T, const N: usize>
where
    Dim<[usize; N]>: Dimension,
{
    /// The array.
    fn array(&mut self) -> &mut DeviceArray<T, Dim<[usize; N]>>;
}

impl<T, const N: usize> DeviceArgument<T, N> for DeviceArray<T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    fn array(&self) -> &DeviceArray<T, Dim<[usize; N]>> {
        self
    }
}

impl<T, const N: usize> DeviceDestination<T, N> for DeviceArray<T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    fn array(&mut self) -> &mut DeviceArray<T, Dim<[usize; N]>> {
        self
    }
}

macro_rules! read {
    ($($holder:ty)+) => {
        $(impl<T, const N: usize, A: DeviceArgument<T, N>> DeviceArgument<T, N> for $holder
        where
            Dim<[usize; N]>: Dimension,
        {
            fn array(&self) -> &DeviceArray<T, Dim<[usize; N]>> {
                (**self).array()
            }
        })+
    };
}

macro_rules! written {
    ($($holder:ty)+) => {
        $(impl<T, const N: usize, A: DeviceDestination<T, N>> DeviceDestination<T, N> for $holder
        where
            Dim<[usize; N]>: Dimension,
        {
            fn array(&mut self) -> &mut DeviceArray<T, Dim<[usize; N]>> {
                (**self).array()
            }
        })+
    };
}

read!(&A &mut A Box<A> Rc<A> Arc<A> Ref<'_, A> RefMut<'_, A> MutexGuard<'_, A> RwLockReadGuard<'_, A> RwLockWriteGuard<'_, A>);
written!(&mut A Box<A> RefMut<'_, A> MutexGuard<'_, A> RwLockWriteGuard<'_, A>);
