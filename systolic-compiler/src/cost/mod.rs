//! What a program costs on a GPU, before it runs: counts, then roofs, then a time.
//!
//! ```text
//! program ─ place ─▶ blocks and steps ─ count ─▶ instructions by kind ─┐
//!    │                     └─────────── walk ──▶ lines, sectors, bytes ─┼─ time ─▶ seconds, and the roof that binds
//!    └──── registers ─▶ registers of a lane ─ occupancy ─▶ warps ───────┘
//!                                                            machine: the numbers of a GPU, all measured alone
//! ```
//!
//! Nothing here was fitted to a kernel's time. `cargo run -p systolic-compiler --features tools --example show -- cost FILE` prints it.
mod count;
mod mix;
mod occupancy;
mod operations;
mod place;
mod print;
mod queue;
mod registers;
mod time;
mod walk;

pub use crate::target::timing::{Kind, Pipe};
pub use mix::Mix;
pub use occupancy::{Block, blocks};
pub use time::{Alone, Launch, Load, Roof, Time};

use crate::model::{Int, Kernel};
use crate::program::Shared;
use crate::schedule::{Schedule, Section};
use crate::target::Gpu;
use count::Counter;
use place::{Class, classes};
use walk::{Walked, walk};

/// What a launch costs.
#[derive(Clone, Debug)]
pub struct Cost {
    pub launch: Launch,
    pub time: Time,
    /// Blocks of the grid.
    pub blocks: f64,
    /// Registers of a lane as predicted, and as they were given, if they were.
    pub registers: usize,
    pub given: Option<usize>,
    /// Warps of a multiprocessor at a time.
    pub warps: usize,
    /// Instructions of the longest loop.
    pub loop_length: f64,
}

/// The cost of a program for sizes in the order of `program.sizes`; with the registers that its code takes, if they are known.
pub fn cost(machine: &Gpu, kernel: &Kernel, program: &Schedule, sizes: &[Int], registers: Option<usize>) -> Cost {
    let counter = Counter::new(kernel, program);
    let predicted = registers::predicted(&counter);
    let warps = program.warp_count() as usize;
    let shared = usize::try_from(Shared::of(program).bytes).unwrap_or(usize::MAX);
    let block = Block { warps, registers: registers.unwrap_or(predicted), shared };
    let resident = blocks(machine, block);
    let classes = classes(program, sizes);
    let loads: Vec<Load> = classes.iter().map(|class| load(machine, &counter, class, sizes)).collect();
    let (read, written) = walk::bytes(&counter, sizes);
    let launch = Launch { loads, resident, warps, read, written, ends_first: program.begins_with_ends() };
    Cost {
        time: time::time(machine, &launch),
        blocks: launch.blocks(),
        registers: predicted,
        given: registers,
        warps: resident * warps,
        loop_length: launch.loads.first().map_or(0.0, |l| l.loop_length),
        launch,
    }
}

/// All that a block of a class does.
fn load(machine: &Gpu, counter: &Counter<'_>, class: &Class<'_>, sizes: &[Int]) -> Load {
    let warps = counter.program.warp_count() as f64;
    let before = counter.before();
    let mut load = Load { blocks: class.count, mix: before, at_edge: class.at_edge, ..Load::default() };
    load.alone.doing = before.total();
    for (section, walked) in class.sections.iter().zip(walk(counter, class, sizes)) {
        let step = counter.step(section, class.at_edge);
        load.mix += step * walked.steps;
        load.lines += walked.lines;
        load.picks += walked.picks;
        load.loaded += walked.loaded * machine.sector_bytes as f64;
        load.stored += walked.stored * machine.sector_bytes as f64;
        load.stores += walked.stores;
        alone(machine, counter, section, &step, &walked, &mut load.alone);
        load.alone.steps += walked.steps;
        if !counter.program.frame.loops.is_empty() {
            load.loop_length = load.loop_length.max(step.total() * section.prefetch.unroll as f64);
        }
    }
    load.of_all(warps)
}

/// What one warp does and waits for in a section when nobody else runs.
fn alone(machine: &Gpu, counter: &Counter<'_>, section: &Section, step: &Mix, walked: &Walked, alone: &mut Alone) {
    let chain = counter.chain(&section.step, &|kind| machine.timing.wait(kind));
    let steps = walked.steps.max(1.0);
    let one = Load { mix: *step, lines: walked.lines / steps, picks: walked.picks / steps, ..Load::default() };
    // A quarter of a multiprocessor runs it.
    let issued = step.total() * 32.0 * 4.0 / machine.timing.alone;
    // Nothing is begun behind a jump before it is decided.
    let jumps = counter.jumps(&section.step) as f64 * machine.timing.wait(Kind::Control);
    let doing = ((4.0 * time::busiest(machine, &one)).max(issued).max(chain) + jumps) * walked.steps;
    alone.doing += doing;
    alone.stops += walked.far_stops;
    alone.near += walked.near_stops * machine.timing.near;
    if counter.fetched(&section.step).next().is_none() {
        return;
    }
    match section.prefetch.distance {
        0 => {
            alone.waits += walked.waits;
            alone.near += (walked.steps - walked.waits) * machine.timing.near;
        }
        ahead => {
            alone.waits += walked.entries;
            // The end of a loop moves what its steps have asked for, so that all of it is waited for there, once: the last of
            // it was asked for one step before.
            alone.asked += walked.waits / ahead as f64;
            alone.between += doing / section.prefetch.unroll as f64;
        }
    }
}
