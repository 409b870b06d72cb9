//! A GPU and its properties.
use super::array::DeviceArray;
use super::context::Context;
use super::element::{Element, Rank};
use super::host::Host;
use super::pinned::PinnedArray;
use super::plan::{Machine, Plan};
use super::queue::Queue;
use super::raw;
use super::stream::Stream;
use crate::error::Error;
use ndarray::IntoDimension;
use std::fmt;

/// The properties of a GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Properties {
    /// Its number, as passed to [`Gpu::new`].
    pub ordinal: usize,
    /// Its name: `NVIDIA H200`.
    pub name: String,
    /// Its compute capability: `(9, 0)`.
    pub capability: (u32, u32),
    /// Its memory in bytes.
    pub memory: usize,
    /// The number of its multiprocessors.
    pub multiprocessors: u32,
    /// The most shared memory that a block can use, in bytes.
    pub shared_memory: u32,
    /// The CUDA version of its driver: `(13, 0)`.
    pub driver: (u32, u32),
}

impl Properties {
    /// Returns the architecture as compilers write it: 90 for `sm_90`.
    pub fn arch(&self) -> u32 {
        self.capability.0 * 10 + self.capability.1
    }

    /// Returns what decides which way a launch takes.
    pub(crate) fn machine(&self) -> Machine {
        Machine { multiprocessors: self.multiprocessors, memory: self.memory as u64 }
    }
}

impl fmt::Display for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GPU {} ({}, sm_{})", self.ordinal, self.name, self.arch())
    }
}

/// A CUDA GPU. Clones refer to the same GPU. Its arrays and streams stay valid after it is dropped.
#[derive(Clone, Debug)]
pub struct Gpu {
    // The stream for copies that the host waits for, and for kernels called by `run`.
    pub(super) own: Stream,
}

impl Gpu {
    /// Opens the GPU with this number, counted from 0.
    ///
    /// # Errors
    ///
    /// Fails without feature `cuda`, without a driver, or if there is no such device.
    pub fn new(ordinal: usize) -> Result<Gpu, Error> {
        let context = Context::open(ordinal)?;
        Ok(Gpu { own: Stream::new(Queue::new(context)?) })
    }

    /// Returns the properties of all GPUs of this machine.
    ///
    /// # Errors
    ///
    /// Fails without feature `cuda`, or without a driver.
    pub fn devices() -> Result<Vec<Properties>, Error> {
        (0..raw::Context::devices()?).map(raw::Context::properties).collect()
    }

    /// Returns the properties of this GPU.
    pub fn properties(&self) -> &Properties {
        &self.own.queue.context.properties
    }

    /// Creates a stream.
    ///
    /// # Errors
    ///
    /// Fails if the device is lost.
    pub fn stream(&self) -> Result<Stream, Error> {
        Ok(Stream::new(Queue::new(self.own.queue.context.clone())?))
    }

    /// Copies an array to this GPU.
    ///
    /// # Errors
    ///
    /// Fails if there is too little memory, or if the device is lost.
    pub fn upload<'a, H: Host<'a>>(&self, array: H) -> Result<DeviceArray<H::Element, H::Rank>, Error> {
        let view = array.view();
        let mut array = DeviceArray::new(self, view.raw_dim())?;
        array.fill(view)?;
        Ok(array)
    }

    /// As [`upload`](Gpu::upload), into an existing array of the same shape.
    ///
    /// # Errors
    ///
    /// Fails if the shapes differ, if `into` is on another GPU, or if the device is lost.
    pub fn upload_into<'a, H: Host<'a>>(
        &self,
        array: H,
        into: &mut DeviceArray<H::Element, H::Rank>,
    ) -> Result<(), Error> {
        into.check_device(&self.own)?;
        into.fill(array.view())
    }

    /// Creates an array of zeros on this GPU.
    ///
    /// # Errors
    ///
    /// Fails if there is too little memory, or if the device is lost.
    pub fn zeros<T, S>(&self, shape: S) -> Result<DeviceArray<T, S::Dim>, Error>
    where
        T: Element,
        S: IntoDimension<Dim: Rank>,
    {
        let mut array = DeviceArray::new(self, shape.into_dimension())?;
        array.clear()?;
        Ok(array)
    }

    /// Creates an array of zeros in pinned memory of the host, which this GPU can read and write asynchronously.
    ///
    /// # Errors
    ///
    /// Fails if there is too little memory, or if the device is lost.
    pub fn pinned<T, S>(&self, shape: S) -> Result<PinnedArray<T, S::Dim>, Error>
    where
        T: Element,
        S: IntoDimension<Dim: Rank>,
    {
        PinnedArray::zeros(self, shape.into_dimension())
    }

    /// Allocates an array that a kernel fills; its elements are uninitialised. For emitted code.
    #[doc(hidden)]
    pub fn room<T: Element, D: Rank>(&self, shape: D) -> Result<DeviceArray<T, D>, Error> {
        DeviceArray::new(self, shape)
    }

    /// Returns the stream that `run`, uploads and downloads use. For emitted code.
    #[doc(hidden)]
    pub fn own_stream(&self) -> &Stream {
        &self.own
    }

    /// Fails unless the kernel has code that this GPU accepts.
    pub(crate) fn check_code(&self, plan: &'static Plan) -> Result<(), Error> {
        plan.needed().try_for_each(|plan| self.own.queue.context.code(plan).map(drop))
    }

    #[cfg(feature = "cuda")]
    pub(crate) fn primary(&self) -> &cust::context::Context {
        self.own.queue.context.raw.primary()
    }
}
