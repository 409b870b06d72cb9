//! Runs warps on a CPU: the 32 lanes of a warp are CPU vectors, all at once or in groups. There is one vector type per element
//! type and feature level. The blocks of a launch are spread over the cores, and lanes read and write arrays together. Every
//! operation gives the bits of `systolic_arith::ops`, lane by lane.
//!
//! A vector of a level exists only if the CPU has that level: vectors are created by the level's token ([`Simd`]), and
//! [`launch`] creates a token only after it has checked the CPU. So all of this is safe to call.
// An unoptimised build has only the plain level, and is shorter by the others: what they share has no use there.
#![cfg_attr(not(optimised), allow(unused))]

#[cfg(all(optimised, target_arch = "x86_64"))]
mod apart;
#[cfg(all(optimised, target_arch = "x86_64"))]
mod avx2;
#[cfg(all(optimised, target_arch = "x86_64"))]
mod avx512;
mod called;
mod cast;
mod divide;
mod each;
mod face;
mod input;
mod joined;
mod lane;
mod launch;
mod level;
#[cfg(all(optimised, target_arch = "x86_64"))]
mod long;
#[cfg(all(optimised, target_arch = "x86_64"))]
mod narrow;
#[cfg(all(optimised, target_arch = "x86_64"))]
mod narrow512;
#[cfg(all(optimised, target_arch = "aarch64"))]
mod neon;
mod offsets;
mod ordered;
mod output;
#[cfg(all(optimised, target_arch = "x86_64"))]
mod picked;
mod prefetch;
mod register;
mod rows;
mod span;
mod transpose;
mod vector;
mod walk;
mod window;
mod zeros;

pub use crate::order::Order;
pub use each::{Each, all_if, lookup, small};
pub use face::{Face, check_faces};
pub use input::In;
pub use joined::joined;
pub use launch::{Block, is_plain, launch, launch_in_order, launch_on, opaque, without_level};
pub use level::{Level, Plain, Simd, level};
pub use offsets::{Offsets, index, is_between, mask_at_least, mask_down, mask_remainder, mask_up, mask_zero};
pub use output::Out;
use prefetch::prefetch;
pub use rows::{Rows, Scratch, not_negative, slots};
pub use span::{Line, Part, Reach, Span, Steps, Track, more};
pub use vector::{Element, Vector};
pub use walk::{Fetched, Pending};
pub use window::{Edge, Room, within, within_edge, within_groups, within_phase, within_row, within_same};
pub(crate) use zeros::zeros;

/// The number of lanes of a warp.
pub const LANES: usize = 32;

/// A set of lanes: bit l is lane l.
pub type Mask = u32;

/// Every lane.
pub const ALL: Mask = Mask::MAX;
