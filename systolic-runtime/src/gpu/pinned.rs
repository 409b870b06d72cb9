//! Arrays in pinned memory of the host, which a device can read and write asynchronously.
#![allow(unsafe_code)]
use super::array::{DeviceArray, check_shape};
use super::device::Gpu;
use super::element::{Element, Rank};
use super::layout::Layout;
use super::stream::Stream;
use super::sync::lock;
use super::uses::Uses;
use crate::error::{Error, Memory};
use ndarray::{ArrayView, ArrayViewMut};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::slice;
use std::sync::Mutex;

/// An array in pinned (page-locked) memory of the host, so that copies to and from the device run asynchronously.
///
/// It tracks the copies that use it: [`view`](PinnedArray::view) waits for those that write it,
/// [`view_mut`](PinnedArray::view_mut) and dropping it wait for all.
#[derive(Debug)]
pub struct PinnedArray<T, D> {
    gpu: Gpu,
    shape: D,
    elements: usize,
    // Dangling if it has no elements.
    place: NonNull<T>,
    uses: Mutex<Uses>,
    owns: PhantomData<T>,
}

// SAFETY: it owns its elements like a `Box<[T]>`, they are `Send`, and a lock guards the record of copies in flight.
unsafe impl<T: Element, D: Send> Send for PinnedArray<T, D> {}
// SAFETY: as above; through a shared reference the elements are only read.
unsafe impl<T: Element, D: Sync> Sync for PinnedArray<T, D> {}

impl<T: Element, D: Rank> PinnedArray<T, D> {
    pub(super) fn zeros(gpu: &Gpu, shape: D) -> Result<Self, Error> {
        // Rows are not padded on the host, but the limits are the same.
        let elements = match Layout::new::<T>(shape.clone()) {
            Err(Error::OutOfMemory { purpose, bytes, .. }) => {
                return Err(Error::OutOfMemory { memory: Memory::Pinned, purpose, bytes });
            }
            layout => layout?.elements,
        };
        let place = match elements * size_of::<T>() {
            0 => NonNull::dangling(),
            bytes => {
                let place = gpu.own.queue.context.raw.allocate_pinned(bytes)?;
                // SAFETY: this many bytes were allocated there.
                unsafe { place.write_bytes(0, bytes) };
                place.cast()
            }
        };
        Ok(PinnedArray { gpu: gpu.clone(), shape, elements, place, uses: Mutex::default(), owns: PhantomData })
    }

    /// Returns the lengths of its axes.
    pub fn shape(&self) -> &[usize] {
        self.shape.slice()
    }

    /// Returns the elements, after waiting for all copies that write them.
    ///
    /// # Errors
    ///
    /// Fails if a kernel failed, or if the device is lost.
    pub fn view(&self) -> Result<ArrayView<'_, T, D>, Error> {
        lock(&self.uses).finish_writes()?;
        ArrayView::from_shape(self.shape.clone(), self.values()).map_err(|_| self.too_long())
    }

    /// Returns the elements for writing, after waiting for all copies that use them.
    ///
    /// # Errors
    ///
    /// Fails if a kernel failed, or if the device is lost.
    pub fn view_mut(&mut self) -> Result<ArrayViewMut<'_, T, D>, Error> {
        lock(&self.uses).finish()?;
        let (shape, error) = (self.shape.clone(), self.too_long());
        ArrayViewMut::from_shape(shape, self.values_mut()).map_err(|_| error)
    }

    /// The error for an empty shape that ndarray cannot represent.
    fn too_long(&self) -> Error {
        let bytes = self.elements as u128 * size_of::<T>() as u128;
        Error::OutOfMemory { memory: Memory::Pinned, purpose: "an array", bytes }
    }

    fn values(&self) -> &[T] {
        // SAFETY: there are this many elements: zeros, values written by the host, or downloads of valid elements. Nothing
        // writes them now: a copy that does needs `&mut` to start, and `view` and `view_mut` have waited for it.
        unsafe { slice::from_raw_parts(self.place.as_ptr(), self.elements) }
    }

    fn values_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the array is borrowed exclusively.
        unsafe { slice::from_raw_parts_mut(self.place.as_ptr(), self.elements) }
    }
}

impl<T, D> Drop for PinnedArray<T, D> {
    fn drop(&mut self) {
        if self.elements != 0 {
            // An error means that the device is lost, and then nothing runs there any more.
            let _ = lock(&self.uses).finish();
            self.gpu.own.queue.context.raw.free_pinned(self.place.cast());
        }
    }
}

impl Stream {
    /// Enqueues a copy to the device on this stream, and does not wait for it.
    ///
    /// # Errors
    ///
    /// Fails if the shapes differ, if `to` is on another device, or if the device is lost.
    pub fn upload<T: Element, D: Rank>(
        &self,
        from: &PinnedArray<T, D>,
        to: &mut DeviceArray<T, D>,
    ) -> Result<(), Error> {
        self.check_runs("a copy")?;
        to.check_device(self)?;
        check_shape("the array uploaded into", to.shape(), from.shape())?;
        if to.piece.address == 0 {
            return Ok(());
        }
        let queue = &self.queue;
        let (mut read, mut written) = (lock(&from.uses), lock(&to.piece.uses));
        read.before_read(queue)?;
        written.before_write(queue)?;
        let (place, address, rows) = (from.place.as_ptr().cast(), to.piece.address, to.layout.copy());
        // SAFETY: both sides have these rows, because their shapes are equal, and both track the copy.
        let ticket = queue.submit(|_| unsafe { queue.context.raw.upload(queue.raw, place, address, rows) })?;
        read.read_by(queue, ticket);
        written.written_by(queue, ticket);
        Ok(())
    }

    /// Enqueues a copy to the host on this stream, and does not wait for it.
    ///
    /// # Errors
    ///
    /// Fails if the shapes differ, if `from` is on another device, or if the device is lost.
    pub fn download<T: Element, D: Rank>(
        &self,
        from: &DeviceArray<T, D>,
        to: &mut PinnedArray<T, D>,
    ) -> Result<(), Error> {
        self.check_runs("a copy")?;
        from.check_device(self)?;
        check_shape("the array downloaded into", from.shape(), to.shape())?;
        if from.piece.address == 0 {
            return Ok(());
        }
        let queue = &self.queue;
        let (mut written, mut read) = (lock(&to.uses), lock(&from.piece.uses));
        read.before_read(queue)?;
        written.before_write(queue)?;
        let (place, address, rows) = (to.place.as_ptr().cast(), from.piece.address, from.layout.copy());
        // SAFETY: both sides have these rows, because their shapes are equal, and both track the copy.
        let ticket = queue.submit(|_| unsafe { queue.context.raw.download(queue.raw, address, place, rows) })?;
        read.read_by(queue, ticket);
        written.written_by(queue, ticket);
        Ok(())
    }
}
