//! `cargo systolic compare KERNEL`: all maps of a kernel side by side. No GPU is needed, and nvcc only for the registers of its
//! assembler.
mod registers;
mod rows;
mod shape;
mod table;

use crate::End;
use crate::arguments::{self, flag, many, option};
use crate::package::Package;
use crate::terminal::print;
use clap::{ArgMatches, Command};
use rows::{Asked, comparison};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  cargo systolic compare conv1d
      all maps of the kernel `conv1d`: lanes, warps, blocks, steps, registers, predicted and measured times
  cargo systolic compare conv1d --instance Q=5 --size C=1000000
      another instance, at another size
  cargo systolic compare conv1d --json
      the same for a script

Times are predicted on the machine of systolic-machine.toml, or on an H200. What systolic-tune.json knows at the same
sizes stands beside them; without --size, the sizes are those at which most maps were measured. Where nvcc is, registers are
those of its assembler, which takes some seconds per map; elsewhere the cost model estimates them.

Exit codes: 0 done, 1 a map is refused, 2 error.";

/// The options of the command.
pub fn options() -> Command {
    Command::new("compare")
        .about("Compares all maps of a kernel: lanes, steps, registers, predicted and measured times")
        .after_help(EXAMPLES)
        .arg(arguments::kernel())
        .arg(many("size", "N=8192", "A size at which maps are compared; once per size [default: large arrays]"))
        .arg(option("instance", "T=f32,Q=5", "The instance with these generic arguments [default: the first]"))
        .arg(flag("json", "One JSON object"))
        .arg(arguments::file())
        .arg(arguments::package())
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<End, String> {
    let text = |name: &str| arguments::text(matches, name);
    let asked = Asked {
        kernel: text("kernel").unwrap_or_default(),
        file: matches.get_one::<PathBuf>("file").map(PathBuf::as_path),
        instance: text("instance"),
        sizes: arguments::sizes(matches, "size")?,
    };
    let package = Package::find_here(text("package"))?;
    let found = comparison(&package, &asked)?;
    let written = if matches.get_flag("json") { format!("{:#}\n", table::json(&found)) } else { table::text(&found) };
    print(&written)?;
    Ok(if found.rows.iter().any(|row| row.facts.is_err()) { End::Not } else { End::Done })
}
