//! GPUs: devices, streams, arrays on them, and launches of kernels. Without feature `cuda` all names exist, and no
//! [`Gpu`] does.
//!
//! Emitted code meets this as `emitted::gpu`. It has a `static` [`Plan`] a kernel and asks where to run:
//! `Device::site(device).gpu(&PLAN)?` is the GPU, or nothing for the CPU. Then it launches, `run` on
//! `gpu.own_stream()`:
//!
//! ```ignore
//! let mut launch = gpu::Launch::new(stream, &PLAN, &call)?;
//! launch.input(&dx)?;         // arrays, constants and scalars in the order of the parameters
//! launch.constants(&[1.0])?;
//! launch.scalar(2.0)?;
//! launch.output(&mut dz)?;    // then outputs
//! launch.go()?;
//! ```
//!
//! The kernel takes one parameter by value, at most 4 KiB, of pieces padded to 8 bytes: for an array its address, its
//! lengths, its strides in elements without the last; constants and scalars; then the sizes, the first block of each axis,
//! the blocks of each axis, whether x alone counts them, the address of rows (0: they lie in dynamic shared memory behind
//! [`Plan::shared`] bytes) and the bytes of rows a block.
mod array;
mod code;
mod context;
mod copy;
mod device;
mod element;
mod event;
mod fit;
mod grid;
mod host;
mod image;
mod launch;
mod layout;
mod params;
mod pinned;
mod plan;
mod queue;
mod raw;
mod stream;
mod sync;
mod uses;

pub use array::DeviceArray;
pub use device::{Gpu, Properties};
pub use element::{Element, Rank};
pub use event::Event;
pub use host::Host;
pub use launch::{Launch, without_code};
pub use pinned::PinnedArray;
pub use plan::{Image, Plan, Wide};
pub use stream::Stream;
