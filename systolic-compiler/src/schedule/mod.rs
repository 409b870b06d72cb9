//! The schedule of a program: how its innermost loop runs.
//!
//! The body of a program is the same at every time of the innermost loop. Most of its conditions compare the time, the block or
//! the lane with sizes, and are decided in most of the loop. The scheduler therefore
//!
//! 1. writes specialised [`Version`]s of the loop, for interior blocks and for boundary blocks (`versions`), and for blocks whose
//!    outer loops run once (`alone`);
//! 2. cuts each into [`Section`]s, up to four: boundary prologue, prologue, steady state, epilogue (`sections`);
//! 3. simplifies the [`Step`] of each by what is known there (`specialise`);
//! 4. lets a long step skip groups of lines that nothing needs (`skip`);
//! 5. lets two blocks run as one, in the halves of registers (`paired`), or else
//! 6. merges loads and stores of neighbours into wide accesses (`vectorise`), and
//! 7. brings rows that lanes walk along through shared memory (`stream`);
//! 8. issues loads some steps before their use, and unrolls for that (`prefetch`);
//! 9. evaluates conditions before the loops that do not change them (`hoist`).
//!
//! Printers write a [`Schedule`] as it is, and decide nothing. The interpreter runs it as it is, prefetched loads included.
//!
//! Steps that change schedules of GPUs only are compiled with feature `cuda`, which build scripts have. The macro has no use for
//! such schedules: it embeds what a build script compiled, and `describe` counts the program.
mod cpu;
mod hoist;
mod region;
mod sample;
mod sections;
mod specialise;
mod verify;
mod weight;

#[cfg(feature = "cuda")]
mod gpu;
#[cfg(feature = "tools")]
mod print;

pub use cpu::{
    CpuPlan, Ends, Hint, Merged, Near, Side, Spans, Walk, Walks, Window, is_rare, near_rows, needs_beyond,
    rarely_needed, shared_windows, windows_along_loop,
};
#[cfg(feature = "cuda")]
pub use gpu::{Access, Paired, Pipeline, Rows, Slot, Stream, Streams, accesses, draft};
pub use hoist::{Hoisted, Named, Use};
#[cfg(feature = "tools")]
pub use print::{predicates, print, print_program};
pub use verify::verify;
pub use weight::{is_heavy, weight};

use crate::mapping::{Bound, Target};
use crate::program::{Condition, Inst, Program, Store, ValueId};
use std::ops::Deref;

/// A program whose innermost loop is scheduled.
#[derive(Clone, Debug)]
pub struct Schedule {
    program: Program,
    /// The versions of the innermost loop, the most specialised first. A block runs the first one whose condition holds. The
    /// last one is for all blocks.
    pub versions: Vec<Version>,
    /// How two blocks run as one, if they do.
    #[cfg(feature = "cuda")]
    pub paired: Option<Paired>,
    /// The conditions that are evaluated before the loops that do not change them.
    pub hoisted: Hoisted,
    /// The axes that are merged already, if the kernel's interleaved loops run as one.
    merged: Option<Merged>,
}

/// The innermost loop for some blocks.
#[derive(Clone, Debug)]
pub struct Version {
    /// The blocks that may run it: a condition on sizes and blocks.
    pub when: Condition,
    /// The sections of the loop, in order. Without loops there is one, which runs once.
    pub sections: Vec<Section>,
}

/// A range of the innermost loop whose iterations all run the same step.
#[derive(Clone, Debug)]
pub struct Section {
    /// Whether most blocks run none of it: it belongs to the boundary version, or lies before or after the times at which
    /// comparisons with sizes are decided.
    pub at_edge: bool,
    /// The first time: a bound of sizes, blocks and outer loops.
    pub low: Bound,
    /// The last time.
    pub high: Bound,
    /// How it loads, where indices have 32 bits.
    pub prefetch: Prefetch,
    /// How it loads, where indices have 64 bits and take more registers.
    pub prefetch_64: Prefetch,
    /// What one iteration does.
    pub step: Step,
}

/// When a section issues its loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefetch {
    /// The prefetch distance in steps. At 0 every step loads what it uses.
    pub distance: usize,
    /// The unroll factor of the loop.
    pub unroll: usize,
    /// Whether the section before has issued the loads of its first steps already.
    pub continues: bool,
    /// Whether a step that prefetches nothing loads everything before it computes.
    pub loads_first: bool,
    /// Lines of a step, by position, that run before the next loads are issued: they move loaded values to other lanes, after
    /// which the registers of those values are free.
    pub early: Vec<usize>,
}

