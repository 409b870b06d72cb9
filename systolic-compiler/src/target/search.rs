//! Bounds and first guesses of the search for a map. Each was chosen by trials with the kernels of `bench/gpu` on an H200.
use systolic_sets::Int;

/// Elements of the largest array at which candidates are compared.
pub const NOMINAL_ELEMENTS: Int = 1 << 27;

/// Iterations of the longest loop that is unrolled.
pub const SHORT_LOOP: Int = 32;

/// Structures that are proved and costed per kernel.
pub const STRUCTURES: usize = 40;

/// Structures whose numbers are improved.
pub const IMPROVED: usize = 3;

/// Candidates that are costed per improved structure.
pub const TRIALS: usize = 40;

/// Loops that are tried across the lanes.
pub const LANE_LOOPS: usize = 3;

/// Bytes per lane of the first guess at a fold: one wide access.
pub const FIRST_BYTES: Int = 16;

/// Rows per warp of the first guess at a short tile.
pub const FIRST_ROWS: Int = 4;

/// Rows of the first guess at a band.
pub const BAND: Int = 128;

/// Warps that candidates ask a multiprocessor to hold.
pub const RESIDENTS: [Option<Int>; 6] = [None, Some(8), Some(12), Some(16), Some(24), Some(32)];

/// Prefetch distances of candidates.
pub const AHEADS: [Option<Int>; 6] = [None, Some(0), Some(1), Some(2), Some(4), Some(8)];

/// Bytes per lane of the largest fold.
pub const FOLD_BYTES: Int = 32;

/// Rows of the longest unrolled tile.
pub const ROWS: Int = 16;

/// Points of the longest strip of a lane.
pub const STRIPS: Int = 16;
