//! Creates the published packages and builds them from their own files, as a user of a registry would get them.
use crate::log::say;
use crate::metadata;
use crate::step::Outcome;
use crate::tools::{cargo, root, run, shown, target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Creates every published package and builds it from its own files, with the other packages of this workspace in place
/// of a registry. It needs no network if the dependencies have been fetched.
pub fn verify() -> Outcome {
    let published = match published() {
        Ok(published) => published,
        Err(why) => return Outcome::Failed(why),
    };
    say!("published: {}", published.join(", "));
    if let Some(why) = published.iter().find_map(|name| licence(name).err()) {
        return Outcome::Failed(why);
    }
    let home = folder().join("home");
    match cargo_home().and_then(|real| fresh_home(&real, &home)) {
        Ok(()) => {}
        Err(why) => return Outcome::Failed(why),
    }
    let mut command = package(&published);
    command.env("CARGO_HOME", &home);
    say!("{}", shown(&command));
    let outcome = run(&mut command);
    // The packages are kept; the build outputs are of no further use.
    let _ = std::fs::remove_dir_all(folder().join("debug"));
    let _ = std::fs::remove_dir_all(home);
    outcome
}

fn folder() -> PathBuf {
    target().join("packages")
}

/// The folder in which cargo keeps fetched packages.
fn cargo_home() -> Result<PathBuf, String> {
    let named = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let usual = || std::env::home_dir().map(|home| home.join(".cargo"));
    named.or_else(usual).ok_or_else(|| "there is no home directory, and CARGO_HOME is not set".to_string())
}

/// Creates a home for cargo with the downloads and settings of the real one, but without unpacked sources. Cargo
/// unpacks a package of a registry once and assumes that it does not change: in the real home it would build the
/// packages of an earlier run.
fn fresh_home(real: &Path, home: &Path) -> Result<(), String> {
    if home.exists() {
        std::fs::remove_dir_all(home).map_err(|e| format!("{}: {e}", home.display()))?;
    }
    let registry = home.join("registry");
    std::fs::create_dir_all(&registry).map_err(|e| format!("{}: {e}", registry.display()))?;
    for name in ["config.toml", "registry/index", "registry/cache"] {
        let from = real.join(name);
        if from.exists() {
            link(&from, &home.join(name)).map_err(|e| format!("{}: {e}", from.display()))?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(windows)]
fn link(from: &Path, to: &Path) -> std::io::Result<()> {
    if from.is_dir() {
        std::os::windows::fs::symlink_dir(from, to)
    } else {
        std::os::windows::fs::symlink_file(from, to)
    }
}

/// The members of the workspace that are published.
fn published() -> Result<Vec<String>, String> {
    let members = metadata::packages(&["--offline", "--no-deps"])?;
    Ok(members.into_iter().filter(|member| !member.private).map(|member| member.name).collect())
}

fn package(published: &[String]) -> Command {
    let mut command = cargo();
    // Uncommitted changes are allowed: the current files are what is tested.
    command.args(["package", "--offline", "--locked", "--allow-dirty", "--target-dir"]).arg(folder());
    command.args(published.iter().flat_map(|name| ["-p", name]));
    // With equal settings for both kinds of builds, the compiler is built fewer times.
    for name in ["CARGO_PROFILE_DEV_CODEGEN_UNITS", "CARGO_PROFILE_DEV_BUILD_OVERRIDE_CODEGEN_UNITS"] {
        command.env(name, "16");
    }
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
    command
}

/// Checks that a package contains the licence of the repository.
fn licence(package: &str) -> Result<(), String> {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).map_err(|e| format!("{path}: {e}"));
    let path = format!("{package}/LICENSE");
    if read(&path)? == read("LICENSE")? { Ok(()) } else { Err(format!("{path} is not LICENSE")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_home_has_what_was_fetched_and_nothing_unpacked() {
        let folder = std::env::temp_dir().join(format!("systolic-home-{}", std::process::id()));
        let (real, home) = (folder.join("real"), folder.join("home"));
        for path in ["registry/index", "registry/cache", "registry/src/old"] {
            std::fs::create_dir_all(real.join(path)).unwrap();
        }
        std::fs::write(real.join("registry/cache/a.crate"), "a").unwrap();
        for _ in 0..2 {
            fresh_home(&real, &home).unwrap();
            assert!(home.join("registry/cache/a.crate").is_file() && home.join("registry/index").is_dir());
            assert!(!home.join("registry/src").exists() && !home.join("config.toml").exists());
            // The next run must remove what a run has left.
            std::fs::create_dir_all(home.join("registry/src/new")).unwrap();
        }
        assert!(real.join("registry/src/old").is_dir() && real.join("registry/cache/a.crate").is_file());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
