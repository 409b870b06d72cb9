//! Bounds and first guesses of the search for a map. Each was chosen by trials with the kernels of `bench/gpu` on an H200.
use systolic_sets::Int;

/// Elements of the largest array at which candidates are compared.
pub const NOMINAL_ELEMENTS: Int = 1 << 27;

/// Iteration points at which candidates are compared, at most.
pub const NOMINAL_POINTS: Int = 1 << 40;

/// Iterations of the longest loop that is unrolled.
pub const SHORT_LOOP: Int = 32;

/// Operations of all programs that a search compiles. An unoptimised build script compiles 3 per millisecond.
pub const WORK: Int = 15_000;

/// Operations that even the smallest program counts as: proofs and the cost model take their time, too.
pub const LEAST_WORK: Int = 100;

/// Instructions and comparisons of a schedule that take as long as one operation of a program without conditions.
pub const WRITTEN_PER_OPERATION: Int = 2;

/// The percentage of the work after which no further structure is tried, only other numbers for the best.
pub const WORK_ON_STRUCTURES: Int = 40;

/// The same for structures that bring inputs to shared memory: their bodies are long.
pub const WORK_ON_STAGED: Int = 70;

/// Structures that are tried as long as there is work left for them.
pub const LEAST_STRUCTURES: usize = 3;

/// Structures whose numbers are improved.
pub const IMPROVED: usize = 2;

/// Operations of the longest body of a first guess.
pub const LONGEST_BODY: Int = 4000;

/// The most variants of a program, beside its first.
pub const VARIANTS: usize = 2;

/// Short sizes for which a variant may be faster.
pub const FEW: [Int; 2] = [1, 100];

/// How much faster a variant has to be, at some sizes.
pub const GAIN: f64 = 1.5;

/// Maps that a build script may try where the code of the best one uses local memory: each is one run of nvcc more.
pub const ALTERNATIVES: usize = 2;

/// The most time that such a map may take, as a multiple of the best one's.
pub const ALTERNATIVE_TIME: f64 = 4.0;

/// Loops that are tried across the lanes.
pub const LANE_LOOPS: usize = 3;

/// Bytes per lane of the first guess at a fold: one wide access.
pub const FIRST_BYTES: Int = 16;

/// Rows per warp of the first guess at a short tile.
pub const FIRST_ROWS: Int = 4;

/// Warps of the first guess at a block of short tiles.
pub const FIRST_WARPS: Int = 4;

/// Points per lane of the first guess at a wavefront.
pub const FIRST_STRIP: Int = 4;

/// Rows of the first guess at a band.
pub const BAND: Int = 128;

/// Rows per warp, and warps, of the first guess at a block that brings inputs to shared memory.
pub const STAGED_ROWS: (Int, Int) = (8, 8);

/// Bytes of a row of an input that a block brings to shared memory at a time, at first.
pub const STAGED_BYTES: Int = 64;

/// Iterations of the first guess at a tile of blocks in order.
pub const FIRST_TILE: Int = 64;

/// Iterations of an outer loop that one launch may have, beside a single one.
pub const FUSED_STEPS: [Int; 2] = [4, 8];

/// Warps that candidates ask a multiprocessor to hold.
pub const RESIDENTS: [Option<Int>; 6] = [None, Some(32), Some(24), Some(16), Some(12), Some(8)];

/// Prefetch distances of candidates.
pub const AHEADS: [Option<Int>; 8] = [None, Some(4), Some(8), Some(2), Some(1), Some(16), Some(0), Some(128)];

/// Bytes per lane of the largest fold.
pub const FOLD_BYTES: Int = 32;

/// Rows of the longest unrolled tile.
pub const ROWS: Int = 16;

/// Points of the longest strip of a lane.
pub const STRIPS: Int = 16;

/// Registers that nvcc uses, as a part of those that the cost model counts, in code without a loop: it moves loads down to their
/// uses. From about 300 candidates on an H200, as are the four numbers below.
pub const REGISTERS_STRAIGHT: f64 = 0.6;

/// The same in a loop, where it keeps addresses, and copies of carried values.
pub const REGISTERS_LOOP: f64 = 1.34;

/// What it costs if nvcc would use twice the registers that there are, as a part of the time, in code without a loop.
pub const CROWDED_STRAIGHT: f64 = 0.4;

/// The same in a loop.
pub const CROWDED_LOOP: f64 = 1.0;

/// What a loop costs beyond the prediction, as a part of the time.
pub const LOOP_COST: f64 = 0.08;

/// What one point per lane costs beyond the prediction, as a part of the time.
pub const NARROW_COST: f64 = 0.2;

/// Sizes of an unrolled tile that `_` may stand for.
pub const SHORT_TILES: [Int; 5] = [4, 2, 8, 1, 16];

/// Sizes of another tile that `_` may stand for.
pub const BLOCK_TILES: [Int; 9] = [128, 64, 32, 256, 16, 8, 4, 2, 1];

/// Copies of the body that a map with open numbers is taken to have.
pub const COPIES_GUESS: Int = 16;

/// Limits of the predicted time that are named beside a map that was found.
pub const SHOWN_ROOFS: usize = 3;
