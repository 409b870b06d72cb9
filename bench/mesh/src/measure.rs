//! Measures each kernel in three ways, in turn, so that what else the machine does disturbs all of them alike:
//!
//! - one rank with the whole array, while the other one waits;
//! - both ranks with half of it each;
//! - both ranks with half of it each, but each by itself: without exchange and without agreement.
use crate::kernels::{jacobi, stencil};
use crate::table::Row;
use std::time::Instant;
use systolic::Cpu;
use systolic::ndarray::Ix2;
use systolic_mesh::{DistributedArray, Error, Mesh, Threads, Transport};

type Field = DistributedArray<f32, Ix2>;

/// The rows and columns of the whole.
const SIZE: usize = 4096;
/// How many calls follow each other in one measurement.
const CALLS: usize = 10;

/// Runs a kernel on a field of a mesh.
type Step = fn(&Mesh, &Field) -> Result<Field, Error>;

const WEIGHTS: [[f32; 3]; 3] = [[0.05, 0.1, 0.05], [0.1, 0.4, 0.1], [0.05, 0.1, 0.05]];

const KERNELS: [(&str, Step); 2] = [
    ("stencil of 9 points", |mesh, x| stencil::run_on(mesh, &Cpu, x, &WEIGHTS)),
    ("Jacobi, 4 fused steps", |mesh, x| jacobi::<4>::run_on(mesh, &Cpu, x)),
];

/// The rows of the table, on rank 0.
pub fn all(transport: impl Transport + 'static, rounds: usize) -> Result<Option<Vec<Row>>, Error> {
    let both = Mesh::new(transport, &[crate::RANKS])?;
    let alone = match Threads::connect(1).pop() {
        Some(end) => Mesh::new(end, &[1])?,
        None => return Ok(None),
    };
    let mut rows = Vec::new();
    for (name, step) in KERNELS {
        let value = |(r, c): (usize, usize)| ((r * 31 + c * 17) % 101) as f32;
        let half = Field::from_fn(&both, (SIZE, SIZE), value)?;
        let own = Field::from_fn(&alone, (half.part().nrows(), SIZE), value)?;
        let whole = Field::from_fn(&alone, (SIZE, SIZE), value)?;
        let mut times = Vec::new();
        for _ in 0..rounds {
            wait(&both)?;
            let one = if both.rank() == 0 { timed(&alone, &whole, step)? } else { 0.0 };
            wait(&both)?;
            let two = timed(&both, &half, step)?;
            wait(&both)?;
            let apart = timed(&alone, &own, step)?;
            times.push([one, two, latest(&both, apart)?]);
        }
        rows.push(Row { name, times });
    }
    Ok((both.rank() == 0).then_some(rows))
}

/// Milliseconds per call.
fn timed(mesh: &Mesh, x: &Field, step: Step) -> Result<f64, Error> {
    let mut y = step(mesh, x)?;
    let began = Instant::now();
    for _ in 0..CALLS {
        y = step(mesh, &y)?;
    }
    Ok(began.elapsed().as_secs_f64() * 1e3 / CALLS as f64)
}

/// Waits for the other rank.
fn wait(mesh: &Mesh) -> Result<(), Error> {
    latest(mesh, 0.0).map(|_| ())
}

/// The larger one of the times of all ranks.
fn latest(mesh: &Mesh, time: f64) -> Result<f64, Error> {
    Ok(DistributedArray::from_fn(mesh, mesh.ranks(), |_| time)?.reduce(f64::max)?.unwrap_or(0.0))
}
