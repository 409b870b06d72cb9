//! Random kernels that the laws accept, as CUDA, with launches and their expected results; `gpu/run.sh` runs them on a
//! GPU.
//!
//! `gpu_cases FOLDER SEED KERNELS [with=KIND] [pairs=all | fault=FAULT]` draws seeds, starting with SEED, until it has KERNELS
//! kernels. It writes
//!
//! - one source `KEY.cu` per kernel, and the headers that they include;
//! - `later`: the keys of kernels that need a later architecture than others to be fast, each with its number;
//! - `cases`, whose format `file` describes.
//!
//! With KIND, a part of a text of `kinds`, kernels without it are left out: `with=order` gives those whose blocks wait for each
//! other. The last two options need the feature `planted`. `pairs=all` runs two blocks as one wherever they can, not only where
//! that is faster. FAULT is the number of a fault of `systolic_compiler::planted`, or a part of its text. It is planted while the
//! kernels are compiled, so a GPU must find wrong results.
mod call;
mod case;
mod far;
mod fault;
mod file;
mod grid;
mod kernel;
mod kinds;
mod layout;
mod params;

use fault::Fault;
use file::File;
use kernel::{Drawn, Skipped};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{fmt, io};
use systolic_compiler::link;

/// The number of seeds that are drawn at once.
const BATCH: u64 = 64;

fn main() -> io::Result<()> {
    Request::new(&std::env::args().skip(1).collect::<Vec<String>>()).map_err(io::Error::other)?.write()
}

/// What is asked for.
struct Request {
    folder: PathBuf,
    first: u64,
    kernels: u64,
    /// What every kernel must have.
    with: String,
    fault: Option<Fault>,
}

impl Request {
    fn new(arguments: &[String]) -> Result<Request, String> {
        let usage = "usage: gpu_cases FOLDER SEED KERNELS [with=KIND] [pairs=all | fault=FAULT]";
        let [folder, first, kernels, options @ ..] = arguments else { return Err(usage.to_string()) };
        let number = |text: &str| text.parse::<u64>().map_err(|_| usage.to_string());
        let (first, kernels) = (number(first)?, number(kernels)?);
        let mut request = Request { folder: folder.into(), first, kernels, with: String::new(), fault: None };
        for option in options {
            match option.split_once('=') {
                Some(("with", kind)) if !kinds::WORDS.contains(&kind) => {
                    return Err(format!("no kernel has `{kind}`, but {}", kinds::WORDS.join(", ")));
                }
                Some(("with", kind)) => request.with = kind.to_string(),
                Some(("pairs", "all")) => request.fault = Some(Fault::all_pairs()?),
                Some(("fault", fault)) => request.fault = Some(Fault::new(fault)?),
                _ => return Err(usage.to_string()),
            }
        }
        Ok(request)
    }

    fn write(&self) -> io::Result<()> {
        let in_folder = |name: &str| self.folder.join(name);
        std::fs::create_dir_all(&self.folder)?;
        link::HEADERS.iter().try_for_each(|(name, text)| std::fs::write(in_folder(name), text))?;
        let (mut file, mut later, mut count) = (File::default(), String::new(), Count::default());
        let mut seed = self.first;
        while count.kernels < self.kernels {
            for drawn in self.batch(seed) {
                if count.kernels == self.kernels {
                    break;
                }
                if let Ok(Drawn { unit, cases, .. }) = &drawn {
                    std::fs::write(in_folder(&format!("{}.cu", unit.key)), &unit.source)?;
                    later.extend(unit.later().map(|architecture| format!("{} {architecture}\n", unit.key)));
                    file.kernel(seed, &unit.key, cases);
                }
                count.add(&drawn);
                seed += 1;
            }
        }
        std::fs::write(in_folder("later"), later)?;
        std::fs::write(in_folder("cases"), file.finish())?;
        print!("seeds {}..{seed}: {count}", self.first);
        Ok(())
    }

    /// The kernels of the next seeds, in order, computed on all cores.
    fn batch(&self, first: u64) -> Vec<Result<Drawn, Skipped>> {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
        let part = |thread: u64| -> Vec<_> {
            (first + thread..first + BATCH).step_by(threads as usize).map(|seed| (seed, self.draw(seed))).collect()
        };
        let mut all: Vec<(u64, _)> = std::thread::scope(|scope| {
            let part = &part;
            let started: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
            started.into_iter().flat_map(|thread| thread.join().expect("no seed panics")).collect()
        });
        all.sort_by_key(|(seed, _)| *seed);
        all.into_iter().map(|(_, drawn)| drawn).collect()
    }

    fn draw(&self, seed: u64) -> Result<Drawn, Skipped> {
        let drawn = fault::draw(seed, self.fault)?;
        let is_wanted = drawn.kinds.iter().any(|(kind, _)| kind.contains(&self.with));
        if is_wanted || self.with.is_empty() { Ok(drawn) } else { Err(kernel::skip("not of the kind")) }
    }
}

/// The totals.
#[derive(Default)]
struct Count {
    kernels: u64,
    cases: usize,
    calls: usize,
    launches: usize,
    /// The numbers of kernels and of cases, by what they have.
    kinds: BTreeMap<&'static str, [usize; 2]>,
    /// The number of skipped seeds and sizes, by reason.
    left_out: BTreeMap<String, u64>,
}

impl Count {
    fn add(&mut self, drawn: &Result<Drawn, Skipped>) {
        let skipped = match drawn {
            Ok(Drawn { cases, left_out, kinds, .. }) => {
                self.kernels += 1;
                self.cases += cases.len();
                let calls = || cases.iter().flat_map(|case| &case.calls);
                self.calls += calls().count();
                self.launches += calls().map(|call| call.launches.len()).sum::<usize>();
                for (kind, cases) in kinds {
                    let [all_kernels, all_cases] = self.kinds.entry(kind).or_default();
                    *all_kernels += 1;
                    *all_cases += cases;
                }
                &left_out[..]
            }
            Err(skipped) => std::slice::from_ref(skipped),
        };
        skipped.iter().for_each(|Skipped(why)| *self.left_out.entry(why.clone()).or_default() += 1);
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count { kernels, cases, calls, launches, .. } = self;
        writeln!(f, "{kernels} kernels, {cases} cases, {calls} calls, {launches} launches")?;
        for (kind, [kernels, cases]) in &self.kinds {
            writeln!(f, "{kernels:7} kernels, {cases:5} cases with {kind}")?;
        }
        writeln!(f, "left out:")?;
        self.left_out.iter().try_for_each(|(why, count)| writeln!(f, "{count:7} {why}"))
    }
}
