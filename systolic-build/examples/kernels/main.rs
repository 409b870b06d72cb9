//! Compiles every workload and map for one architecture of each kind: one instance each; or, with `all`, every instance for
//! every architecture. With `new` it leaves out kernels that the list in the repository holds, except an eighth of them by the date.
//! The resources of each kernel are compared with the table in the repository; `bless` rewrites that table and the list. Words select
//! kernels by their names. Any use of local memory is a failure.
mod compile;
mod record;
mod table;

use compile::{Compiled, compile};
use record::Record;
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

/// What to do with which kernels.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// One instance of each kernel; the table must say the same.
    Check,
    /// The same, without the kernels that the list holds.
    New,
    /// Every instance for every architecture.
    All,
    /// One instance of each kernel, for the table and the list.
    Bless,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (mode, words) = match arguments.as_slice() {
        ["new", words @ ..] => (Mode::New, words),
        ["all", words @ ..] => (Mode::All, words),
        ["bless", words @ ..] => (Mode::Bless, words),
        words => (Mode::Check, words),
    };
    match run(mode, words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Compiles the kernels, prints how long it took, does what the mode says, and fails if a kernel uses local memory.
fn run(mode: Mode, words: &[&str]) -> Result<(), String> {
    let nvcc = Nvcc::find()?;
    let start = Instant::now();
    let units = units(mode == Mode::All)?;
    println!("{} kernels of {} types emitted in {:.1} s", units.len(), types(&units), start.elapsed().as_secs_f64());
    let chosen = chosen(mode, words, &nvcc, &units);
    if chosen.is_empty() && !words.is_empty() && mode != Mode::New {
        return Err(format!("no kernel is called {}", words.join(" or ")));
    }
    let start = Instant::now();
    let architectures = if mode == Mode::All { &ALL[..] } else { &ARCHITECTURES };
    let compiled = compile(&nvcc, &chosen, architectures, threads())?;
    println!("{}", compile::times(&compiled, start.elapsed()));
    let stored = match mode {
        Mode::All => Ok(()),
        Mode::Check | Mode::New => table::check(&nvcc, &units, &compiled),
        Mode::Bless => table::bless(&nvcc, &units, &compiled).and_then(|()| note(&nvcc, &units, &chosen, &compiled)),
    };
    let local: Vec<String> = compiled.iter().flat_map(Compiled::local).collect();
    if !local.is_empty() {
        let stored = stored.err().map(|why| format!("{why}\n")).unwrap_or_default();
        return Err(format!("{stored}local memory is used:\n{}", local.join("\n")));
    }
    let names: Vec<String> = architectures.iter().map(|a| format!("sm_{a}")).collect();
    println!("no local memory on {}", names.join(", "));
    stored
}

/// The units to compile.
fn chosen<'u>(mode: Mode, words: &[&str], nvcc: &Nvcc, units: &'u [Unit]) -> Vec<&'u Unit> {
    let mut chosen: Vec<&Unit> =
        units.iter().filter(|unit| words.is_empty() || words.iter().any(|word| unit.name.contains(word))).collect();
    if mode == Mode::New {
        let (record, rows, day) = (Record::read(), table::kernels(), record::today());
        let is_new = |unit: &Unit| !record.holds(&unit.name, &record::hash(nvcc, unit)) || !rows.contains(&unit.name);
        let new = chosen.iter().filter(|unit| is_new(unit)).count();
        chosen.retain(|unit| is_new(unit) || record::is_due(&unit.name, day));
        println!("{new} of them are new, {} others have their turn today", chosen.len() - new);
    }
    chosen
}

/// Notes in the list which kernels passed.
fn note(nvcc: &Nvcc, units: &[Unit], chosen: &[&Unit], compiled: &[Compiled]) -> Result<(), String> {
    let mut record = Record::read();
    record.keep(|name| units.iter().any(|unit| unit.name == name));
    for (unit, compiled) in chosen.iter().zip(compiled) {
        let has_passed = compiled.local().is_empty();
        record.note(&unit.name, has_passed.then(|| record::hash(nvcc, unit)));
    }
    record.write()
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
