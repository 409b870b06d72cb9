//! Seven machines for one sum, their costs, and their speed on this CPU: `cargo run --release --example designs`.
#[path = "../../tests/kernels/conv1d.rs"]
mod kernels;
mod machines;
mod measure;
mod table;

use machines::MACHINES;
use std::error::Error;

/// The number of outputs of a block, for the figures.
const OUTPUTS: usize = 16;
/// The number of outputs for the timings.
const MEASURED: usize = 1 << 22;
const RUNS: usize = 9;

fn main() -> Result<(), Box<dyn Error>> {
    println!("1-D convolution with 5 weights, seven designs.");
    println!("Figures: one block of {OUTPUTS} outputs. Registers: words per lane, from step to step.");
    println!("Time: {MEASURED} outputs on all cores, for a plain loop on one core that takes 1; the median of {RUNS}.");
    println!("Bits: whether every output is the one of a loop written by hand.\n");
    println!("{}", table::head());
    for machine in &MACHINES {
        let measured = measure::measure(machine, MEASURED, RUNS)?;
        println!("{}", table::line(machine.name, &(machine.describe)(OUTPUTS), &measured));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
