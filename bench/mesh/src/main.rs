//! Two ranks with one core each against one rank with one core, and the cost of the exchange between them. Prints a table and
//! draws a picture: `cargo run --release [ROUNDS [PICTURE.svg]]`, or with feature `mpi` under `mpirun -n 2`.
mod kernels;
mod measure;
mod table;

use std::process::ExitCode;
use systolic_mesh::{Error, Transport};

/// How many ranks share the work.
const RANKS: usize = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = arguments.first().map_or(Ok(9), |rounds| rounds.parse());
    let Ok(rounds) = rounds else { return ended("usage: bench-mesh [ROUNDS [PICTURE.svg]]") };
    // One core per rank: a call stays on the thread that makes it.
    if rayon::ThreadPoolBuilder::new().num_threads(1).build_global().is_err() {
        return ended("the pool of threads is there already");
    }
    match run(rounds) {
        Ok(rows) => {
            if let Some(rows) = rows {
                println!("{}", table::markdown(&rows));
                let drawn = arguments.get(1).map(|path| std::fs::write(path, table::picture(&rows)));
                if let Some(Err(error)) = drawn {
                    return ended(&error.to_string());
                }
            }
            ExitCode::SUCCESS
        }
        Err(error) => ended(&error.to_string()),
    }
}

fn ended(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::FAILURE
}

/// The rows of the table, on rank 0.
#[cfg(feature = "mpi")]
fn run(rounds: usize) -> Result<Option<Vec<table::Row>>, Error> {
    rank(systolic_mesh::Mpi::new()?, rounds)
}

/// The rows of the table.
#[cfg(not(feature = "mpi"))]
fn run(rounds: usize) -> Result<Option<Vec<table::Row>>, Error> {
    let mut rows = None;
    for result in systolic_mesh::threads(RANKS, |end| rank(end, rounds)) {
        // A panic has printed its message already.
        rows = rows.or(result.unwrap_or(Ok(None))?);
    }
    Ok(rows)
}

fn rank(transport: impl Transport + 'static, rounds: usize) -> Result<Option<Vec<table::Row>>, Error> {
    if transport.ranks() != RANKS {
        return Err(Error::Mesh { why: format!("expected {RANKS} ranks, found {}", transport.ranks()) });
    }
    measure::all(transport, rounds)
}
