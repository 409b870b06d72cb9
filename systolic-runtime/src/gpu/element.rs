//! The elements and ranks of device arrays.
use ndarray::{Dimension, Ix1, Ix2, Ix3, Ix4};
use systolic_arith::{Scalar, bf16, f16};

/// An element type of kernels: a float, an integer or `bool`.
pub trait Element: Scalar {}

macro_rules! elements {
    ($($type:ty)+) => { $(impl Element for $type {})+ };
}

elements!(f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool);

/// A dimension type of one to four dimensions.
#[diagnostic::on_unimplemented(message = "device arrays have one to four dimensions, known at compile time")]
pub trait Rank: Dimension + sealed::Sealed + 'static {}

macro_rules! ranks {
    ($($type:ty)+) => { $(impl Rank for $type {} impl sealed::Sealed for $type {})+ };
}

ranks!(Ix1 Ix2 Ix3 Ix4);

mod sealed {
    pub trait Sealed {}
}
