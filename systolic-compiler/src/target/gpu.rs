//! What is known of GPUs. Laws, passes and the cost model read it here; another GPU is another value of [`Gpu`].
#[cfg(feature = "search")]
use super::timing::{self, Timing};
use systolic_sets::Int;

/// Lanes per warp, on every GPU that runs CUDA.
pub const LANES: Int = 32;

/// The same, for arrays with one element per lane.
pub const WARP: usize = 32;

/// Axes of a grid of blocks.
pub const GRID_AXES: usize = 3;

/// The lowest architecture. Its PTX runs on all later ones.
pub const LOWEST_ARCHITECTURE: u32 = 75;

/// The first architecture that copies from memory to shared memory without waiting. Units that do so have a second PTX for it.
pub const COPIES_ARCHITECTURE: u32 = 80;

/// The first architecture that adds and compares both halves of a register at a time. Units that do so have a second PTX for it.
pub const HALVES_ARCHITECTURE: u32 = 90;

/// The architectures of all second PTX.
pub const LATER_ARCHITECTURES: [u32; 2] = [COPIES_ARCHITECTURE, HALVES_ARCHITECTURE];

/// The architecture of [`H200`], for which code is judged.
pub const JUDGED_ARCHITECTURE: u32 = 90;

/// The blocks that a multiprocessor of every architecture since then holds at a time.
pub const BLOCKS_EVERYWHERE: Int = 16;

/// The bytes of shared memory that a block may have on every architecture.
pub const SHARED_EVERYWHERE: Int = 48 * 1024;

/// One GPU. The numbers come from NVIDIA's tables of compute capabilities.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Its name.
    pub name: &'static str,
    /// Its architecture: 90 is compute capability 9.0.
    pub architecture: u32,
    /// Warps per block.
    pub block_warps: Int,
    /// Bytes of a kernel's parameters.
    pub parameter_bytes: Int,
    /// Registers of 4 bytes per lane.
    pub lane_registers: Int,
    /// Registers per multiprocessor.
    pub registers: usize,
    /// A lane gets registers in multiples of this.
    pub register_unit: usize,
    /// Warps per multiprocessor.
    pub warps: usize,
    /// Blocks per multiprocessor.
    pub blocks: usize,
    /// Bytes of shared memory per block.
    pub block_shared_bytes: Int,
    /// Bytes of shared memory per multiprocessor.
    pub shared_bytes: usize,
    /// A block gets shared memory in multiples of this many bytes.
    pub shared_unit: usize,
    /// Bytes of shared memory per block that the driver takes.
    pub shared_reserved: usize,
    /// Banks of shared memory, each one word wide.
    pub banks: Int,
    /// Bytes of a word: a register, or a bank of shared memory.
    pub word_bytes: usize,
    /// Bytes per lane of the widest access.
    pub access_bytes: usize,
    /// Bytes per request to the second cache.
    pub sector_bytes: Int,
    /// Bytes per line of the first cache.
    pub line_bytes: Int,
    /// How fast it is.
    #[cfg(feature = "search")]
    pub timing: Timing,
}

/// NVIDIA's H200, compute capability 9.0.
pub const H200: Gpu = Gpu {
    name: "NVIDIA H200",
    architecture: JUDGED_ARCHITECTURE,
    block_warps: 32,
    parameter_bytes: 4096,
    lane_registers: 255,
    registers: 65_536,
    register_unit: 8,
    warps: 64,
    blocks: 32,
    block_shared_bytes: 232_448,
    shared_bytes: 233_472,
    shared_unit: 128,
    shared_reserved: 1024,
    banks: 32,
    word_bytes: 4,
    access_bytes: 16,
    sector_bytes: 32,
    line_bytes: 128,
    #[cfg(feature = "search")]
    timing: timing::H200,
};
