//! Tuning of the passes for GPUs: each number was chosen by trials with `cargo xtask bench-gpu` on an H200.
use systolic_sets::Int;

/// The assumed length of loops whose length is known at run time only. It decides which row is shorter, never what is
/// correct.
pub const ASSUMED_LENGTH: Int = 1 << 12;

/// How many times shorter a row without gaps must become when outer rows are subtracted: a small skew is the choice
/// of whoever wrote it.
pub const MUCH_SHORTER: Int = 8;

/// Delay in steps beyond which a value waits in memory and not in registers.
pub const ROTATED_STEPS: Int = 12;

/// Iterations of the longest innermost loop that is unrolled where the map does not say.
pub const UNROLLED_LOOP: Int = 16;

/// Iterations of the longest loop that a default map holds in registers.
pub const REGISTER_LOOP: Int = 16;

/// Instructions that are worth a branch of the whole warp.
pub const BRANCH_INSTRUCTIONS: usize = 400;

/// Points beyond which a tile that the block does not decide ends where its loop does: it may be mostly empty.
/// Shorter ones run in full, since a loop of constant length is faster.
pub const LONG_TILE: Int = 128;

/// Instructions of a loop that is unrolled for prefetching. The instruction cache holds 2048, and nvcc adds some.
pub const UNROLLED_INSTRUCTIONS: usize = 1700;

/// Iterations of the shortest loop that is prefetched for.
pub const PREFETCHED_LOOP: Int = 8;

/// Operations of the longest body that gets two versions, interior and boundary.
pub const TWO_VERSIONS: usize = 4000;

/// Operations of the longest body that gets a version without rows. In a longer one, rows are a small part of a step.
pub const VERSION_WITHOUT_ROWS: usize = 1000;

/// Operations of the longest body that gets three versions.
pub const THREE_VERSIONS: usize = 2500;

/// The most operands of nested minima or maxima that are reordered: all of them live until the last is there.
pub const REORDERED_OPERANDS: usize = 8;

/// Shared memory of a block up to which staged boxes are doubled. Two such blocks, or more, fit a multiprocessor of most GPUs.
pub const DOUBLE_BOX_BYTES: Int = 49_152;

/// Copies to a box that a lane makes one after another; more are in a loop.
pub const BOX_COPIES: Int = 8;

/// Bytes of the largest table that every block copies to shared memory.
pub const TABLE_BYTES: Int = 8192;

/// How often a lane must read a table for each cell that it copies, for several copies to be worth it.
pub const READS_PER_COPIED_CELL: Int = 8;

/// The most bytes that copies of a table may take, for each warp of the block. With more of them fewer warps would run.
pub const TABLE_COPIES_BYTES: Int = 11 * 1024;

/// Steps of the shortest loop whose rows go through shared memory.
pub const STREAMED_LOOP: Int = 64;

/// Bytes of a row that one chunk of a stream holds, at most and at least.
pub const STREAM_ROW_BYTES: Int = 512;
pub const STREAM_LEAST_ROW_BYTES: Int = 64;

/// Bytes of shared memory that the streams of a warp may take: four warps fit into a multiprocessor.
pub const STREAM_WARP_BYTES: Int = 54 * 1024;

/// Bytes of shared memory that a block with streams may take: every GPU has so much.
pub const STREAM_BLOCK_BYTES: Int = 60 * 1024;

/// Buffers per load of a stream, unless the map wants more to be under way.
pub const STREAM_BUFFERS: Int = 2;

/// Steps per chunk where every lane copies its own pieces, at most and at least.
pub const STREAM_OWN_STEPS: Int = 64;
pub const STREAM_LEAST_OWN_STEPS: Int = 16;

/// The largest prefetch distance whose loads wait in registers. More would not fit.
pub const AHEAD_IN_REGISTERS: Int = 16;

/// Copies per iteration of a loop that copies a chunk of a stream. More would take registers for their addresses.
pub const STREAM_COPIES: usize = 32;

/// Steps whose pieces of a stream are read from shared memory together: limited by the words per lane that they take, by their
/// instructions, and by a least and a greatest number.
pub const STREAM_GROUP_WORDS: Int = 32;
pub const STREAM_GROUP_INSTRUCTIONS: Int = 256;
pub const STREAM_GROUP: Int = 4;
pub const STREAM_MOST_GROUP: Int = 16;

/// Bytes per lane that are worth one wide access and shuffles.
pub const EXCHANGED_BYTES: usize = 8;

/// Elements per access above which stores are not exchanged: the step would wait for the shuffles.
pub const EXCHANGED_STORES: Int = 4;

/// Steps for which a loaded value is kept.
pub const REUSED_STEPS: Int = 12;

/// Words per lane that kept values may take; the other registers are for the step itself.
pub const REUSED_WORDS: Int = 128;

/// Operations of the longest body that is split into loop sections.
pub const SPLIT_OPERATIONS: usize = 8000;

/// Sizes at which the middle of a loop is its steady state.
pub const STEADY_SIZE: Int = 1_000_003;

/// Words per lane that a step fetches before anything else; more would take the registers of the step. Boundary
/// blocks use at most half of the registers, so that they do not limit interior blocks.
pub const FETCHED_WORDS: usize = 160;

/// Words per lane that are many.
pub const MANY_WORDS: Int = 32;

/// Prefetch distance where indices have 64 bits: those take the registers that a larger distance would need.
pub const AHEAD_WITH_64_BITS: usize = 4;

/// A way to prefetch, and the largest step for which it pays.
pub struct PrefetchWay {
    /// The prefetch distance in steps.
    pub distance: usize,
    /// The unroll factor.
    pub unroll: usize,
    /// Instructions of the unrolled loop. A longer step hides its loads by itself.
    pub longest: usize,
    /// Words per lane, of carried values and of prefetched loads together, on a GPU with 255 registers per lane.
    pub most_words: usize,
}

/// Ways to prefetch in interior blocks, the best first.
pub const PREFETCH_WAYS: [PrefetchWay; 3] = [
    PrefetchWay { distance: 3, unroll: 3, longest: UNROLLED_INSTRUCTIONS, most_words: 112 },
    PrefetchWay { distance: 2, unroll: 2, longest: UNROLLED_INSTRUCTIONS, most_words: 120 },
    PrefetchWay { distance: 1, unroll: 1, longest: usize::MAX, most_words: 136 },
];

/// Boundary blocks are few. They prefetch too, or interior blocks would wait for them, but are not unrolled.
pub const PREFETCH_AT_EDGES: [PrefetchWay; 1] =
    [PrefetchWay { distance: 1, unroll: 1, longest: usize::MAX, most_words: 170 }];

/// The same where wide accesses have a fallback to single ones, which takes registers.
pub const PREFETCH_ALONE_AT_EDGES: [PrefetchWay; 1] = [PrefetchWay { most_words: 110, ..PREFETCH_AT_EDGES[0] }];

/// Two blocks run as one if a step computes at least this many values for each that it loads or stores.
pub const PAIRED_WORK: usize = 4;
