//! Kernels of `systolic!` on arrays that are distributed over a mesh of ranks.
//!
//! A rank is a thread of this process ([`threads`]) or a process that MPI started (feature `mpi`). Every rank has its part of
//! an array, and `kernel::run_on(&mesh, &device, …)` computes its part of the result. Which rows of its neighbours a rank reads
//! follows from the equations of the kernel. The result has the same bits as on one device, for any mesh.
//!
//! ```
//! use systolic::{Cpu, systolic};
//! use systolic_mesh::{DistributedArray, Mesh, threads};
//!
//! systolic! {
//!     kernel blur(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
//!         for r in 0..R, c in 0..C { y[r, c] = 0.25 * x[r - 1, c] + 0.5 * x[r, c] + 0.25 * x[r + 1, c]; }
//!     }
//! }
//!
//! let results = threads(3, |rank| -> Result<_, systolic_mesh::Error> {
//!     let mesh = Mesh::new(rank, &[3])?;
//!     let x = DistributedArray::from_fn(&mesh, (10, 4), |(r, c)| (r * c) as f32)?;
//!     let y = blur::run_on(&mesh, &Cpu, &x)?;
//!     y.gather(0)
//! });
//! let y = results.into_iter().next().unwrap().unwrap().unwrap().unwrap();
//! assert_eq!(y[[9, 2]], 0.25 * 16.0 + 0.75 * 18.0);
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod array;
#[doc(hidden)]
pub mod cut;
mod deal;
mod deal_run;
mod error;
mod exchange;
mod files;
mod fixed;
mod memory;
mod mesh;
mod message;
#[cfg(feature = "mpi")]
mod mpi;
#[doc(hidden)]
pub mod pieces;
#[doc(hidden)]
pub mod pipeline;
mod plan;
mod reduce;
mod run;
mod threads;
mod transport;

pub use array::DistributedArray;
pub use deal::{Deal, Dealt};
pub use error::{Error, Lost};
pub use fixed::MeshOf;
pub use mesh::Mesh;
#[cfg(feature = "mpi")]
pub use mpi::Mpi;
pub use threads::{Threads, threads};
pub use transport::Transport;
