//! Packs the GPU benchmark into one archive: the program with embedded kernels, and a script that runs it. The target
//! machine needs no Rust.
//!
//! `SYSTOLIC_CUDA_ARCH` selects the architecture of the machine code (default 90).
use crate::log::say;
use crate::step::{Outcome, Step};
use crate::toolkit;
use crate::tools::{cargo, output, root, shown, target};
use std::path::{Path, PathBuf};
use std::process::Command;

const NAME: &str = "bench-gpu";

/// The steps from installing the toolkit to writing the archive.
pub fn steps() -> Vec<Step> {
    let outcome = |result: Result<(), String>| result.map_or_else(Outcome::Failed, |()| Outcome::Passed);
    vec![
        Step::new("toolkit", toolkit::install),
        Step::new("program", move || outcome(build())),
        Step::new("archive", move || outcome(archive())),
    ]
}

/// The target folder of this package.
fn built() -> PathBuf {
    if std::env::var_os("CARGO_TARGET_DIR").is_some() { target() } else { target().join(NAME) }
}

fn build() -> Result<(), String> {
    let mut command = cargo();
    command.current_dir(root().join("bench/gpu")).args(["build", "--release"]);
    command.env("CARGO_TARGET_DIR", built()).env("SYSTOLIC_REQUIRE_NVCC", "1").env("BENCH_COMMIT", commit());
    if std::env::var_os("SYSTOLIC_CUDA_ARCH").is_none() {
        command.env("SYSTOLIC_CUDA_ARCH", "90");
    }
    say!("{}", shown(&command));
    match command.status().map_err(|e| format!("{}: {e}", shown(&command)))? {
        status if status.success() => Ok(()),
        status => Err(format!("{} ended with {status}", shown(&command))),
    }
}

/// The current commit, and whether there are uncommitted changes.
fn commit() -> String {
    let git = |arguments: &[&str]| output(Command::new("git").current_dir(root()).args(arguments)).ok();
    let text = |arguments| git(arguments).filter(|(ok, _)| *ok).map(|(_, text)| text.trim().to_string());
    let commit = text(&["rev-parse", "--short", "HEAD"]).unwrap_or_else(|| "unknown".to_string());
    let is_changed = text(&["status", "--porcelain"]).is_none_or(|text| !text.is_empty());
    if is_changed { commit + " with changes" } else { commit }
}

/// Packs the program, the script and the files that it needs into one file.
fn archive() -> Result<(), String> {
    let folder = built().join("archive").join(NAME);
    let said = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|e| said(&folder, e))?;
    }
    std::fs::create_dir_all(&folder).map_err(|e| said(&folder, e))?;
    let program = built().join("release").join(NAME).with_extension(std::env::consts::EXE_EXTENSION);
    for from in [program, root().join("bench/gpu/run.sh"), root().join("bench/gpu/peers/cudnn.py")] {
        let to = folder.join(from.file_name().unwrap_or_default());
        std::fs::copy(&from, &to).map_err(|e| said(&from, e))?;
    }
    let path = target().join(format!("{NAME}.tar.xz"));
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(built().join("archive")).arg("-cJf").arg(&path).arg(NAME);
    match output(&mut tar)? {
        (true, _) => say!("{}: {:.1} MB", path.display(), path.metadata().map_or(0, |m| m.len()) as f64 / 1e6),
        (false, why) => return Err(why),
    }
    Ok(())
}
