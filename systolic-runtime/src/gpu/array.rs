//! Arrays in device memory.
use super::copy;
use super::device::Gpu;
use super::element::{Element, Rank};
use super::layout::Layout;
use super::piece::Piece;
#[cfg(feature = "cuda")]
use super::raw::Address;
use super::raw::Rows;
use super::stream::Stream;
use super::sync::lock;
use crate::cpu;
use crate::error::{Error, Expected};
use ndarray::{Array, ArrayView, ArrayViewMut};
use std::marker::PhantomData;
use std::sync::Arc;

/// An array of one to four dimensions on a GPU. Its rows are aligned for vectorised access.
///
/// It tracks the launches that use it. Downloads, uploads and dropping it wait for those launches. A launch on another stream
/// also waits if one of the two launches writes the array.
#[derive(Debug)]
pub struct DeviceArray<T, D> {
    gpu: Gpu,
    pub(super) layout: Layout<D>,
    pub(super) piece: Arc<Piece>,
    elements: PhantomData<T>,
}

impl<T: Element, D: Rank> DeviceArray<T, D> {
    /// Allocates an array. Its elements are uninitialised; the padding after its rows is zero.
    pub(super) fn new(gpu: &Gpu, shape: D) -> Result<Self, Error> {
        let layout = Layout::new::<T>(shape)?;
        let address = match layout.bytes() {
            0 => 0,
            bytes => gpu.own.queue.context.raw.allocate(bytes.max(layout.row + layout.behind()), "an array")?,
        };
        let array = DeviceArray::over(gpu, layout, Piece::ours(gpu.own.queue.context.clone(), address));
        array.clear_behind()?;
        Ok(array)
    }

    /// The array with this layout in a piece of memory.
    pub(super) fn over(gpu: &Gpu, layout: Layout<D>, piece: Arc<Piece>) -> Self {
        DeviceArray { gpu: gpu.clone(), layout, piece, elements: PhantomData }
    }

    /// Zeroes the padding after each row, because wide accesses to the last elements of a row load it too.
    fn clear_behind(&self) -> Result<(), Error> {
        let Layout { row, pitch, rows, .. } = self.layout;
        if self.piece.address == 0 || self.layout.behind() == 0 {
            return Ok(());
        }
        let queue = &self.gpu.own.queue;
        let behind = Rows { count: rows, bytes: self.layout.behind(), host: 0, device: pitch };
        let ticket =
            queue.submit(|_| queue.context.raw.clear_rows(queue.raw, self.piece.address + row as u64, behind))?;
        lock(&self.piece.uses).written_by(queue, ticket);
        Ok(())
    }

    /// Returns the lengths of its axes.
    pub fn shape(&self) -> &[usize] {
        self.layout.shape.slice()
    }

    /// Returns the GPU that the array is on.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Copies the array to the host. Waits for all launches that write it.
    ///
    /// # Errors
    ///
    /// Fails if the host has too little memory, a kernel failed, or the device is lost.
    pub fn download(&self) -> Result<Array<T, D>, Error> {
        let count = self.layout.elements;
        let none = || Error::no_memory("a download", count as u128, size_of::<T>());
        let mut values = cpu::zeros::<T>(count).ok_or_else(none)?;
        self.read(&mut values)?;
        // ndarray rejects an array without elements if the product of its other lengths is too large.
        Array::from_shape_vec(self.layout.shape.clone(), values).map_err(|_| none())
    }

