//! Compiles every workload and map for one architecture of each kind: one instance each; or, with `all`, every instance for
//! every architecture. The
//! resources of each kernel are compared with the table in the repository; `bless` rewrites that table. Any use of
//! local memory is a failure.
mod compile;
mod table;

use compile::{Compiled, compile};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use systolic_build::{Nvcc, find, jobs::each};
use systolic_compiler::emit::Unit;

/// Compute capabilities from Turing to Blackwell. Those between differ little: 86 and 89 from 80, 100 from 90.
pub const ARCHITECTURES: [u32; 4] = [75, 80, 90, 120];

/// All compute capabilities.
const ALL: [u32; 7] = [75, 80, 86, 89, 90, 100, 120];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => run(false, table::check),
        ["all"] => run(true, |_, _| Ok(())),
        ["bless"] => run(false, table::bless),
        _ => Err("kernels [all | bless]".to_string()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Compiles the kernels, prints how long it took, passes the results to `then`, and fails if a kernel uses local
/// memory.
fn run(all: bool, then: fn(&Nvcc, &[Compiled]) -> Result<(), String>) -> Result<(), String> {
    let nvcc = Nvcc::find()?;
    let start = Instant::now();
    let units = units(all)?;
    println!("{} kernels of {} types emitted in {:.1} s", units.len(), types(&units), start.elapsed().as_secs_f64());
    let start = Instant::now();
    let architectures = if all { &ALL[..] } else { &ARCHITECTURES };
    let compiled = compile(&nvcc, &units, architectures, threads())?;
    println!("{}", compile::times(&compiled, start.elapsed()));
    let table = then(&nvcc, &compiled);
    let local: Vec<String> = compiled.iter().flat_map(Compiled::local).collect();
    if !local.is_empty() {
        let table = table.err().map(|why| format!("{why}\n")).unwrap_or_default();
        return Err(format!("{table}local memory is used:\n{}", local.join("\n")));
    }
    let names: Vec<String> = architectures.iter().map(|a| format!("sm_{a}")).collect();
    println!("no local memory on {}", names.join(", "));
    table
}

/// The kernels of `tests/kernels`, ordered by file and name.
fn units(all: bool) -> Result<Vec<Unit>, String> {
    let folder = root().join("tests").canonicalize().map_err(|e| format!("tests: {e}"))?;
    let found: Vec<_> = find(&folder).into_iter().filter(|f| f.file.starts_with(folder.join("kernels"))).collect();
    let emitted = each(&found, threads(), |found| found.text.parse().ok().map(systolic_compiler::units));
    let mut units = Vec::new();
    for (found, emitted) in found.iter().zip(emitted) {
        let of_call = emitted.flatten().ok_or_else(|| format!("a kernel of {} breaks", found.file.display()))?;
        if of_call.is_empty() {
            return Err(format!("a call in {} gives no kernel", found.file.display()));
        }
        units.extend(of_call);
    }
    let mut seen = BTreeSet::new();
    units.retain(|unit| seen.insert(if all { unit.key.clone() } else { type_of(unit).to_string() }));
    Ok(units)
}

/// The type of a unit: its name without the instance.
fn type_of(unit: &Unit) -> &str {
    unit.name.split("::<").next().unwrap_or_default()
}

fn types(units: &[Unit]) -> usize {
    units.iter().map(type_of).collect::<BTreeSet<_>>().len()
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
