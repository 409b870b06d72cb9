//! Copies of elements between the host and a device.
#![allow(unsafe_code)]
use super::element::Element;
use super::queue::Queue;
use super::raw::{Address, Rows};
use crate::error::Error;

/// Enqueues a copy from a slice to the device. The caller must wait for it before the slice is dropped.
pub fn upload<T: Element>(queue: &Queue, from: &[T], to: Address, rows: Rows) -> Result<(), Error> {
    check(size_of_val(from), rows)?;
    // SAFETY: the slice has all rows, as just checked, so does the allocation on the device, and the caller waits.
    unsafe { queue.context.raw.upload(queue.raw, from.as_ptr().cast(), to, rows) }
}

/// Enqueues a copy from the device to a slice. The caller must wait for it before the slice is read or dropped.
pub fn download<T: Element>(queue: &Queue, from: Address, to: &mut [T], rows: Rows) -> Result<(), Error> {
    check(size_of_val(to), rows)?;
    // SAFETY: the slice has all rows, as just checked, so does the allocation on the device, and the caller waits.
    // The device holds valid values of the type: zeros, uploads, and results of kernels with this element type.
    unsafe { queue.context.raw.download(queue.raw, from, to.as_mut_ptr().cast(), rows) }
}

/// Fails unless a slice of this many bytes has exactly these rows, without gaps.
fn check(bytes: usize, rows: Rows) -> Result<(), Error> {
    if rows.host == rows.bytes && rows.count.checked_mul(rows.bytes) == Some(bytes) {
        return Ok(());
    }
    let limit = rows.count as i128 * rows.bytes as i128;
    Err(Error::Limit { what: "the bytes of a copy".to_string(), value: bytes as i128, limit })
}
