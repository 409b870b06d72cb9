//! Loads the CUDA driver when it is first called. Every function that the bindings of `cust` declare is defined here and
//! forwards to `libcuda.so.1`. So a program builds without a CUDA toolkit and starts without a driver; without one every
//! call returns an error code.
//!
//! `src/table.rs` lists the functions. It is generated from the bindings by `examples/table.rs`, which says how.
#![deny(missing_docs)]

mod codes;
mod forward;
mod library;
mod table;

pub use codes::{last, name, text};
