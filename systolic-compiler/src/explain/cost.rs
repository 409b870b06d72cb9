//! The predicted cost, as numbers and words for a page.
use super::picture::CostShown;
use crate::cost::{Roof, cost};
use crate::model::{Int, Kernel};
use crate::schedule::Schedule;
use crate::target::Gpu;
use crate::target::timing::Pipe;

/// The cost of a program at these sizes.
pub fn shown(machine: &Gpu, kernel: &Kernel, schedule: &Schedule, sizes: &[Int]) -> CostShown {
    let cost = cost(machine, kernel, schedule, sizes, None);
    let named = kernel.sizes.iter().take(kernel.call_sizes()).zip(sizes);
    CostShown {
        machine: machine.name.to_string(),
        sizes: named.map(|(size, value)| (size.name.clone(), *value)).collect(),
        seconds: cost.time.total,
        roof: cost.time.roof.name().to_string(),
        meaning: meaning(cost.time.roof),
        roofs: cost.time.roofs.iter().map(|(roof, s)| (roof.name().to_string(), *s, meaning(*roof))).collect(),
        blocks: cost.blocks,
        registers: cost.registers,
        warps: cost.warps,
        read: cost.launch.read,
        written: cost.launch.written,
        measured: None,
    }
}

/// What it means that a roof binds.
fn meaning(roof: Roof) -> &'static str {
    match roof {
        Roof::Memory => "the arrays must come from memory and go back once, and that takes longest",
        Roof::SecondCache => "the multiprocessors ask the second-level cache for more than it can give",
        Roof::Pipe(Pipe::Issue) => "a multiprocessor can begin only so many instructions per clock, of whatever kind",
        Roof::Pipe(Pipe::Fma) => "products and sums of `f32` take longest",
        Roof::Pipe(Pipe::Fma64) => "arithmetic with `f64` takes longest",
        Roof::Pipe(Pipe::Alu) => "integer arithmetic, comparisons, minima and maxima, and selections take longest",
        Roof::Pipe(Pipe::Convert) => "conversions between types and functions such as roots take longest",
        Roof::Pipe(Pipe::Exchange) => "shuffles between lanes, loads and stores take longest, wherever the data is",
        Roof::Pipe(Pipe::Picks) => "reads of numbers passed by value, at an index of each lane, take longest",
        Roof::Latency => "each block waits: for memory, or for a chain of values that depend on each other",
        Roof::Blocks => "blocks cannot begin faster than this",
        Roof::Edges => "a few boundary blocks run longer than all others",
        Roof::Order => "blocks wait for each other, and the longest chain of them takes longest",
    }
}
