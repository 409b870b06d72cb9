//! Packs a folder for a machine with a GPU: tests with embedded kernels, the example with a picture, and a script that
//! runs them. The target machine needs no Rust.
//!
//! `SYSTOLIC_CUDA_ARCH` selects the architecture of the machine code (default 90), `SYSTOLIC_BUNDLE_KERNELS` the number
//! of random kernels (default 400), and `SYSTOLIC_KERNELS_SEED` their first seed. `SYSTOLIC_KERNELS_ON=gpu` builds them
//! only for a GPU.
use crate::log::say;
use crate::step::{Outcome, Step};
use crate::toolkit;
use crate::tools::{cargo, output, root, shown, target};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The name of the folder and of the archive. It is not `bundle`, which is cargo's folder for the profile of that name.
const NAME: &str = "gpu-bundle";
const SCRIPT: &str = include_str!("../fixtures/run.sh");
/// Random kernels per binary; this many are built in minutes.
const KERNELS: u64 = 400;
/// The distance between the first seeds of two binaries. It is larger than the number of kernels, because most random
/// kernels are rejected.
const SEEDS: u64 = 2500;

/// The steps from installing the toolkit to writing the archive.
pub fn steps() -> Vec<Step> {
    let mut steps = vec![
        Step::new("toolkit", toolkit::install),
        Step::new("an empty folder", || outcome(empty())),
        Step::new("workloads", || outcome(workloads())),
        Step::new("the runtime itself", || outcome(runtime())),
        Step::new("the example", || outcome(example())),
    ];
    let random = random(number("SYSTOLIC_BUNDLE_KERNELS", KERNELS), number("SYSTOLIC_KERNELS_SEED", 0));
    for (first, count) in random {
        let name = format!("{count} random kernels from seed {first} on");
        steps.push(Step::new(name, move || outcome(random_kernels(first, count))));
    }
    steps.push(Step::new("script", || outcome(write_script())));
    steps.push(Step::new("archive", archive));
    steps
}

fn outcome(result: Result<(), String>) -> Outcome {
    result.map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn folder() -> PathBuf {
    target().join(NAME)
}

/// The folder of the test binaries.
fn binaries() -> PathBuf {
    folder().join("bin")
}

fn archive_path() -> PathBuf {
    target().join(format!("{NAME}.tar.xz"))
}

/// Removes everything that an earlier run left.
fn empty() -> Result<(), String> {
    let said = |e: std::io::Error| format!("{}: {e}", folder().display());
    if folder().exists() {
        std::fs::remove_dir_all(folder()).map_err(said)?;
    }
    if archive_path().exists() {
        std::fs::remove_file(archive_path()).map_err(said)?;
    }
    std::fs::create_dir_all(binaries()).map_err(said)
}

/// Adds the tests of every workload and map.
fn workloads() -> Result<(), String> {
    let programs = built(&mut tests("systolic-tests"))?;
    let names: BTreeSet<String> = programs.iter().map(|path| name(path)).collect();
    if names.len() < programs.len() {
        return Err(format!("two programs have one name: {programs:?}"));
    }
    programs.iter().try_for_each(|path| copy(path, &binaries().join(name(path))))
}

/// Adds the test program of the runtime, built in release mode because it measures the cost of a launch.
fn runtime() -> Result<(), String> {
    let mut command = released("systolic-runtime");
    command.args(["--features", "cuda", "--example", "gpu"]);
    copy(&one(&mut command)?, &folder().join("runtime"))
}

/// Adds the package that users copy, and its picture.
fn example() -> Result<(), String> {
    copy(&one(&mut released("image-filter"))?, &folder().join("image-filter"))?;
    copy(&root().join("examples/image/picture.png"), &folder().join("picture.png"))
}

/// The first seed and the number of kernels of each binary.
fn random(kernels: u64, first: u64) -> Vec<(u64, u64)> {
    let each = |k: u64| (first + k * SEEDS, KERNELS.min(kernels - k * KERNELS));
    (0..kernels.div_ceil(KERNELS)).map(each).collect()
}

fn random_kernels(first: u64, count: u64) -> Result<(), String> {
    let mut command = tests("random-kernels");
    command.env("SYSTOLIC_KERNELS", count.to_string()).env("SYSTOLIC_KERNELS_SEED", first.to_string());
    copy(&one(&mut command)?, &binaries().join(format!("random_{first}")))
}

/// Builds the tests of a package.
fn tests(package: &str) -> Command {
    let mut command = compiling();
    command.args(["test", "--no-run", "--profile", "bundle", "--features", "cuda", "-p", package]);
    command
}

/// Builds the programs of a package as users build them.
fn released(package: &str) -> Command {
    let mut command = compiling();
    command.args(["build", "--release", "--config", "profile.release.strip=\"symbols\"", "-p", package]);
    command
}

/// Cargo with kernels compiled for GPUs. Missing nvcc is an error, since the bundle is useless without GPU code.
fn compiling() -> Command {
    let mut command = cargo();
    command.env("SYSTOLIC_REQUIRE_NVCC", "1");
    if std::env::var_os("SYSTOLIC_CUDA_ARCH").is_none() {
        command.env("SYSTOLIC_CUDA_ARCH", "90");
    }
    command
}

/// The only program that cargo builds.
fn one(command: &mut Command) -> Result<PathBuf, String> {
    match built(command)?.as_slice() {
        [program] => Ok(program.clone()),
        several => Err(format!("{} built several programs: {several:?}", shown(command))),
    }
}

/// Runs cargo, shows its messages, and returns the programs that it built.
fn built(command: &mut Command) -> Result<Vec<PathBuf>, String> {
    command.arg("--message-format=json-render-diagnostics");
    say!("{}", shown(command));
    let output = command.stderr(Stdio::inherit()).output().map_err(|e| format!("{}: {e}", shown(command)))?;
    if !output.status.success() {
        return Err(format!("{} ended with {}", shown(command), output.status));
    }
    let programs = executables(&String::from_utf8_lossy(&output.stdout));
    if programs.is_empty() { Err(format!("{} built no program", shown(command))) } else { Ok(programs) }
}

/// The programs in cargo's messages.
fn executables(messages: &str) -> Vec<PathBuf> {
    let behind = |line: &str| line.split_once(r#""executable":""#).map(|(_, path)| PathBuf::from(unquoted(path)));
    messages.lines().filter_map(behind).collect()
}

/// The text up to the next quote. Paths contain no escapes except of a quote and a backslash.
fn unquoted(text: &str) -> String {
    let mut letters = text.chars();
    let mut plain = String::new();
    while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
        plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    plain
}

/// A program's name without the hash that cargo appends.
fn name(program: &Path) -> String {
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    name.rsplit_once('-').map_or(&*name, |(name, _)| name).to_string()
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(drop).map_err(|e| format!("{}: {e}", to.display()))
}

fn write_script() -> Result<(), String> {
    let entries = std::fs::read_dir(binaries()).map_err(|e| format!("{}: {e}", binaries().display()))?;
    let mut names: Vec<String> = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let path = folder().join("run.sh");
    std::fs::write(&path, script(&names)).map_err(|e| format!("{}: {e}", path.display()))?;
    executable(&path)
}

/// The script that runs tests with these names.
fn script(names: &[String]) -> String {
    SCRIPT.replace("@NAMES@", &names.join(" "))
}

#[cfg(unix)]
fn executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, mode).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(not(unix))]
fn executable(_: &Path) -> Result<(), String> {
    Ok(())
}