    /// As [`download`](DeviceArray::download), into an existing array of the same shape.
    ///
    /// # Errors
    ///
    /// Fails if the shapes differ, and where `download` fails.
    pub fn download_into<'a>(&self, into: impl Into<ArrayViewMut<'a, T, D>>) -> Result<(), Error>
    where
        T: 'a,
    {
        let mut into = into.into();
        check_shape("the array downloaded into", self.shape(), into.shape())?;
        match into.as_slice_mut() {
            Some(values) => self.read(values),
            None => {
                into.assign(&self.download()?);
                Ok(())
            }
        }
    }

    fn read(&self, values: &mut [T]) -> Result<(), Error> {
        if self.piece.address == 0 {
            return Ok(());
        }
        let queue = &self.gpu.own.queue;
        let ticket = {
            let mut uses = lock(&self.piece.uses);
            uses.before_read(queue)?;
            let ticket = queue.submit(|_| copy::download(queue, self.piece.address, values, self.layout.copy()))?;
            uses.read_by(queue, ticket);
            ticket
        };
        queue.finish(ticket)
    }

    /// Copies the elements of `view` into the array, after all launches that use it.
    pub(super) fn fill(&mut self, view: ArrayView<'_, T, D>) -> Result<(), Error> {
        check_shape("the array uploaded into", self.shape(), view.shape())?;
        match view.as_slice() {
            Some(values) => self.write(values),
            None => self.write(&in_order(&view)?),
        }
    }

    fn write(&mut self, values: &[T]) -> Result<(), Error> {
        if self.piece.address == 0 {
            return Ok(());
        }
        let queue = &self.gpu.own.queue;
        let mut uses = lock(&self.piece.uses);
        uses.before_write(queue)?;
        let ticket = queue.submit(|_| copy::upload(queue, values, self.piece.address, self.layout.copy()))?;
        uses.written_by(queue, ticket);
        queue.finish(ticket)
    }

    /// Sets all elements to zero.
    pub(super) fn clear(&mut self) -> Result<(), Error> {
        if self.piece.address == 0 {
            return Ok(());
        }
        let queue = &self.gpu.own.queue;
        let mut uses = lock(&self.piece.uses);
        uses.before_write(queue)?;
        let ticket = queue.submit(|_| queue.context.raw.clear(queue.raw, self.piece.address, self.layout.bytes()))?;
        uses.written_by(queue, ticket);
        Ok(())
    }

    /// An array of this shape in memory that others own, without gaps. Fails if the memory does not fit, or is not on the GPU.
    #[cfg(feature = "cuda")]
    pub(crate) fn foreign(gpu: &Gpu, address: Address, shape: D, is_ours: bool) -> Result<Self, Error> {
        let layout = Layout::foreign::<T>(shape)?;
        let context = &gpu.own.queue.context;
        let bytes = layout.bytes();
        if bytes > 0 {
            if !address.is_multiple_of(align_of::<T>() as u64) {
                return Err(Error::Foreign { why: "it is not aligned for its elements" });
            }
            context.raw.check_memory(address, bytes, context.properties.ordinal)?;
        }
        let piece = match is_ours {
            true => Piece::ours(context.clone(), address),
            false => Piece::lent(context.clone(), if bytes == 0 { 0 } else { address }),
        };
        Ok(DeviceArray::over(gpu, layout, piece))
    }

    /// Waits for all work on the array, and refuses further work.
    #[cfg(feature = "cuda")]
    pub(crate) fn closing(&self) -> Closing {
        Closing(self.piece.clone())
    }

    #[cfg(feature = "cuda")]
    pub(crate) fn address(&self) -> Address {
        self.piece.address
    }

    #[cfg(feature = "cuda")]
    pub(crate) fn pitch(&self) -> usize {
        let size = size_of::<T>();
        self.layout.strides(size).last().map_or(self.layout.row, |step| step * size)
    }

    /// Fails unless the array is on the stream's device.
    pub(super) fn check_device(&self, stream: &Stream) -> Result<(), Error> {
        self.gpu.own.queue.context.check_same(&stream.queue.context)
    }
}

/// Closes memory that was lent when it is dropped: waits for all work on it, and refuses further work.
#[cfg(feature = "cuda")]
pub(crate) struct Closing(Arc<Piece>);

#[cfg(feature = "cuda")]
impl Closing {
    /// Closes it now. Fails if a kernel failed.
    pub(crate) fn close(self) -> Result<(), Error> {
        lock(&self.0.uses).close()
    }
}

#[cfg(feature = "cuda")]
impl Drop for Closing {
    fn drop(&mut self) {
        // An error means that the device is lost, and then nothing runs there any more.
        let _ = lock(&self.0.uses).close();
    }
}

/// Returns the elements of a view in order, without gaps.
fn in_order<T: Element, D: Rank>(view: &ArrayView<'_, T, D>) -> Result<Vec<T>, Error> {
    let none = || Error::no_memory("an upload", view.len() as u128, size_of::<T>());
    let mut values = cpu::zeros::<T>(view.len()).ok_or_else(none)?;
    values.iter_mut().zip(view).for_each(|(value, x)| *value = *x);
    Ok(values)
}

/// Fails unless both sides of a copy have the same shape.
pub(super) fn check_shape(parameter: &'static str, expected: &[usize], got: &[usize]) -> Result<(), Error> {
    if expected == got {
        return Ok(());
    }
    let dimensions = expected.iter().map(ToString::to_string).collect();
    let expected = Expected { dimensions, lengths: expected.to_vec(), sizes: Vec::new() };
    Err(Error::Shape { parameter, expected: Box::new(expected), got: got.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, s};

    #[test]
    fn any_strides_come_in_order() {
        let plane = Array2::from_shape_fn((3, 4), |(r, c)| (10 * r + c) as u8);
        assert_eq!(in_order(&plane.slice(s![..;-2, 1..;2])).unwrap(), [21, 23, 1, 3]);
        assert_eq!(in_order(&plane.t()).unwrap(), [0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23]);
    }

    #[test]
    fn shapes_of_a_copy_are_said() {
        let error = check_shape("the array uploaded into", &[3, 4], &[4, 3]).unwrap_err();
        assert_eq!(error.to_string(), "`the array uploaded into`: expected [3, 4], got [4, 3]");
    }
}
