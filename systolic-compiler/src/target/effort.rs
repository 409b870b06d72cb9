//! Bounds on the work of the compiler itself. Where one is reached the compiler gives up an improvement or says "could not
//! decide"; it never accepts more. All were chosen so that no kernel takes longer than `docs/speed.md` says.
use systolic_sets::Int;

/// Values that `reach` enumerates before it gives up.
pub const REACH_VALUES: usize = 200_000;

/// Reads on the longest cycle that the search for a ring follows.
pub const RING_WALK: usize = 5;

/// Questions to the solver per search for a ring.
pub const RING_QUESTIONS: usize = 400;

/// Values that a search for a ring enumerates.
pub const RING_VALUES: usize = 20_000;

/// Time rows that are tried for a suggestion.
pub const ROW_TRIALS: usize = 120;

/// Values that the evaluator holds at a time: about a billion bytes.
pub const EVALUATOR_VALUES: usize = 1 << 26;

/// Cells that the interpreter holds at a time.
pub const INTERPRETER_CELLS: usize = 1 << 22;

/// Operations per step that are written out. Beyond it neither this compiler nor rustc would end soon.
pub const WRITTEN_OPERATIONS: usize = 40_000;

/// Conditions around an operation up to which it counts as one; each further one counts as one more.
pub const NESTED_CONDITIONS: usize = 8;

/// Rounds of the search for equal values: each finds those that depend on the last round.
pub const EQUAL_VALUE_ROUNDS: usize = 16;

/// Rounds in which windows may grow. Those that still grow afterwards have no end.
pub const WINDOW_ROUNDS: usize = 64;

/// Conditions per conjunction that are compared with each other.
pub const IMPLIED_CONDITIONS: usize = 16;

/// Conditions per disjunction that are compared with each other.
pub const IMPLIED_ALTERNATIVES: usize = 64;

/// Ways to bound a form that are tried.
pub const BOUND_WAYS: usize = 16;

/// Default maps that the laws are asked about per kernel.
pub const DEFAULT_MAP_PROOFS: usize = 24;

/// Ways to complete an open map that the laws are asked about.
pub const FILLINGS: usize = 256;

/// Operations of an expression that is computed at every point instead of being passed on: about as many as a value takes to be moved
/// between lanes, or through memory.
pub const PASSED_OPERATIONS: usize = 8;

/// Sets of shifts for which a default map is searched.
pub const SHIFTS: usize = 4;

/// Orders of the loops for which shifts are computed.
pub const SHIFT_ORDERS: usize = 6;

/// Exact ranges that are computed per program.
pub const EXACT_RANGES: usize = 400;

/// Sums of two forms that each form takes part in.
pub const SUMS_OF_TWO: Int = 8;

/// Sums of three forms that each form takes part in.
pub const SUMS_OF_THREE: Int = 4;

/// Sums per form whose exact range is computed.
pub const SUMS_WITH_EXACT_RANGE: Int = 4;

/// Loop nests that are listed per kernel.
pub const NESTS: usize = 24;

/// Rows across several loops that are tried as the outermost one.
pub const FRONTS: usize = 12;

/// The largest coefficient of such a row.
pub const FRONT_COEFFICIENT: Int = 2;

/// Changes of a kernel that are tried for an advice, times its instances: a trial proves all of them.
pub const ADVICE_TRIALS: usize = 240;

/// Changes that are tried however many instances there are.
pub const ADVICE_TRIALS_AT_LEAST: usize = 4;

/// How much of a block the cost model simulates; where there is more, this represents all.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Iterations of outer loops.
    pub iterations: usize,
    /// Steps per loop section.
    pub steps: Int,
}

/// For a prediction that stands alone.
pub const EXACT: Sample = Sample { iterations: 256, steps: 192 };

/// For a search, which compares many candidates.
pub const QUICK: Sample = Sample { iterations: 8, steps: 24 };

/// Rounds in which the load of the memory and its latency are brought together.
pub const COST_ROUNDS: usize = 8;

/// Rows across several loops that are listed before the search for an order gives up.
pub const ROWS_LISTED: usize = 5000;

/// Sequential loops of which all orders are tried for a suggestion.
pub const REORDERED_LOOPS: usize = 4;

/// Sizes at which a cycle is looked for by following the reads, beginning with the least.
pub const SIZES_FOLLOWED: usize = 6;

/// Blocks per axis of the grid that the interpreter runs.
pub const INTERPRETER_BLOCKS: i64 = 1 << 16;

/// Levels of blocks in order that the cost model counts one by one; beyond it, it takes them all to be equal.
pub const LEVELS: usize = 1 << 20;

/// Terms of a sum that are told apart where an operand of `min` or `max` might be a negative.
pub const TERMS: usize = 16;

/// The largest number that parts of a kernel begin at multiples of: beyond it, a part would be mostly halo.
pub const SPLIT_MODULUS: i128 = 1 << 16;

/// Multiples of a generic that are offered as the width of an overlap.
pub const OVERLAP_MULTIPLES: Int = 4;

/// Widths of an overlap that are tried, one after another.
pub const OVERLAP_WIDTHS: usize = 16;

/// Tiles that are tried where a wider overlap leaves too few lanes.
pub const OVERLAP_TILES: [Int; 6] = [28, 24, 20, 16, 12, 8];

/// Steps of a launch that are tried where no overlap is wide enough.
pub const OVERLAP_STEPS: [Int; 4] = [8, 4, 2, 1];
