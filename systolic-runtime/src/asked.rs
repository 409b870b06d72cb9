//! The bounds on the arguments of a call, with messages for rustc: an argument of the wrong rank or element type gets an error
//! that names the parameter, the expected type and the given one. Emitted code passes a type `P` with the parameter's name. The
//! attributes are here and not in emitted code, because a module without a prelude does not know them.
use crate::argument::{Argument, Destination};
use crate::constant::Constant;
use crate::gpu::{DeviceArgument, DeviceDestination};
use ndarray::{Dim, Dimension};

/// An array that a kernel reads.
#[diagnostic::on_unimplemented(
    message = "`{P}`: expected an array of rank {N} of `{T}`, found `{Self}`",
    label = "expected an array of rank {N} of `{T}`",
    note = "`{P}` takes `&Array{N}<{T}>` (here `&ArrayBase<OwnedRepr<{T}>, Dim<[usize; {N}]>>`), a view, or a slice: `&[{T}]` or \
            `&Vec<{T}>` for rank 1, `(&[{T}], [usize; {N}])` with its shape for others"
)]
pub trait Asked<'a, P, T, const N: usize>: Argument<'a, T, N>
where
    Dim<[usize; N]>: Dimension,
{
}

// Without this the message would be about the supertrait.
#[diagnostic::do_not_recommend]
impl<'a, P, T, const N: usize, A: Argument<'a, T, N>> Asked<'a, P, T, N> for A where Dim<[usize; N]>: Dimension {}

/// A small array that a kernel takes by value.
#[diagnostic::on_unimplemented(
    message = "`{P}`: expected `&{W}`, found `{Self}`",
    label = "expected `&{W}`",
    note = "`{P}` takes `&{W}`, or the same shape as `&Array{N}<{T}>`, a view, or a slice: `&[{T}]` or `&Vec<{T}>` for rank 1, \
            `(&[{T}], [usize; {N}])` with its shape for others"
)]
pub trait AskedConstant<'a, P, T, const N: usize, W>: Constant<'a, T, N, W> {}

#[diagnostic::do_not_recommend]
impl<'a, P, T, const N: usize, W, A: Constant<'a, T, N, W>> AskedConstant<'a, P, T, N, W> for A {}

/// An array that a kernel writes.
#[diagnostic::on_unimplemented(
    message = "`{P}`: expected an array of rank {N} of `{T}`, found `{Self}`",
    label = "expected an array of rank {N} of `{T}`",
    note = "`{P}` takes `&mut Array{N}<{T}>` (here `&mut ArrayBase<OwnedRepr<{T}>, Dim<[usize; {N}]>>`), a view, or a slice: `&mut [{T}]` or `&mut Vec<{T}>` for rank 1, \
            `(&mut [{T}], [usize; {N}])` with its shape for others"
)]
pub trait AskedOutput<'a, P, T, const N: usize>: Destination<'a, T, N>
where
    Dim<[usize; N]>: Dimension,
{
}

#[diagnostic::do_not_recommend]
impl<'a, P, T, const N: usize, A: Destination<'a, T, N>> AskedOutput<'a, P, T, N> for A where Dim<[usize; N]>: Dimension {}

/// An array on a GPU that a kernel reads, or what holds one.
#[diagnostic::on_unimplemented(
    message = "`{P}`: expected a `DeviceArray` of rank {N} of `{T}`, found `{Self}`",
    label = "expected a `DeviceArray` of rank {N} of `{T}`",
    note = "`{P}` takes `DeviceArray<{T}, Ix{N}>` (here `DeviceArray<{T}, Dim<[usize; {N}]>>`), an array on a GPU: \
            `Gpu::upload` copies one there"
)]
pub trait AskedOnDevice<P, T, const N: usize>: DeviceArgument<T, N>
where
    Dim<[usize; N]>: Dimension,
{
}

#[diagnostic::do_not_recommend]
impl<P, T, const N: usize, A: DeviceArgument<T, N>> AskedOnDevice<P, T, N> for A where Dim<[usize; N]>: Dimension {}

/// An array on a GPU that a kernel writes, or what holds one.
#[diagnostic::on_unimplemented(
    message = "`{P}`: expected a `DeviceArray` of rank {N} of `{T}`, found `{Self}`",
    label = "expected a `DeviceArray` of rank {N} of `{T}`",
    note = "`{P}` takes `DeviceArray<{T}, Ix{N}>` (here `DeviceArray<{T}, Dim<[usize; {N}]>>`), an array on a GPU: \
            `Gpu::zeros` makes one"
)]
pub trait AskedOutputOnDevice<P, T, const N: usize>: DeviceDestination<T, N>
where
    Dim<[usize; N]>: Dimension,
{
}

#[diagnostic::do_not_recommend]
impl<P, T, const N: usize, A: DeviceDestination<T, N>> AskedOutputOnDevice<P, T, N> for A where
    Dim<[usize; N]>: Dimension
{
}
