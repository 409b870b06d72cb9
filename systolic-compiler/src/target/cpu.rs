//! What is known of CPUs, and the tuning of code for them. The weights are in vector operations, as `schedule/weight.rs` counts
//! them; where a number was measured the page is named, the others come from trials with `cargo xtask bench`.
use systolic_sets::Int;

/// The weight above which a block has no code for the plain level where there are others: hardly any CPU lacks them.
/// There the map runs point by point.
pub const PLAIN_WEIGHT: usize = 60;

/// The weight above which a block is compiled for AVX2 or NEON only: CPUs with AVX-512 have AVX2 too.
pub const AVX512_WEIGHT: usize = 1100;

/// The weight above which the map runs point by point. It keeps the build of a kernel below 5 s: `docs/speed.md`.
pub const MOST_WEIGHT: usize = 1800;

/// Bytes of scratch memory per point of a block above which most of them are never used.
pub const SCRATCH_BYTES_PER_POINT: Int = 256;

/// Bytes of scratch memory above which it is worth asking which reads some point makes.
pub const MUCH_SCRATCH: Int = 1 << 24;

/// Bytes of the smallest cell of 32 lanes: cells lie on cache lines of their own.
pub const CELL_BYTES: Int = 64;

/// Iterations of a loop that a row of scratch memory keeps, from which on the memory follows the extent of the loop.
pub const LONG_ROW: Int = 8;

/// The same where the loop is the innermost.
pub const LONG_INNER_ROW: Int = 1024;

/// Accesses per body that are inlined; where there are more, each is a call.
pub const INLINE_ACCESSES: usize = 24;

/// Prefetch distance in elements, for a strip of 32 lanes that stands alone.
pub const PREFETCHED_ELEMENTS: Int = 64;

/// Prefetch distance in rows, in a long strip.
pub const PREFETCHED_ROWS: Int = 16;

/// Rows that make a strip long: when the next one begins, the cache has lost what was prefetched for it.
pub const LONG_STRIP: Int = 512;

/// Elements of a row within which a strip is narrow, so that the hardware does not see it move along the row.
pub const NARROW_STRIP: Int = 512;

/// Prefetches per step; more would cost more than they gain.
pub const PREFETCHES: usize = 8;

/// Elements that one prefetch covers.
pub const PREFETCH_COVERS: Int = 32;

/// Iterations that make a loop long.
pub const LONG_LOOP: Int = 96;

/// Values that one `let` declares. Every `let` opens a scope inside the one before, and the debug information of
/// rustc recurses over them.
pub const VALUES_PER_LET: usize = 64;

/// Steps that the runtime takes together; a shorter loop is not worth it.
pub const STEPS_TOGETHER: Int = 16;

/// The largest stride between lanes that the runtime reads from a window: that of 3×3 matrices.
pub const WINDOW_STRIDE: Int = 9;

/// The largest distance between the elements of a total at which rustc's vectoriser is still faster than a lane per total.
pub const TOTAL_STRIDE: Int = 4;

/// Elements and operations of an iteration that does little: as many as a CPU computes in the time in which it transposes an element.
pub const LIGHT_STEP: usize = 6;

/// The most elements of short axes that are merged with the axis of the lanes.
pub const MERGED_ELEMENTS: Int = 64;

/// The largest distance between two loads of a row that a mask of 63 elements serves at its ends.
pub const EDGE_REACH: Int = 31;

/// Groups of elements beyond the ends of a row that masks serve: the neighbours of a picture's filter of 7 columns.
pub const GROUPS_BEYOND: Int = 3;

/// Elements per window.
pub const WINDOW_ELEMENTS: Int = 512;

/// Operations of a step that is not too long.
pub const SHORT_STEP: usize = 96;

/// Values computed before a loop that may be held in registers.
pub const HELD_VALUES: usize = 12;

/// Iterations of the longest inner loops that a default map unrolls.
pub const UNROLLED_LOOP: usize = 32;

/// Elements that all lanes share, loaded before a loop, that may be operands of its steps.
pub const SHARED_VALUES: usize = 32;

/// The cost that a loop may have, in percent of the code that it replaces.
pub const ROLLED_COST: Int = 130;

/// Points per row and rows of a chunk, the block of a default map. A block takes about 100 ns to start, which is 500 points of a
/// simple kernel; more points would leave too few blocks for the cores. From trials with `bench/plain`.
pub const CHUNK: [Int; 2] = [4096, 32];

/// The same where there may be only one row.
pub const LONG_CHUNK: [Int; 2] = [16384, 8];

/// Iterations of a loop that are too few for lanes which wait for each other: they take longer than one lane alone.
pub const FEW_LANES: Int = 4;

/// How many iterations of the loop around the innermost one are jammed, the best first.
pub const JAMS: [Int; 2] = [8, 4];

/// The weight above which fewer are jammed.
pub const JAMMED_WEIGHT: usize = 900;

/// How many iterations of a block loop are jammed. More would be idle where there are fewer, and gain little.
pub const JAMMED_BLOCKS: Int = 4;

/// The weight above which none are jammed: a long step keeps a CPU busy by itself.
pub const JAMMED_BLOCKS_WEIGHT: usize = 400;