/// One iteration of the innermost loop: lines in order, then stores, then what is handed to later steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The instructions. An operand is an earlier line, or was computed before the loop.
    pub lines: Vec<Line>,
    /// The stores.
    pub stores: Vec<Store>,
    /// The value that each register is given.
    pub registers: Vec<ValueId>,
    /// The value that each ring is given.
    pub rings: Vec<ValueId>,
    /// The value that each row is given. Empty if no row is needed: the loops of all rows run once.
    pub rows: Vec<ValueId>,
    /// Groups of lines that load neighbours in memory by one access.
    pub wide_loads: Vec<Wide>,
    /// Groups of stores to neighbours in memory by one access.
    pub wide_stores: Vec<Wide>,
    /// The wide accesses that go through shared memory where wide accesses are aligned.
    #[cfg(feature = "cuda")]
    pub streams: Option<Streams>,
}

/// An instruction of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The value that it defines.
    pub id: ValueId,
    /// The instruction, simplified by what is known in its section.
    pub inst: Inst,
    /// Where it runs; all lanes agree. Elsewhere nothing needs it. Lines with the same condition stand together.
    pub guard: Condition,
}

/// A wide access: lines or stores of a step whose elements are neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wide {
    /// The positions of the lines or stores, in the order of memory.
    pub members: Vec<usize>,
    /// Where they are accessed together. Elsewhere each is accessed on its own.
    pub when: Condition,
    /// Where at least one of them is needed; there all are accessed. An element that is accessed without need lies within the
    /// same access, and after the end of its row if it is stored.
    pub guard: Condition,
    /// The axes along which the border must be applied. Along the last one it maps all elements together.
    pub back: Vec<usize>,
    /// On which sides of their row needed elements may lie.
    pub past: Past,
}

/// Whether needed elements may lie before the first, or after the last element of their row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// Before the first.
    pub before: bool,
    /// After the last.
    pub after: bool,
}

/// Schedules the innermost loop of a program. Without feature `cuda` a program for a GPU gets no versions.
pub fn schedule(program: Program) -> Schedule {
    match program.target {
        Target::Cpu => on_cpu(program),
        #[cfg(feature = "cuda")]
        Target::Gpu => gpu::schedule(program),
        #[cfg(not(feature = "cuda"))]
        Target::Gpu => Schedule::new(program, Vec::new()),
    }
}

fn on_cpu(program: Program) -> Schedule {
    let versions = sections::sections(&program);
    Schedule::new(program, versions)
}

impl Deref for Schedule {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}

impl Schedule {
    fn new(program: Program, versions: Vec<Version>) -> Schedule {
        let hoisted = Hoisted::new(&program, &versions);
        Schedule {
            program,
            versions,
            #[cfg(feature = "cuda")]
            paired: None,
            hoisted,
            merged: None,
        }
    }

    /// The sections of all versions.
    pub fn sections(&self) -> impl Iterator<Item = &Section> + Clone {
        self.versions.iter().flat_map(|version| &version.sections)
    }

    /// The steps of all sections of all versions.
    pub fn steps(&self) -> impl Iterator<Item = &Step> + Clone {
        self.sections().map(|section| &section.step)
    }
}

impl Section {
    /// A section that prefetches nothing.
    fn new(low: Bound, high: Bound, step: Step) -> Section {
        let plain = Prefetch { distance: 0, unroll: 1, continues: false, loads_first: false, early: Vec::new() };
        Section { at_edge: false, low, high, prefetch: plain.clone(), prefetch_64: plain, step }
    }
}

impl Line {
    /// Whether it costs something in a step.
    pub fn is_operation(&self) -> bool {
        !self.inst.operation.is_free()
    }
}

impl Step {
    /// The line that defines a value, if there is one. Lines stand in the order of their values.
    pub fn line(&self, id: ValueId) -> Option<&Line> {
        self.lines.binary_search_by_key(&id, |line| line.id).ok().map(|at| &self.lines[at])
    }

    /// The number of lines that cost something.
    pub fn operations(&self) -> usize {
        self.lines.iter().filter(|l| l.is_operation()).count()
    }

    /// The values that stores, registers, rings and rows take.
    pub fn uses(&self) -> impl Iterator<Item = ValueId> {
        let given = self.registers.iter().chain(&self.rings).chain(&self.rows).copied();
        self.stores.iter().map(|s| s.value).chain(given)
    }
}
