//! What compiled systolic kernels stand on: errors, the solving of sizes from shapes, arrays read and written by
//! integer indices, devices. Users meet it through `systolic`; the parts that emitted code calls are hidden from its pages.
// The vector instructions, the outputs that blocks share and the CUDA driver need it: the modules of `cpu` and `gpu` that
// say so, and no other.
#![deny(unsafe_code)]
#![deny(missing_docs)]

mod alloc;
mod argument;
mod asked;
mod blueprint;
mod call;
mod constant;
#[doc(hidden)]
pub mod cpu;
mod design;
mod device;
mod error;
mod flat;
mod form;
#[doc(hidden)]
pub mod gpu;
mod grid;
mod input;
mod instance;
#[cfg(feature = "cuda")]
pub mod interop;
mod limits;
mod output;
mod quick;
mod schedule;
mod short;
mod signature;
mod text;
mod words;

pub use design::{Design, Wire};
pub use device::{Auto, Choice, Cpu, Device};
pub use error::{Error, Expected, SizeValue};
pub use gpu::{DeviceArray, Element, Event, Gpu, Host, PinnedArray, Properties, Rank, Stream};
pub use half::{bf16, f16};
pub use limits::Limits;
pub use ndarray;

/// What emitted code calls. No promise is made about it from one version to the next.
#[doc(hidden)]
pub mod emitted {
    pub use crate::argument::{Argument, Destination};
    pub use crate::asked::{Asked, AskedConstant, AskedOutput};
    pub use crate::blueprint::{Blueprint, BlueprintRow, BlueprintWire, RowKind, nothing};
    pub use crate::call::{Call, Range};
    pub use crate::constant::Constant;
    pub use crate::cpu;
    pub use crate::device::Site;
    pub use crate::form::{Form, Formula};
    pub use crate::gpu;
    pub use crate::grid::Grid;
    pub use crate::input::{Border, Input, element};
    pub use crate::instance::{Instance, Listed, More};
    pub use crate::limits::Demand;
    pub use crate::output::{Output, copy_into};
    pub use crate::schedule::{Key, Schedule};
    pub use crate::signature::{Array, Condition, Loop, Signature, Size, Source};
    pub use systolic_arith::ops;
}
