//! `cargo systolic init`: makes a crate with a kernel, or adds what kernels need to a package. It overwrites no file of the
//! user's, and a second run changes nothing.
//!
//! | file | does |
//! | --- | --- |
//! | `clone` | where the crates come from |
//! | `fresh` | a new crate |
//! | `existing` | a package that is there |
mod clone;
mod existing;
mod fresh;

use crate::End;
use crate::arguments::{self, flag, option};
use clap::{Arg, ArgMatches, Command, value_parser};
use clone::Origin;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  cargo systolic init blurring
      makes the crate `blurring` with one kernel, for the CPU
  cargo systolic init blurring --gpu
      the same, with what GPUs need
  cargo systolic init
      adds to the package of the current folder: the dependency, the build script that compiles kernels for GPUs, and,
      only where no CUDA toolkit is found, the one setting that the build of `cust` needs
  cargo systolic init --cpu --dry-run
      shows what would be added for the CPU only

Feature `cuda` works on Linux only; elsewhere a package gets what the CPU needs.

Exit codes: 0 done, 1 a line is left for you to add, 2 error.";

/// The options of the command.
pub fn options() -> Command {
    let path = value_parser!(PathBuf);
    Command::new("init")
        .about("Makes a crate with a kernel, or adds what kernels need to a package")
        .after_help(EXAMPLES)
        .arg(
            Arg::new("path")
                .value_name("PATH")
                .value_parser(path)
                .help("The folder of the crate [default: the current one]"),
        )
        .arg(flag("gpu", "With what GPUs need [default for a package that is there]"))
        .arg(flag("cpu", "For the CPU only [default for a new crate]").conflicts_with("gpu"))
        .arg(
            option(
                "systolic",
                "PATH",
                "The clone of systolic to depend on [default: the one that this program was built in]",
            )
            .value_parser(value_parser!(PathBuf))
            .conflicts_with("git"),
        )
        .arg(option("git", "URL", "The repository of systolic to depend on"))
        .arg(flag("dry-run", "Show what would change, and change nothing"))
        .arg(arguments::package().help("The package to add to, if the folder has several"))
}

/// What the user asks for.
pub struct Asked {
    pub gpu: bool,
    pub origin: Origin,
    pub dry: bool,
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<End, String> {
    let path = matches.get_one::<PathBuf>("path");
    let folder = path.map_or(Path::new("."), PathBuf::as_path);
    let is_there = folder.join("Cargo.toml").exists() || path.is_none();
    // The bindings to the driver are for Linux.
    let gpu = if is_there { !matches.get_flag("cpu") && cfg!(target_os = "linux") } else { matches.get_flag("gpu") };
    let from = matches.get_one::<PathBuf>("systolic").map(PathBuf::as_path);
    let origin = Origin::find(from, arguments::text(matches, "git"))?;
    let asked = Asked { gpu, origin, dry: matches.get_flag("dry-run") };
    match is_there {
        true => existing::add(folder, arguments::text(matches, "package"), &asked),
        false => fresh::make(folder, &asked),
    }
}
