//! Faults that are planted on purpose, by number, to check that the tests notice them. Empty without the feature `planted`.

#[cfg(feature = "planted")]
mod faults {
    use std::cell::Cell;

    thread_local!(static PLANTED: Cell<u32> = const { Cell::new(0) });

    /// What is broken under each number, starting at 1.
    pub const FAULTS: &[&str] = &[
        "a rotation one step too long",
        "a shuffle one lane off",
        "the register of a fold's source is the reader's",
        "copies are not fed",
        "the neighbour warp on the wrong side",
        "a row read one step off",
        "a row read one lap off",
        "a ring read one step off",
        "tile edges are not split",
        "a store does not ask for the tile",
        "rims are stored",
        "rows need not agree",
        "the other side of an `if` is needed",
        "a load is needed by its first reader only",
        "a copy is fed its reader's element",
        "a copy beyond the rim is not fed",
        "all values of a variable share a register",
        "a choice leaves the loop that decides it",
        "a load leaves the loop that needs it",
        "no barrier within a step",
        "a run-time loop ends one step early",
        "a row has one lap fewer",
        "quotients are rounded to zero",
        "a comparison holds from -1 on",
        "remainders ignore the place",
        "a peeled loop starts at 0",
        "a ring has one slot fewer",
        "no barrier where rows are handed over",
        "rows between warps are handed over by a warp",
        "no barrier at the end of a step",
        "a staged box one cell too small",
        "no barrier before a box is filled",
        "no barrier behind a box",
        "bounds decide one too early",
        "implication the other way round",
        "a decided choice takes the other side",
        "what a piece knows is the contrary",
        "the steady piece begins one step early",
        "the steady piece ends one step late",
        "a shared read looks one step too early",
        "a shared read looks to the other side",
        "a shared read is not loaded where nothing is there yet",
        "a loop that is counted across is shortened",
        "a tile's last loop is too short",
        "a piece forgets a store without conditions",
        "an element past the end counts as inside",
        "a wide load does not ask where its border leads back",
        "a block at an edge counts as one within",
        "a rim is loaded one lane off",
        "a group runs one step too late",
        "a comparison is divided and rounded up",
        "a loop stops one step before its last store",
        "a wide load does not follow its border along its other axes",
        "a wide load asks for its first element alone",
        "what is stored together is asked for its first element alone",
        "neighbours past the end of a row are not told",
        "a border leads neighbours back together in any row",
        "a line runs before the loads that it needs",
        "a section continues with loads that the one before did not issue",
        "the first loads are for one step later",
        "loads are issued one step too late",
        "an unrolled copy takes the loads of the next",
        "loads are issued for a step after the last",
        "the loads of the last step are those of the one before",
        "the epilogue knows what the steady state knows",
        "an interior version does not ask for its first condition",
        "what borders decide counts as decided",
        "the lines of a step are reversed",
        "the law `defined` is not asked",
        "the law `bounds` is not asked",
        "the law `outputs` is not asked",
        "the law `collision` is not asked",
        "the law `causality` is not asked",
        "the law `broadcast` is not asked",
        "the law `blocks` is not asked",
        "only the first class of a read is asked",
        "the law `lanes` is not asked",
        "the loops do not grow by a shift",
        "a shifted store does not ask for its own points",
        "a shifted equation reads the elements of another point",
        "a shifted variable is read at the distance that is written",
        "the indices of a table are exchanged",
        "blocks take tickets by rows",
        "a face keeps one launch too few",
        "a face keeps one iteration too few",
        "a face is used where it keeps nothing",
        "a block does not wait for one of the others",
        "a face is read at the point of the reader",
        "a face is filled at places that are no points",
        "a block waits for a block nearer than the one it reads",
        "a read of a corner takes any face",
        "a block takes the length of the next item",
        "a producer in another item has the lengths of its reader",
        "the law `outputs` does not look for elements that nothing stores",
        "the grid is that of the shortest items",
        "rows of faces are as long as their loop",
        "a loop that runs twice is taken to run once",
        "a number drops out of a maximum that may be less",
        // Streams
        "a condition that changes decides for all steps which lanes have a row in a stream",
        "all lanes read the first row of a stream",
        "no barrier between the copy of a chunk and its steps",
        "no barrier between the steps of a chunk and the copy to memory",
        "the next chunk is copied into the buffer that is read",
        "a chunk is computed before its copy has ended",
        // Loops whose bounds depend on outer loops
        "a loop ends one iteration early where an outer loop ends it",
    ];

    /// Under these numbers a law is disabled, so that kernels it should reject are accepted.
    pub const OF_LAWS: std::ops::RangeInclusive<u32> = 69..=77;

    /// Under these numbers laws know too much of lengths or outputs.
    pub const OF_LENGTHS: std::ops::RangeInclusive<u32> = 93..=94;

    /// Under these numbers shifts are broken, which maps have already taken when they are proved.
    pub const OF_SHIFTS: std::ops::RangeInclusive<u32> = 78..=81;

    /// Under this number tickets are broken, which maps have already taken when they are proved.
    pub const OF_TICKETS: u32 = 83;

    /// The law that is skipped.
    pub fn planted_law() -> Option<&'static str> {
        Some(match PLANTED.get() {
            69 => "defined",
            70 => "bounds",
            71 => "outputs",
            72 => "collision",
            73 => "causality",
            74 => "broadcast",
            75 => "blocks",
            77 => "lanes",
            _ => return None,
        })
    }

    /// Plants a fault in this thread; 0 plants none.
    pub fn plant(number: u32) {
        PLANTED.set(number);
    }

    pub fn planted(number: u32) -> bool {
        PLANTED.get() == number
    }
}

/// Under this number two blocks run as one wherever they can, also where that is slower. It is no fault: results stay the same. Random
/// kernels seldom compute enough for pairs, and this lets many of them run so.
pub const ALL_PAIRS: u32 = 10_000;

#[cfg(feature = "planted")]
pub use faults::{FAULTS, OF_LAWS, OF_LENGTHS, OF_SHIFTS, OF_TICKETS, plant, planted, planted_law};

/// Whether the fault of this number is planted.
#[cfg(not(feature = "planted"))]
pub const fn planted(_: u32) -> bool {
    false
}

/// The law that is skipped: none.
#[cfg(not(feature = "planted"))]
pub const fn planted_law() -> Option<&'static str> {
    None
}
