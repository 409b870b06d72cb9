//! The cost model: predicts the time of a program on a GPU from counts and from the limits (roofs) of the machine.
//!
//! ```text
//! program ─ place ─▶ blocks and steps ─ count ─▶ instructions by kind ─┐
//!    │                     └─────────── walk ──▶ lines, sectors, bytes ─┼─ time ─▶ seconds, and the roof that binds
//!    └──── registers ─▶ registers per lane ─── occupancy ─▶ warps ──────┘
//!                                                            target: the numbers of a GPU, each measured on its own
//! ```
//!
//! No number is fitted to the time of a kernel. `cargo run -p systolic-compiler --features tools --example show -- cost FILE`
//! prints the result.
mod count;
mod merge;
mod mix;
mod occupancy;
mod operations;
mod order;
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
use crate::schedule::{Schedule, Section, Streams};
use crate::target::effort::{self, Sample};
use crate::target::{Gpu, instructions};
use count::Counter;
use place::{Class, classes};
use walk::{Walked, walk};

/// The predicted cost of a launch.
#[derive(Clone, Debug)]
pub struct Cost {
    /// What its blocks do.
    pub launch: Launch,
    /// How long it takes.
    pub time: Time,
    /// Blocks of the grid.
    pub blocks: f64,
    /// Registers per lane, as predicted.
    pub registers: usize,
    /// Registers per lane, as given by the caller.
    pub given: Option<usize>,
    /// Warps that a multiprocessor runs at a time.
    pub warps: usize,
    /// Instructions of the longest loop.
    pub loop_length: f64,
}

/// Predicts the cost of a program. The sizes are in the order of `program.sizes`. `registers` is the number per lane that its
/// compiled code uses, if known; otherwise it is predicted.
pub fn cost(machine: &Gpu, kernel: &Kernel, program: &Schedule, sizes: &[Int], registers: Option<usize>) -> Cost {
    cost_of(machine, kernel, program, sizes, registers, effort::EXACT)
}

