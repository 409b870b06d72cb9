//! What a schedule for a CPU has besides its sections: software prefetches, rows that are fetched several steps at a time, and
//! what decides how wide its vectors may be.
mod axes;
mod hints;
mod lazy;
mod live;
mod near;
mod overlap;
mod spans;
mod walks;
mod windows;

pub use axes::Merged;
pub use hints::{Hint, Side};
pub use lazy::{is_rare, rarely_needed};
pub use live::Live;
pub use near::{Near, near_rows};
pub use spans::Spans;
pub use walks::{Walk, Walks};
pub use windows::{Ends, Window, needs_beyond, shared_windows, windows_along_loop};

use super::{Schedule, Section, weight};
use crate::model::Int;
use crate::target::cpu;

/// The decisions for a CPU.
#[derive(Clone, Debug)]
pub struct CpuPlan {
    /// Software prefetches.
    pub hints: Vec<Hint>,
    /// Accesses along rows.
    pub walks: Walks,
    /// The part of the innermost loop whose accesses are checked before it.
    pub spans: Option<Spans>,
    /// For every row of scratch memory the one that holds its cells: rows of the same value share them.
    pub rows: Vec<usize>,
    /// Whether no lane reads a value of another one.
    pub apart: bool,
    /// What a lane keeps live at a time.
    pub live: Live,
    /// The bytes of all values and registers of a block.
    pub frame: usize,
    /// Whether it is compiled for CPUs without AVX2.
    pub plain: bool,
    /// Whether it is compiled for AVX-512.
    pub avx512: bool,
}

impl CpuPlan {
    /// The plan of a schedule.
    pub fn new(program: &Schedule) -> CpuPlan {
        let weight = weight(program);
        let walks = Walks::new(program, program.steps());
        let spans = Spans::new(program, &walks);
        CpuPlan {
            hints: hints::hints(program),
            walks,
            spans,
            rows: (0..program.rows.len()).map(|k| holder(program, k)).collect(),
            apart: live::apart(program),
            live: live::live(program),
            frame: live::frame(program),
            plain: weight <= cpu::PLAIN_WEIGHT,
            avx512: weight <= cpu::AVX512_WEIGHT,
        }
    }
}

/// The first row of the same value and loop: on a CPU a cell has all lanes, whatever the distance between producer and consumer.
fn holder(program: &Schedule, row: usize) -> usize {
    let key = |k: usize| (program.rows[k].value, program.rows[k].level);
    (0..row).find(|k| key(*k) == key(row)).unwrap_or(row)
}

impl Section {
    /// Whether it is a loop of constant length that rustc should not unroll: values that a step shares with the next would wait
    /// in memory.
    pub fn stays_rolled(&self) -> bool {
        let extent = self.low.constant().zip(self.high.constant()).map(|(low, high)| high - low + 1);
        extent.is_some_and(|extent| extent * self.step.lines.len() as Int > cpu::LONG_LOOP)
    }
}
