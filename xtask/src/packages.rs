//! The packages that are published, made and built from what they hold: what a user of a registry would get.
use crate::metadata;
use crate::step::Outcome;
use crate::tools::{cargo, root, run, shown, target};
use std::process::Command;

/// Makes every published package and builds it from its own files, with the others of this workspace in the place of a
/// registry. It needs no network where the dependencies are there.
pub fn verify() -> Outcome {
    let published = match published() {
        Ok(published) => published,
        Err(why) => return Outcome::Failed(why),
    };
    println!("published: {}", published.join(", "));
    if let Some(why) = published.iter().find_map(|name| licence(name).err()) {
        return Outcome::Failed(why);
    }
    let mut command = package(&published);
    println!("{}", shown(&command));
    let outcome = run(&mut command);
    // The packages stay; what was built from them serves nothing else.
    let _ = std::fs::remove_dir_all(folder().join("debug"));
    outcome
}

fn folder() -> std::path::PathBuf {
    target().join("packages")
}

/// The members of the workspace that may be published.
fn published() -> Result<Vec<String>, String> {
    let members = metadata::packages(&["--offline", "--no-deps"])?;
    Ok(members.into_iter().filter(|member| !member.private).map(|member| member.name).collect())
}

fn package(published: &[String]) -> Command {
    let mut command = cargo();
    // A changed file is no reason to refuse: what is tested is what stands here.
    command.args(["package", "--offline", "--locked", "--allow-dirty", "--target-dir"]).arg(folder());
    command.args(published.iter().flat_map(|name| ["-p", name]));
    // The compiler is built for the macro, for the build script and by itself: with the same settings, once.
    for name in ["CARGO_PROFILE_DEV_CODEGEN_UNITS", "CARGO_PROFILE_DEV_BUILD_OVERRIDE_CODEGEN_UNITS"] {
        command.env(name, "16");
    }
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
    command
}

/// A package carries the licence of the repository.
fn licence(package: &str) -> Result<(), String> {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).map_err(|e| format!("{path}: {e}"));
    let path = format!("{package}/LICENSE");
    if read(&path)? == read("LICENSE")? { Ok(()) } else { Err(format!("{path} is not LICENSE")) }
}
