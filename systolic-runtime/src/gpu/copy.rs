//! Copies between elements of the host and a device.
#![allow(unsafe_code)]
use super::element::Element;
use super::queue::Queue;
use super::raw::{Address, Rows};
use crate::error::Error;

/// Puts a copy of a slice on a queue. The caller waits for it before the slice is gone.
pub fn upload<T: Element>(queue: &Queue, from: &[T], to: Address, rows: Rows) -> Result<(), Error> {
    check(size_of_val(from), rows)?;
    // SAFETY: the slice has all rows, as just seen, the device's side was allocated with them, and the caller waits.
    unsafe { queue.context.raw.upload(queue.raw, from.as_ptr().cast(), to, rows) }
}

/// Puts a copy into a slice on a queue. The caller waits for it before the slice is read or gone.
pub fn download<T: Element>(queue: &Queue, from: Address, to: &mut [T], rows: Rows) -> Result<(), Error> {
    check(size_of_val(to), rows)?;
    // SAFETY: the slice has all rows, as just seen, the device's side was allocated with them, and the caller waits.
    // What stands on the device are values of the type: zeros, uploads, and what kernels of this type have stored.
    unsafe { queue.context.raw.download(queue.raw, from, to.as_mut_ptr().cast(), rows) }
}

/// A slice without gaps has all rows.
fn check(bytes: usize, rows: Rows) -> Result<(), Error> {
    if rows.host == rows.bytes && rows.count.checked_mul(rows.bytes) == Some(bytes) {
        return Ok(());
    }
    let limit = rows.count as i128 * rows.bytes as i128;
    Err(Error::Limit { what: "the bytes of a copy".to_string(), value: bytes as i128, limit })
}
