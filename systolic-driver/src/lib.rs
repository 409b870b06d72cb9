//! Loads the CUDA driver when it is first called. Every function that `cust` or the runtime calls is defined here and forwards to
//! `libcuda.so.1`. So a program builds without a CUDA toolkit and starts without a driver; without one every call returns an error
//! code.
//!
//! `src/table.rs` lists the functions. It is generated from the bindings by `examples/table.rs`, which says how.
//!
//! # Other crates that use the driver
//!
//! - A crate that loads the driver's library itself, as `cudarc` does, is not concerned: the two meet in the driver only.
//! - A crate that links it (`-lcuda`) gets the functions above from here, with the same results, but codes that are newer than the
//!   bindings of `cust` become 999. All others it gets from the `libcuda.so` that the build script finds in `LIBRARY_PATH`,
//!   in a toolkit (`CUDA_PATH`, `CUDA_HOME`, `CUDA_ROOT`, `CUDA_TOOLKIT_ROOT_DIR`, `CUDA_LIBRARY_PATH`, `/usr/local/cuda`,
//!   `/opt/cuda`) or in the folders of the system. Such a program needs the driver to start.
//! - The same holds for functions of `cust::sys` that `cust` itself does not call: there are 353, and `cust` calls a third of them.
//! - A `cdylib` exports the functions above, as rustc exports every function with a fixed name. An executable exports none.
#![deny(missing_docs)]

mod codes;
mod forward;
mod library;
mod table;

pub use codes::{last, name, text};
