//! Handles for programs that call CUDA themselves. Arrays and streams do not know of such calls, so the program must order them
//! itself: call [`Stream::synchronize`] before, and wait for its own work afterwards. Every call of this crate makes its own
//! context current on the calling thread and does not restore the previous one.
use crate::gpu::{DeviceArray, Element, Gpu, Rank, Stream};
pub use cust;
use cust::context::Context;
use cust::sys::{CUdeviceptr, CUstream};

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

/// Returns the bytes from one row of an array to the next.
pub fn pitch<T: Element, D: Rank>(array: &DeviceArray<T, D>) -> usize {
    array.pitch()
}
