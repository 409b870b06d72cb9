//! `cargo systolic …`: commands for packages with `systolic!` kernels. Each command has a module with its options and its work.
#![forbid(unsafe_code)]

mod command;
mod date;
mod device;
mod explain;
mod kernel;
mod machine;
mod package;
mod program;
mod tune;

use clap::{ArgMatches, Command};
use std::ffi::OsString;
use std::process::ExitCode;

/// How a command ended, if not by an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Done,
    /// What was checked does not hold.
    Not,
}

/// A command: its options, and what it does.
type Subcommand = (fn() -> Command, fn(&ArgMatches) -> Result<End, String>);

const COMMANDS: [Subcommand; 3] =
    [(explain::options, explain::run), (tune::options, tune::run), (machine::options, machine::run)];

const AFTER: &str = "Exit codes: 0 done, 1 what was checked does not hold, 2 error.";

fn main() -> ExitCode {
    // Cargo runs `cargo-systolic systolic tune …` for `cargo systolic tune …`.
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == "systolic") {
        words.remove(1);
    }
    let named: Vec<(Command, Subcommand)> = COMMANDS.iter().map(|command| (command.0(), *command)).collect();
    let matches = Command::new("cargo systolic")
        .bin_name("cargo systolic")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Commands for packages with systolic! kernels")
        .after_help(AFTER)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(named.iter().map(|(command, _)| command.clone()))
        .get_matches_from(words);
    let chosen = matches.subcommand().and_then(|(name, matches)| {
        let (_, (_, run)) = named.iter().find(|(command, _)| command.get_name() == name)?;
        Some(run(matches))
    });
    match chosen {
        Some(Ok(End::Done)) | None => ExitCode::SUCCESS,
        Some(Ok(End::Not)) => ExitCode::from(1),
        Some(Err(why)) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn options_are_well_formed() {
        for (options, _) in super::COMMANDS {
            options().debug_assert();
        }
    }
}
