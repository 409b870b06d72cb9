//! `cargo systolic machine`: measures the GPU at hand and writes the file from which build scripts read its numbers.
use crate::End;
use crate::arguments::option;
use crate::command::output_within;
use crate::date::today;
use crate::device::Device;
use crate::files::replace;
use crate::package::Package;
use crate::program::Program;
use crate::terminal::{print, say};
use clap::{ArgMatches, Command};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use systolic_compiler::model::Int;
use systolic_compiler::target::machine_file::{FILE, Machine, read, write};

const EXAMPLES: &str = "\
Examples:
  cargo systolic machine
      measures the first GPU and writes systolic-machine.toml into the folder of the workspace
  cargo systolic machine --output other/systolic-machine.toml
      writes it to another place, for example for one package only

Build scripts with systolic-build read the file of their package or workspace, and search for maps of kernels without
one for this machine.

Exit codes: 0 done, 2 error.";

/// The longest time that the program may take.
const LIMIT: Duration = Duration::from_secs(120);

/// The program that measures.
const MAIN: &str = include_str!("machine_program.rs");

/// The options of the command.
pub fn options() -> Command {
    Command::new("machine")
        .about("Measures the GPU of this machine, for the search for maps in build scripts")
        .after_help(EXAMPLES)
        .arg(
            option("package", "NAME", "The package whose `systolic` is used [default: that of the current folder]")
                .short('p'),
        )
        .arg(option("output", "FILE", "The file to write [default: systolic-machine.toml of the workspace]"))
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<End, String> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let device = Device::gpu()?;
    let package = Package::find(text("package"))?;
    let path = text("output").map_or_else(|| package.workspace.join(FILE), PathBuf::from);
    let program = Program::new(&package, "machine", "gpu", true, "release")?;
    program.write(&[("main.rs".to_string(), MAIN.to_string())])?;
    say(&format!("building the program that measures {}", device.name));
    let built = program.build()?;
    let said = output_within(&mut std::process::Command::new(built), LIMIT)?;
    let value: Value = serde_json::from_str(said.trim()).map_err(|_| format!("the program said `{}`", said.trim()))?;
    let (_, clock) = device.gpu.ok_or("there is no GPU")?;
    let machine = measured(&value, clock)?;
    let text = format!("# Measured by `cargo systolic machine`, {}.\n{}", today(), write(&machine));
    // What it would not read again is not written.
    read(&text)?;
    replace(&path, &text)?;
    print(&text)?;
    say(&format!("written to {}", path.display()));
    package.builders.iter().try_for_each(|manifest| touch(manifest))?;
    Ok(End::Done)
}

/// The machine of these measurements. What was not measured is scaled from the published machine of the architecture.
fn measured(value: &Value, clock: u64) -> Result<Machine, String> {
    let number = |key: &str| value[key].as_f64().filter(|n| *n > 0.0).ok_or(format!("the program measured no `{key}`"));
    let name = value["name"].as_str().ok_or("the program named no GPU")?.to_string();
    let architecture = number("architecture")? as u32;
    let mut machine = Machine::published(architecture);
    machine.name = name;
    let gpu = &mut machine.gpu;
    gpu.architecture = architecture;
    gpu.block_shared_bytes = number("shared")? as Int;
    gpu.shared_bytes = gpu.block_shared_bytes as usize + gpu.shared_reserved;
    let timing = &mut gpu.timing;
    let cycles = clock as f64 / timing.clock;
    let together = cycles * number("multiprocessors")? / timing.multiprocessors;
    timing.far *= cycles;
    timing.second_cache *= together;
    timing.second_cache_stores *= together;
    timing.clock = clock as f64;
    timing.multiprocessors = number("multiprocessors")?;
    timing.bandwidth = number("bandwidth")?;
    timing.launch = number("launch")?;
    Ok(machine)
}

/// Changes the time of a manifest, and nothing else: build scripts watch it, and so see a file that was not there before.
fn touch(manifest: &Path) -> Result<(), String> {
    let file = std::fs::File::options().append(true).open(manifest);
    file.and_then(|file| file.set_modified(SystemTime::now())).map_err(|e| format!("{}: {e}", manifest.display()))
}

#[cfg(test)]
mod tests {
    use super::{measured, read, write};
    use serde_json::json;

    #[test]
    fn a_file_from_measurements() {
        let value = json!({
            "name": "NVIDIA GeForce RTX 4060", "architecture": 89, "multiprocessors": 24, "shared": 101_376,
            "bandwidth": 2.4e11, "launch": 2.5e-6,
        });
        let machine = measured(&value, 2_460_000_000).expect("a machine");
        let again = read(&write(&machine)).expect("a file that can be read");
        assert_eq!((again.identity(), again.name.as_str()), (machine.identity(), "NVIDIA GeForce RTX 4060"));
        assert_eq!((machine.gpu.timing.multiprocessors, machine.gpu.timing.clock), (24.0, 2.46e9));
        // A fifth of the multiprocessors has about a fifth of the second cache's bandwidth.
        let published = read("architecture = 89").expect("a machine").gpu.timing.second_cache;
        assert!((0.1..0.25).contains(&(machine.gpu.timing.second_cache / published)));
    }

    #[test]
    fn what_is_missing_is_said() {
        let value = json!({ "name": "x", "architecture": 89, "multiprocessors": 0, "shared": 1 });
        assert!(measured(&value, 1).is_err_and(|why| why.contains("`multiprocessors`")));
    }
}
