//! Heat in a block of metal, on a mesh of ranks. It starts from a file, keeps checkpoints, goes on from the last one when it is
//! started again, and draws a picture every few steps.
//!
//! On a laptop, with four threads: `cargo run --release -p heat -- ranks=4`. On a cluster, with six processes:
//! `cargo build --release -p heat --features mpi`, then `mpirun -n 6 target/release/heat`.
mod files;
mod settings;
mod simulate;
#[cfg(test)]
mod tests;

use settings::Settings;
use std::process::ExitCode;
use systolic_mesh::{Error, Mesh, Transport};

fn main() -> ExitCode {
    let settings = match Settings::read(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(why) => return ended(&why),
    };
    match run(&settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => ended(&error.to_string()),
    }
}

fn ended(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::FAILURE
}

/// Every process that `mpirun` has started is a rank.
#[cfg(feature = "mpi")]
fn run(settings: &Settings) -> Result<(), Error> {
    rank(systolic_mesh::Mpi::new()?, settings)
}

/// Every thread is a rank.
#[cfg(not(feature = "mpi"))]
fn run(settings: &Settings) -> Result<(), Error> {
    for result in systolic_mesh::threads(settings.ranks, |end| rank(end, settings)) {
        // A panic has printed its message already.
        result.unwrap_or(Ok(()))?;
    }
    Ok(())
}

/// What a rank does.
fn rank(transport: impl Transport + 'static, settings: &Settings) -> Result<(), Error> {
    let shape = settings::arranged(transport.ranks());
    simulate::simulate(&Mesh::new(transport, &shape)?, settings)
}
