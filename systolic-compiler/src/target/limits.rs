//! Limits of the language: what a kernel or a call may ask for. A law or a check at the call refuses what exceeds them.
use systolic_sets::Int;

/// Groups inside groups. Beyond it rustc would overflow its stack before the macro could answer.
pub const NESTING: usize = 128;

/// Tokens per block, with those inside groups.
pub const TOKENS: usize = 200_000;

/// Levels of an expression tree: later stages recurse over it.
pub const EXPRESSION_DEPTH: usize = 512;

/// The largest constant in an index, bound, dimension or matrix. With it no sum of products in a law overflows.
pub const NUMBER: Int = 1 << 40;

/// The largest coefficient of a loop or size: at sizes up to [`SIZE`] products then stay within 64 bits.
pub const COEFFICIENT: Int = 1 << 20;

/// Combinations of generics per kernel.
pub const INSTANCES: usize = 1024;

/// Dimensions of an array.
pub const DIMENSIONS: usize = 4;

/// Loops of `launches`.
pub const LAUNCH_LOOPS: usize = 2;

/// Distances between blocks in order along which a block may wait.
pub const BLOCK_DISPLACEMENTS: usize = 32;

/// The largest entry of an order of blocks that is searched for one by one.
pub const SMALL_TICKETS: Int = 3;

/// Warps that `resident` may ask for: every GPU holds as many, with 64 registers per lane.
pub const RESIDENT: Int = 32;

/// Steps that `ahead` may ask for.
pub const AHEAD: Int = 256;

/// The largest shift of a variable along a loop, on either side of zero.
pub const SHIFT: Int = 1 << 12;

/// The largest dimension of a `const` parameter: more than a launch or a list of literals can hold.
pub const CONST_DIMENSION: Int = 1 << 20;

/// Copies of the body per step: fold times unrolled rows.
pub const BODIES: Int = 4096;

/// The largest size at run time; `systolic-runtime` checks it at every call.
pub const SIZE: Int = 1 << 36;

/// The largest loop value at run time, on either side of zero; checked at every call.
pub const LOOP: Int = 1 << 40;

/// The largest index that a body may compute at run time; checked at every call where it could be exceeded.
pub const INDEX: Int = 1 << 62;

/// Up to this size most kernels cannot exceed [`LOOP`] and [`INDEX`], and a call does not check them.
pub const NEAR: i64 = 1 << 20;

/// The most sizes of a kernel whose calls compare shapes without the runtime. The runtime keeps this many without an allocation.
pub const NEAR_SIZES: usize = 4;

/// Bytes of scratch memory per block on a CPU, unless `Limits` raises it.
pub const SCRATCH_BYTES: Int = 1 << 30;

/// Evaluations of the equations per block that are free, however few points the block has.
pub const FREE_EVALUATIONS: Int = 1 << 18;

/// Further evaluations per point, unless `Limits` raises it.
pub const EVALUATIONS_PER_POINT: Int = 64;

/// The leading axes along which a mesh can cut a kernel.
pub const MESH_AXES: usize = 3;

/// Names that a message lists at most: as many as there are functions, and some more.
pub const LISTED_NAMES: usize = 24;
