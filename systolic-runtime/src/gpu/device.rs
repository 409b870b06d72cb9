//! A GPU, and what it is.
use super::array::DeviceArray;
use super::context::Context;
use super::element::{Element, Rank};
use super::host::Host;
use super::pinned::PinnedArray;
use super::plan::Plan;
use super::queue::Queue;
use super::raw;
use super::stream::Stream;
use crate::error::Error;
use ndarray::IntoDimension;
use std::fmt;

/// What a GPU is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Properties {
    /// Its number, by which it is asked for.
    pub ordinal: usize,
    /// Its name, `NVIDIA H200`.
    pub name: String,
    /// Its compute capability: `(9, 0)`.
    pub capability: (u32, u32),
    /// Its memory in bytes.
    pub memory: usize,
    /// Its multiprocessors.
    pub multiprocessors: u32,
    /// The most shared memory that a block can have, in bytes.
    pub shared_memory: u32,
    /// The CUDA version of its driver: `(13, 0)`.
    pub driver: (u32, u32),
}

impl Properties {
    /// The architecture as compilers write it: 90 for `sm_90`.
    pub fn arch(&self) -> u32 {
        self.capability.0 * 10 + self.capability.1
    }
}

impl fmt::Display for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GPU {} ({}, sm_{})", self.ordinal, self.name, self.arch())
    }
}

/// A CUDA GPU. Clones are the same GPU; arrays and streams hold what they need of it.
#[derive(Clone, Debug)]
pub struct Gpu {
    // For copies that the host waits for, and for kernels that `run`.
    pub(super) own: Stream,
}

impl Gpu {
    /// The GPU of this number, counted from 0.
    ///
    /// # Errors
    ///
    /// No feature `cuda`, no driver, or no such device.
    pub fn new(ordinal: usize) -> Result<Gpu, Error> {
        let context = Context::open(ordinal)?;
        Ok(Gpu { own: Stream { queue: Queue::new(context)? } })
    }

    /// All GPUs of this machine.
    ///
    /// # Errors
    ///
    /// No feature `cuda`, or no driver.
    pub fn devices() -> Result<Vec<Properties>, Error> {
        (0..raw::Context::devices()?).map(raw::Context::properties).collect()
    }

    /// What this GPU is.
    pub fn properties(&self) -> &Properties {
        &self.own.queue.context.properties
    }

    /// A new stream.
    ///
    /// # Errors
    ///
    /// A device that is lost.
    pub fn stream(&self) -> Result<Stream, Error> {
        Ok(Stream { queue: Queue::new(self.own.queue.context.clone())? })
    }

    /// A copy of an array on this GPU. Takes what a kernel's `run` takes.
    ///
    /// # Errors
    ///
    /// Too little memory, or a device that is lost.
    pub fn upload<'a, H: Host<'a>>(&self, array: H) -> Result<DeviceArray<H::Element, H::Rank>, Error> {
        let view = array.view();
        let mut made = DeviceArray::new(self, view.raw_dim())?;
        made.fill(view)?;
        Ok(made)
    }

    /// As [`upload`](Gpu::upload), into an array that is there, of the same shape.
    ///
    /// # Errors
    ///
    /// Another shape, an array of another GPU, or a device that is lost.
    pub fn upload_into<'a, H: Host<'a>>(
        &self,
        array: H,
        into: &mut DeviceArray<H::Element, H::Rank>,
    ) -> Result<(), Error> {
        into.check_device(&self.own)?;
        into.fill(array.view())
    }

    /// Zeros on this GPU.
    ///
    /// # Errors
    ///
    /// Too little memory, or a device that is lost.
    pub fn zeros<T, S>(&self, shape: S) -> Result<DeviceArray<T, S::Dim>, Error>
    where
        T: Element,
        S: IntoDimension<Dim: Rank>,
    {
        let mut made = DeviceArray::new(self, shape.into_dimension())?;
        made.clear()?;
        Ok(made)
    }

    /// Zeros on the host, where this GPU reads and writes them while the host goes on.
    ///
    /// # Errors
    ///
    /// Too little memory, or a device that is lost.
    pub fn pinned<T, S>(&self, shape: S) -> Result<PinnedArray<T, S::Dim>, Error>
    where
        T: Element,
        S: IntoDimension<Dim: Rank>,
    {
        PinnedArray::zeros(self, shape.into_dimension())
    }

    /// The stream that copies and `run` use, for emitted code.
    /// Room for an array that a kernel fills.
    #[doc(hidden)]
    pub fn room<T: Element, D: Rank>(&self, shape: D) -> Result<DeviceArray<T, D>, Error> {
        DeviceArray::new(self, shape)
    }

    /// The stream of `run`, uploads and downloads.
    #[doc(hidden)]
    pub fn own_stream(&self) -> &Stream {
        &self.own
    }

    /// The kernel has code that this GPU takes.
    pub(crate) fn check_code(&self, plan: &'static Plan) -> Result<(), Error> {
        self.own.queue.context.code(plan).map(drop)
    }

    #[cfg(feature = "cuda")]
    pub(crate) fn primary(&self) -> &cust::context::Context {
        self.own.queue.context.raw.primary()
    }
}
