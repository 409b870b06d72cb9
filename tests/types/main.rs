//! Every element type under every operation, at the limits of its range and beyond.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "../kernels/types.rs"]
mod kernels;
#[macro_use]
mod operands;
mod casts;
mod elementary;
mod expressions;
mod floats;
mod integers;
mod literals;
mod order;
