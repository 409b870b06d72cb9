//! For programs that also call CUDA themselves, or use other crates that do: handles, and memory of theirs as arrays, without a copy.
//!
//! Arrays and streams do not know of calls that others make, so the program must order them itself: call [`Stream::synchronize`] before,
//! and wait for its own work afterwards. Every call of this crate makes the device's primary context current on the calling thread and
//! does not restore the previous one.
#![allow(unsafe_code)]
use crate::error::Error;
use crate::gpu::{DeviceArray, Element, Gpu, Rank, Stream};
pub use cust;
use cust::context::Context;
use cust::memory::{DeviceBuffer, DeviceCopy, DeviceSlice};
use cust::sys::{CUdeviceptr, CUstream};
use ndarray::IntoDimension;
use std::mem::ManuallyDrop;

/// Returns the device's primary context. It lives as long as the [`Gpu`] or anything on that device.
pub fn context(gpu: &Gpu) -> &Context {
    gpu.primary()
}

/// Returns the stream's handle, valid as long as the stream.
pub fn stream(stream: &Stream) -> CUstream {
    std::ptr::with_exposed_provenance_mut(stream.handle())
}

/// Returns the device address of an array's first element, valid as long as the array; 0 if it has no elements.
pub fn pointer<T: Element, D: Rank>(array: &DeviceArray<T, D>) -> CUdeviceptr {
    array.address()
}

/// Returns the bytes from one row of an array to the next: a step along the axis before the last. Rows of less than 16 bytes, such as
/// the channels of a picture, follow each other without gaps.
pub fn pitch<T: Element, D: Rank>(array: &DeviceArray<T, D>) -> usize {
    array.pitch()
}

/// Makes an array of memory that another owner has and frees: elements in order, without gaps. Kernels use narrow accesses if its rows
/// are no multiples of 16 bytes.
///
/// # Safety
///
/// The memory holds valid elements of type `T`. It stays allocated until the array is dropped, and every
/// [`Sequence`](crate::Sequence) that was recorded with it. Nobody else writes it, or reads what kernels write, at the same time.
///
/// # Errors
///
/// Fails if the memory is not on this GPU, belongs to another context than its primary one, is shorter than the shape says, or is not
/// aligned for its elements.
pub unsafe fn array<T, S>(gpu: &Gpu, address: CUdeviceptr, shape: S) -> Result<DeviceArray<T, S::Dim>, Error>
where
    T: Element,
    S: IntoDimension<Dim: Rank>,
{
    DeviceArray::foreign(gpu, address, shape.into_dimension(), false)
}

/// Makes an array of a buffer of `cust`, which it owns from now on.
///
/// # Errors
///
/// Fails if the buffer has another number of elements than the shape, or where [`array`] fails. Then it is freed.
pub fn adopt<T, S>(gpu: &Gpu, buffer: DeviceBuffer<T>, shape: S) -> Result<DeviceArray<T, S::Dim>, Error>
where
    T: Element + DeviceCopy,
    S: IntoDimension<Dim: Rank>,
{
    let shape = shape.into_dimension();
    check_length(buffer.len(), &shape)?;
    if buffer.is_empty() {
        return DeviceArray::foreign(gpu, 0, shape, false);
    }
    let array = DeviceArray::foreign(gpu, buffer.as_device_ptr().as_raw(), shape, true)?;
    // The array frees it, by the same function of the driver.
    let _ = ManuallyDrop::new(buffer);
    Ok(array)
}

/// Lends memory of `cust` to a closure as an array. Afterwards, this waits for all work on it. An array or a sequence that the closure
/// keeps cannot use the memory any more: that is [`Error::GivenBack`].
///
/// # Errors
///
/// Fails if the memory has another number of elements than the shape, where [`array`] fails, if the closure fails, or if a kernel failed.
pub fn lend<T, S, R>(
    gpu: &Gpu,
    memory: &mut DeviceSlice<T>,
    shape: S,
    work: impl FnOnce(&mut DeviceArray<T, S::Dim>) -> Result<R, Error>,
) -> Result<R, Error>
where
    T: Element + DeviceCopy,
    S: IntoDimension<Dim: Rank>,
{
    let shape = shape.into_dimension();
    check_length(memory.len(), &shape)?;
    let mut array = DeviceArray::foreign(gpu, memory.as_device_ptr().as_raw(), shape, false)?;
    // Closed even if the closure panics.
    let closing = array.closing();
    let result = work(&mut array)?;
    closing.close()?;
    Ok(result)
}

fn check_length<D: Rank>(length: usize, shape: &D) -> Result<(), Error> {
    let wanted = shape.slice().iter().try_fold(1usize, |all, n| all.checked_mul(*n));
    match wanted == Some(length) {
        true => Ok(()),
        false => Err(Error::Foreign { why: "it does not have as many elements as the array" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Dim;

    #[test]
    fn as_many_elements_as_the_shape() {
        assert_eq!(check_length(12, &Dim([3, 4])), Ok(()));
        assert_eq!(check_length(0, &Dim([0, usize::MAX])), Ok(()));
        for (length, shape) in [(11, [3, 4]), (13, [3, 4]), (0, [usize::MAX, 2])] {
            assert!(matches!(check_length(length, &Dim(shape)), Err(Error::Foreign { .. })));
        }
    }
}
