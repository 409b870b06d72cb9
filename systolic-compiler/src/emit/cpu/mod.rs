//! A warp program as Rust over vectors of 32 lanes: the code of one block, which the runtime runs at the machine's feature
//! level. The emitted code is safe; all unsafe code is in the runtime.
//!
//! | file | contents |
//! | --- | --- |
//! | `run` | the code of a kernel's `run_into` |
//! | `block` | the code of a block: loops, phases, warps, registers, rings, rows |
//! | `far` | launches, the order of blocks, and values between them |
//! | `rows` | values of earlier iterations of an outer loop |
//! | `spans` | the innermost loop, where its accesses are checked before it |
//! | `value` | a value of the body |
//! | `walk` | accesses in which each lane moves along its own row |
//! | `window` | rows that several loads share |
//! | `predicates` | conditions, each evaluated before the loop that does not change it |
//! | `listing` | nothing: the code of a block as text, for tools |
//! | `place` | affine forms and conditions of the place: the part that all lanes share, and the part of each lane |
mod block;
mod far;
#[cfg(feature = "tools")]
mod listing;
mod place;
mod predicates;
mod rows;
mod run;
mod spans;
mod value;
mod walk;
mod window;

#[cfg(feature = "tools")]
pub use listing::listing;
#[cfg(feature = "cuda")]
pub use place::bound;
pub use run::{code, is_on_all_cpus};
