//! The packages that are published, made and built from what they hold: what a user of a registry would get.
use crate::metadata;
use crate::step::Outcome;
use crate::tools::{cargo, root, run, shown, target};
use std::path::{Path, PathBuf};
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
    let home = folder().join("home");
    match cargo_home().and_then(|real| fresh_home(&real, &home)) {
        Ok(()) => {}
        Err(why) => return Outcome::Failed(why),
    }
    let mut command = package(&published);
    command.env("CARGO_HOME", &home);
    println!("{}", shown(&command));
    let outcome = run(&mut command);
    // The packages stay; what was built from them serves nothing else.
    let _ = std::fs::remove_dir_all(folder().join("debug"));
    let _ = std::fs::remove_dir_all(home);
    outcome
}

fn folder() -> PathBuf {
    target().join("packages")
}

/// Where cargo keeps what it has fetched.
fn cargo_home() -> Result<PathBuf, String> {
    let named = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let usual = || std::env::home_dir().map(|home| home.join(".cargo"));
    named.or_else(usual).ok_or_else(|| "there is no home directory, and CARGO_HOME is not set".to_string())
}

/// A home for cargo with what the real one has fetched and is told, but without unpacked sources. Cargo unpacks a package of
/// a registry once and takes it to be unchanged: in the real home it would build the packages of an earlier run instead.
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
    // With the same settings for both kinds of builds, fewer builds of the compiler differ.
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
            // What a run leaves there is gone in the next.
            std::fs::create_dir_all(home.join("registry/src/new")).unwrap();
        }
        assert!(real.join("registry/src/old").is_dir() && real.join("registry/cache/a.crate").is_file());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
