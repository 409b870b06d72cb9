//! Random kernels that the laws accept, as CUDA, with launches and their expected results; `gpu/run.sh` runs them on a
//! GPU.
//!
//! `gpu_cases FOLDER SEED KERNELS` draws seeds, starting with SEED, until it has KERNELS kernels. It writes one source
//! `KEY.cu` per kernel, the header that they include, and `cases`, whose format `file` describes.
mod file;
mod grid;
mod kernel;
mod layout;
mod params;

use file::File;
use kernel::{Drawn, Skipped, draw};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use systolic_compiler::link;

/// The number of seeds that are drawn at once.
const BATCH: u64 = 64;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize| arguments.get(k).and_then(|text| text.parse::<u64>().ok());
    match (arguments.first(), number(1), number(2)) {
        (Some(folder), Some(first), Some(count)) => write(Path::new(folder), first, count),
        _ => Err(io::Error::other("usage: gpu_cases FOLDER SEED KERNELS")),
    }
}

fn write(folder: &Path, first: u64, wanted: u64) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    link::HEADERS.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))?;
    let (mut file, mut count, mut seed) = (File::default(), Count::default(), first);
    while count.kernels < wanted {
        for drawn in batch(seed) {
            if count.kernels == wanted {
                break;
            }
            if let Ok(Drawn { unit, cases, .. }) = &drawn {
                std::fs::write(folder.join(format!("{}.cu", unit.key)), &unit.source)?;
                file.kernel(seed, &unit.key, cases);
            }
            count.add(&drawn);
            seed += 1;
        }
    }
    std::fs::write(folder.join("cases"), file.finish())?;
    println!("seeds {first}..{seed}: {} kernels, {} cases, {} launches", count.kernels, count.cases, count.launches);
    count.left_out.iter().for_each(|(why, count)| println!("{count:7} {why}"));
    Ok(())
}

/// The kernels of the next seeds, in order, computed on all cores.
fn batch(first: u64) -> Vec<Result<Drawn, Skipped>> {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let part = |thread: u64| (first + thread..first + BATCH).step_by(threads as usize).map(|s| (s, draw(s))).collect();
    let mut all: Vec<(u64, _)> = std::thread::scope(|scope| {
        let part = &part;
        let started: Vec<_> = (0..threads).map(|thread| scope.spawn(move || -> Vec<_> { part(thread) })).collect();
        started.into_iter().flat_map(|thread| thread.join().expect("no seed panics")).collect()
    });
    all.sort_by_key(|(seed, _)| *seed);
    all.into_iter().map(|(_, drawn)| drawn).collect()
}

/// The totals.
#[derive(Default)]
struct Count {
    kernels: u64,
    cases: usize,
    launches: usize,
    /// The number of skipped seeds and sizes, by reason.
    left_out: BTreeMap<String, u64>,
}

impl Count {
    fn add(&mut self, drawn: &Result<Drawn, Skipped>) {
        let skipped = match drawn {
            Ok(Drawn { cases, left_out, .. }) => {
                self.kernels += 1;
                self.cases += cases.len();
                self.launches += cases.iter().map(|case| case.launches.len()).sum::<usize>();
                &left_out[..]
            }
            Err(skipped) => std::slice::from_ref(skipped),
        };
        skipped.iter().for_each(|Skipped(why)| *self.left_out.entry(why.clone()).or_default() += 1);
    }
}