/// Packs the folder into one file, if there is a suitable `tar`.
fn archive() -> Outcome {
    let path = archive_path();
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(target()).arg("-cJf").arg(&path).arg(NAME);
    match output(&mut tar) {
        Ok((true, _)) => {
            say!("{}: {}", path.display(), size(&path));
            Outcome::Passed
        }
        Ok((false, why)) | Err(why) => {
            Outcome::Skipped(format!("{} stays a folder: {}", folder().display(), why.trim()))
        }
    }
}

fn size(path: &Path) -> String {
    let bytes = path.metadata().map_or(0, |metadata| metadata.len());
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::{executables, name, random, script};
    use std::path::{Path, PathBuf};

    #[test]
    fn programs_in_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"a"},"executable":null,"fresh":true}
{"reason":"compiler-artifact","executable":"/t/deps/conv1d-0123456789abcdef","fresh":false}
{"reason":"compiler-artifact","executable":"C:\\a \"b\"\\c.exe","fresh":false}
{"reason":"build-finished","success":true}"#;
        let expected = ["/t/deps/conv1d-0123456789abcdef", r#"C:\a "b"\c.exe"#];
        assert_eq!(executables(messages), expected.map(PathBuf::from));
        assert_eq!(executables(r#"{"executable":"cut\"#), [PathBuf::from("cut")]);
    }

    #[test]
    fn names_without_hashes() {
        let names = ["/t/deps/conv1d-0123456789abcdef", "/t/examples/gpu"].map(|path| name(Path::new(path)));
        assert_eq!(names, ["conv1d", "gpu"]);
    }

    #[test]
    fn random_kernels_by_binaries() {
        assert_eq!(random(0, 0), []);
        assert_eq!(random(400, 7), [(7, 400)]);
        assert_eq!(random(900, 0), [(0, 400), (2500, 400), (5000, 100)]);
    }

    #[test]
    fn the_script_names_every_test() {
        let script = script(&["conv1d".to_string(), "random_0".to_string()]);
        assert!(script.starts_with("#!/bin/sh\n"), "{script}");
        assert!(script.contains("\nnames=\"conv1d random_0\"\n"), "{script}");
        assert!(!script.contains("@NAMES@"), "{script}");
    }
}
