//! Faults planted on purpose, by number, to see that the tests notice them. Without the feature `planted` there are none.

#[cfg(feature = "planted")]
mod faults {
    use crate::fault::Law;
    use crate::mapping::{Instance, Medium};
    use std::cell::Cell;

    thread_local!(static PLANTED: Cell<u32> = const { Cell::new(0) });

    /// What is broken under each number, from 1.
    pub const FAULTS: &[&str] = &[
        "a rotation one step too deep",
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
        "a settled choice takes the other side",
        "what a piece knows is the contrary",
        "the steady piece begins one step early",
        "the steady piece ends one step late",
        "a shared read looks one step too early",
        "a shared read looks to the other side",
        "a shared read is not loaded where nothing is there yet",
        "a loop that is counted across is shortened",
        "a tile's last loop is too short",
        "a piece forgets a store without conditions",
        "the law `defined` is not asked",
        "the law `bounds` is not asked",
        "the law `outputs` is not asked",
        "the law `collision` is not asked",
        "the law `causality` is not asked",
        "the law `broadcast` is not asked",
        "the law `blocks` is not asked",
        "only the first class of a read is asked",
        "the law `lanes` is not asked",
    ];

    /// From this number on the laws are broken, so that what they should refuse is accepted.
    pub const FIRST_OF_LAWS: u32 = 46;

    /// The law that is not asked.
    pub fn planted_law() -> Option<Law> {
        Some(match PLANTED.get() {
            46 => Law::Defined,
            47 => Law::Bounds,
            48 => Law::Outputs,
            49 => Law::Collision,
            50 => Law::Causality,
            51 => Law::Broadcast,
            52 => Law::Blocks,
            54 => Law::Lanes,
            _ => return None,
        })
    }

    /// Plants a fault in this thread; 0: none.
    pub fn plant(number: u32) {
        PLANTED.set(number);
    }

    pub fn planted(number: u32) -> bool {
        PLANTED.get() == number
    }

    /// The faults of the rule.
    pub fn wrong(medium: Medium, instance: &Instance) -> Medium {
        match (PLANTED.get(), medium) {
            (1, Medium::Rotation { source, lanes, depth }) => Medium::Rotation { source, lanes, depth: depth + 1 },
            (2, Medium::Rotation { source, lanes, depth }) if lanes != 0 => {
                Medium::Rotation { source, lanes: lanes - 1, depth }
            }
            (2, Medium::Shuffle { source, lanes }) => Medium::Shuffle { source, lanes: lanes - 1 },
            (3, Medium::Rename(mut source)) => {
                source.instance.register = instance.register;
                Medium::Rename(source)
            }
            (3, Medium::Rotation { mut source, lanes, depth }) => {
                source.instance.register = instance.register;
                Medium::Rotation { source, lanes, depth }
            }
            (4, Medium::Feed) => Medium::Never,
            (5, Medium::Shared { source, lanes, warps, depth }) => {
                Medium::Shared { source, lanes, warps: -warps, depth }
            }
            (5, Medium::Scratch { source, lanes, warps, level, laps, inner }) => {
                Medium::Scratch { source, lanes, warps: -warps, level, laps, inner }
            }
            (6, Medium::Scratch { source, lanes, warps, level, laps, inner }) => {
                let inner = inner.into_iter().map(|d| d + 1).collect();
                Medium::Scratch { source, lanes, warps, level, laps, inner }
            }
            (7, Medium::Scratch { source, lanes, warps, level, laps, inner }) => {
                Medium::Scratch { source, lanes, warps, level, laps: laps + 1, inner }
            }
            (8, Medium::Shared { source, lanes, warps, depth }) if depth > 0 => {
                Medium::Shared { source, lanes, warps, depth: depth + 1 }
            }
            (_, medium) => medium,
        }
    }
}

#[cfg(feature = "planted")]
pub use faults::{FAULTS, FIRST_OF_LAWS, plant, planted, planted_law, wrong};

/// Whether the fault of this number is planted.
#[cfg(not(feature = "planted"))]
pub const fn planted(_: u32) -> bool {
    false
}

/// The faults of the rule: none.
#[cfg(not(feature = "planted"))]
pub fn wrong(medium: crate::mapping::Medium, _: &crate::mapping::Instance) -> crate::mapping::Medium {
    medium
}

/// The law that is not asked: every one is.
#[cfg(not(feature = "planted"))]
pub const fn planted_law() -> Option<crate::fault::Law> {
    None
}
