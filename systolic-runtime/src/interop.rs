//! Handles for those who call CUDA themselves. What they do is theirs to keep in order: arrays and streams do not know
//! of it, so [`Stream::synchronize`] before, and wait for it after. Every call of this crate makes its own context
//! current on the calling thread and leaves it so.
use crate::gpu::{DeviceArray, Element, Gpu, Rank, Stream};
pub use cust;
use cust::context::Context;
use cust::sys::{CUdeviceptr, CUstream};

/// The device's primary context. The GPU and all that lies on it hold it.
pub fn context(gpu: &Gpu) -> &Context {
    gpu.primary()
}

/// The stream's handle, good as long as the stream.
pub fn stream(stream: &Stream) -> CUstream {
    std::ptr::with_exposed_provenance_mut(stream.handle())
}

/// Where an array's first element lies, good as long as the array; 0 where it has none.
pub fn pointer<T: Element, D: Rank>(array: &DeviceArray<T, D>) -> CUdeviceptr {
    array.address()
}

/// The bytes from one row of an array to the next.
pub fn pitch<T: Element, D: Rank>(array: &DeviceArray<T, D>) -> usize {
    array.pitch()
}
