//! A warp's 32 lanes as CPU vectors, all at once or by groups: one vector type an element type and feature level, the blocks of a launch over
//! the cores, arrays read and written by lanes. Every operation gives the bits of `systolic_arith::ops`, lane by lane.
//!
//! A value of a level's vector exists only where the CPU has that level: vectors are made by a level's token
//! ([`Simd`]), and [`launch`] makes a token only after it has asked the CPU. So all of this is safe to call.
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod called;
mod cast;
mod each;
mod input;
mod lane;
mod launch;
mod level;
#[cfg(target_arch = "x86_64")]
mod narrow;
#[cfg(target_arch = "aarch64")]
mod neon;
mod offsets;
mod output;
mod prefetch;
mod register;
mod rows;
mod turn;
mod vector;
mod walk;
mod window;
mod zeros;

pub use each::{Each, all_if, small};
pub use input::In;
pub use launch::{Block, is_plain, launch, launch_on, opaque};
pub use level::{Level, Plain, Simd, level};
pub use offsets::{Offsets, index, mask_at_least, mask_down, mask_remainder, mask_up, mask_zero};
pub use output::Out;
use prefetch::prefetch;
pub use rows::{Rows, Scratch};
pub use vector::{Element, Vector};
pub use walk::{Fetched, Pending};
pub use window::{Room, within, within_row, within_same};
pub(crate) use zeros::zeros;

/// The lanes of a warp.
pub const LANES: usize = 32;

/// A set of lanes: bit l is lane l.
pub type Mask = u32;

/// Every lane.
pub const ALL: Mask = Mask::MAX;
