//! A warp program as Rust over vectors of 32 lanes: one block, run by the runtime at the feature level of the machine.
//! Emitted code is safe; what is not stands in the runtime.
//!
//! | file | gives |
//! | --- | --- |
//! | `run` | the code of a kernel's `run_into` |
//! | `block` | the code of a block: loops, phases, warps, registers, rings, rows |
//! | `value` | a value of the body |
//! | `walk` | lanes that walk along rows of their own |
//! | `window` | rows that several loads share |
//! | `ahead` | hints for strips that walk down rows |
//! | `live` | how wide groups of lanes may be |
//! | `tests` | conditions, each evaluated where its loop opens |
//! | `place` | forms and conditions of the place: the part all lanes share, and what each lane adds |
mod ahead;
mod block;
mod live;
mod place;
mod run;
mod tests;
mod value;
mod walk;
mod window;

pub use place::bound;
pub use run::code;
