//! The arithmetic of kernels, defined once and bit by bit, so that every executor agrees. [`ops`] is for generated
//! code, [`Value`] for evaluators; both call the same definitions.
//!
//! The rules:
//!
//! - `f16` and `bf16` compute each operation in `f32`, fma too, and round to nearest even.
//! - Integers wrap. `/` truncates; `/` and `%` by 0 give 0; shift counts are taken modulo the
//!   width; `>>` keeps the sign of signed integers.
//! - Float `%` is the exact remainder with the sign of the dividend.
//! - `min` and `max` return the other operand if one is NaN, and order −0 below +0.
//! - `fma` rounds once. On integers it is the wrapping product and sum.
//! - `exp`, `sin`, `pow` and the like are the fixed sequences of [`elementary`]; `floor`, `ceil`, `round`, `round_even` and
//!   `trunc` are exact.
//! - Casts are Rust's `as`; those to `f16` and `bf16` round the exact value once.
//!
//! Only the sign and payload of a NaN are unspecified: see [`Value::same_bits`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod casts;
pub mod elementary;
mod floats;
mod halves;
mod integers;
mod literals;
mod operations;
pub mod ops;
mod traits;
mod types;
mod value;
#[cfg(not(feature = "half"))]
mod words;

#[cfg(feature = "half")]
pub use half::{bf16, f16};
pub use literals::{int_fits, parse_float};
pub use operations::{BinaryOp, CompareOp, UnaryOp};
pub use traits::{Bits, CastTo, Float, Integer, Number, Scalar};
pub use types::Type;
pub use value::Value;
#[cfg(not(feature = "half"))]
pub use words::{bf16, f16};
