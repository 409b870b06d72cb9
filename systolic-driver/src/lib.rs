//! The CUDA driver, found when it is first called: every function that the bindings of `cust` name is defined here and
//! passes its arguments on to `libcuda.so.1`. So a program builds without a toolkit and starts without a driver, where
//! every call then returns a code.
//!
//! `src/table.rs` lists the functions; `examples/table.rs` makes it from the bindings and says how.
#![deny(missing_docs)]

mod codes;
mod forward;
mod library;
mod table;

pub use codes::{last, name, text};
