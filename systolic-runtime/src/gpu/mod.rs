//! GPUs: devices, streams, arrays on them, and launches of kernels. Without feature `cuda` all types and functions exist,
//! but no [`Gpu`] can be created.
//!
//! Emitted code uses this module as `emitted::gpu`. It has one `static` [`Plan`] per kernel and first decides where to run:
//! `Device::site(device).gpu(&PLAN)?` is the GPU, or `None` for the CPU. Then it launches; `run` does so on
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
//! The kernel takes one parameter by value, at most 4 KiB, whose parts are padded to 8 bytes. The parts are: for every
//! array its address, its lengths and its strides in elements without the last one; constants and scalars; then the sizes,
//! the first block along each axis, the number of blocks along each axis, whether all blocks are numbered along x, the
//! address of the scratch rows (0 if they are in dynamic shared memory after [`Plan::shared`] bytes) and the bytes of
//! scratch rows per block.
mod argument;
mod array;
mod between;
mod code;
mod context;
mod copy;
mod device;
mod distant;
mod element;
mod event;
mod fit;
mod grid;
mod host;
mod image;
mod launch;
mod launched;
mod layout;
mod params;
mod piece;
mod pinned;
mod plan;
mod queue;
mod raw;
mod reached;
mod sequence;
mod stream;
mod sync;
mod uses;
mod work;

pub use crate::order::Order;
pub use argument::{DeviceArgument, DeviceDestination};
pub use array::DeviceArray;
pub use device::{Gpu, Properties};
pub use element::{Element, Rank};
pub use event::Event;
pub use host::Host;
pub use launch::{Launch, without_code};
pub use launched::Launched;
pub use pinned::PinnedArray;
pub(crate) use plan::Way;
pub use plan::{Face, Far, Image, Part, Plan, Series, Speed, Variant, Wide};
pub use reached::Reached;
pub use sequence::Sequence;
pub use stream::Stream;
