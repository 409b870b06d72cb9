//! The runtime of compiled systolic kernels: errors, sizes solved from shapes, arrays read and written by integer indices,
//! devices. Users reach it through `systolic`; the parts that emitted code calls are hidden from the documentation.
// Vector instructions, outputs shared between blocks, arrays accessed through pointers and the CUDA driver need unsafe code.
// The modules that contain it allow it themselves.
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
#[doc(hidden)]
pub mod editor;
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
mod lengths;
mod limits;
mod mesh;
mod order;
mod output;
mod points;
mod quick;
mod schedule;
mod short;
mod signature;
mod text;
pub mod traceback;
mod words;

pub use design::{Design, Medium, Wire};
pub use device::{Auto, Choice, Cpu, Device, Maps};
pub use error::{Error, Expected, Memory, SizeValue};
pub use gpu::{
    DeviceArray, Element, Event, Gpu, Host, Launched, PinnedArray, Properties, Rank, Reached, Sequence, Stream,
};
pub use half::{bf16, f16};
pub use limits::Limits;
pub use ndarray;

/// The items that emitted code uses. They may change in any version.
#[doc(hidden)]
pub mod emitted {
    pub use crate::argument::{Argument, Destination};
    pub use crate::asked::{Asked, AskedConstant, AskedOnDevice, AskedOutput, AskedOutputOnDevice};
    pub use crate::blueprint::{Blueprint, BlueprintRow, BlueprintWire, RowKind, nothing};
    pub use crate::call::{Call, Range, axis};
    pub use crate::constant::Constant;
    pub use crate::cpu;
    pub use crate::design::Medium;
    pub use crate::device::Site;
    pub use crate::editor;
    pub use crate::error::Failure;
    pub use crate::form::{Form, Formula};
    pub use crate::gpu;
    pub use crate::gpu::{DeviceArgument, DeviceDestination};
    pub use crate::grid::Grid;
    pub use crate::input::{Border, Input, element, lookup};
    pub use crate::instance::{Instance, Listed, More};
    pub use crate::lengths::longest;
    pub use crate::limits::Demand;
    pub use crate::mesh::can_be_cut;
    pub use crate::mesh::{
        Along, Arrangement, Carrying, Chunks, Given, Outline, Outside, Parts, Relay, Relays, Split, Stored,
    };
    pub use crate::output::{Output, copy_into, fill, one_element, only_element, put_element};
    pub use crate::schedule::{Key, Schedule};
    pub use crate::signature::{Array, Condition, Lengths, Loop, Signature, Size, Source};
    pub use systolic_arith::ops;
}