/// The same, from a simulation of this much of a block.
pub fn cost_of(
    machine: &Gpu,
    kernel: &Kernel,
    program: &Schedule,
    sizes: &[Int],
    registers: Option<usize>,
    sample: Sample,
) -> Cost {
    let counter = Counter::new(kernel, program);
    let predicted = registers::needed(&counter).min(program.room());
    let warps = program.warp_count() as usize;
    let shared = usize::try_from(program.shared_bytes()).unwrap_or(usize::MAX);
    let block = Block { warps, registers: registers.unwrap_or(predicted), shared };
    let resident = blocks(machine, block);
    let classes = classes(program, sizes);
    let loads: Vec<Load> = classes.iter().map(|class| load(machine, &counter, class, sizes, sample)).collect();
    let (read, written) = moved(&counter, &loads, sizes);
    let order = order::Order::of(program, sizes);
    let launch = Launch { loads, resident, warps, read, written, ends_first: program.begins_with_ends(), order };
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

/// The bytes from and to memory in a launch: those of all arrays, once. What values leave for other blocks and launches comes on
/// top; but one launch of many touches only a part of all that.
fn moved(counter: &Counter<'_>, loads: &[Load], sizes: &[Int]) -> (f64, f64) {
    let (read, written) = walk::bytes(counter, sizes);
    if counter.program.faces.is_empty() {
        return (read, written);
    }
    let faces = walk::face_bytes(counter.program, sizes);
    let all = |of: fn(&Load) -> f64| loads.iter().map(|load| load.blocks * of(load)).sum::<f64>();
    ((read + faces).min(all(|load| load.loaded)), (written + faces).min(all(|load| load.stored)))
}

/// The registers per lane that a program needs.
#[derive(Clone, Copy, Debug)]
pub struct Needed {
    /// If there are enough, by the section that needs most.
    pub step: usize,
    /// Those that wait from step to step, whatever order the instructions of a step have.
    pub held: usize,
}

/// Predicts the registers per lane that a program needs.
pub fn needed(kernel: &Kernel, program: &Schedule) -> Needed {
    let counter = Counter::new(kernel, program);
    Needed { step: registers::needed(&counter), held: registers::held(&counter) }
}

/// The first and the last block of a launch along every axis of its grid. Two that run as one are one.
pub fn grid(program: &Schedule, sizes: &[Int]) -> Vec<(Int, Int)> {
    place::axes(program, sizes)
}

/// The points of a block, with partial tiles counted as whole ones.
pub fn points(program: &Schedule, sizes: &[Int]) -> Int {
    let place = place::Place::new(&program.frame, sizes, Vec::new());
    program.lengths.iter().fold(1, |all: Int, length| all.saturating_mul(place.bound(length).max(0)))
}

/// The work of one block of a class.
fn load(machine: &Gpu, counter: &Counter<'_>, class: &Class<'_>, sizes: &[Int], sample: Sample) -> Load {
    let warps = counter.program.warp_count() as f64;
    // Two blocks that run as one access memory for each of them.
    let each = if counter.program.paired.is_some() { 2.0 } else { 1.0 };
    let before = counter.before();
    let mut load = Load { blocks: class.count, mix: before, at_edge: class.at_edge, ..Load::default() };
    load.alone.doing = before.total();
    for (k, (section, walked)) in class.sections.iter().zip(walk(counter, class, sizes, sample)).enumerate() {
        boxes(machine, counter, &walked, k == 0, &mut load);
        let step = counter.step(section, class.at_edge);
        load.mix += step * walked.steps;
        load.lines += each * walked.lines;
        load.picks += each * walked.picks;
        load.loaded += each * walked.loaded * machine.sector_bytes as f64;
        load.stored += each * walked.stored * machine.sector_bytes as f64;
        load.stores += each * walked.stores;
        alone(machine, counter, section, &step, &walked, &mut load.alone);
        load.alone.steps += walked.steps;
        if !counter.program.frame.loops.is_empty() {
            load.loop_length = load.loop_length.max(step.total() * section.prefetch.unroll as f64);
        }
    }
    load.of_all(warps)
}

/// Adds the work of filling the boxes of a section, and of those around it in the first section.
fn boxes(machine: &Gpu, counter: &Counter<'_>, walked: &Walked, is_first: bool, load: &mut Load) {
    let loops = counter.program.frame.loops.len();
    for stage in &counter.program.stages {
        let times = match loops - stage.level {
            0 => walked.steps,
            _ if !is_first => 0.0,
            1 => walked.entries,
            _ => 1.0,
        };
        let (mix, bytes) = counter.filling(stage);
        load.mix += mix * times;
        load.loaded += bytes * times;
        load.lines += bytes / machine.line_bytes as f64 * times;
        load.alone.doing += mix.total() * times;
        match stage.is_double {
            // Under way while the box before is read.
            true => {
                load.alone.asked += times;
                load.alone.between += mix.total() * times;
            }
            false => load.alone.waits += times,
        }
    }
}

/// Adds the clocks that one warp works and waits in a section while nothing else runs.
fn alone(machine: &Gpu, counter: &Counter<'_>, section: &Section, step: &Mix, walked: &Walked, alone: &mut Alone) {
    let chain = counter.chain(&section.step, &|kind| machine.timing.wait(kind));
    let steps = walked.steps.max(1.0);
    let one = Load { mix: *step, lines: walked.lines / steps, picks: walked.picks / steps, ..Load::default() };
    // One warp runs on one quarter of a multiprocessor.
    let issued = step.total() * 32.0 * 4.0 / machine.timing.alone;
    // Nothing after a jump is issued before the jump is decided.
    let jumps = counter.jumps(&section.step) as f64 * machine.timing.wait(Kind::Control);
    let copies = section.step.streams.as_ref().map_or(0, Streams::copies_of_rows) as f64 * instructions::COPY_CLOCKS;
    let doing = ((4.0 * time::busiest(machine, &one)).max(issued).max(chain) + jumps + copies) * walked.steps;
    alone.doing += doing;
    alone.stops += walked.far_stops;
    alone.near += walked.near_stops * machine.timing.near;
    if counter.program.stages.iter().any(|stage| stage.is_double) {
        alone.between += doing;
    }
    if counter.fetched(&section.step).next().is_none() {
        return;
    }
    if let Some(streams) = &section.step.streams {
        // Chunks are copied while those before are computed.
        alone.waits += walked.entries;
        alone.asked += walked.waits / (streams.steps * streams.ahead()) as f64;
        alone.between += doing;
        alone.chunks_ahead = alone.chunks_ahead.max(streams.ahead() as f64);
        alone.near += walked.steps / streams.group as f64 * machine.timing.wait(Kind::Shared);
        return;
    }
    match section.prefetch.distance {
        0 => {
            alone.waits += walked.waits;
            alone.near += (walked.steps - walked.waits) * machine.timing.near;
        }
        ahead => {
            alone.waits += walked.entries;
            // The end of an unrolled iteration moves the prefetched values, and so waits for all of them at once. The last of
            // them was issued one step before.
            alone.asked += walked.waits / ahead as f64;
            alone.between += doing / section.prefetch.unroll as f64;
        }
    }
}
