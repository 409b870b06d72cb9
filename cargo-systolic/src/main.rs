//! `cargo systolic …`: commands for packages with `systolic!` kernels. Each command has a module with its options and its work.
#![forbid(unsafe_code)]

mod arguments;
mod check;
mod command;
mod compare;
mod completions;
mod date;
mod device;
mod doctor;
mod explain;
mod files;
mod init;
mod kernel;
mod machine;
mod maps;
mod package;
mod program;
mod series;
mod sources;
mod terminal;
mod toolkit;
mod tune;

use clap::{ArgMatches, Command};
use std::ffi::OsString;
use std::process::ExitCode;
use terminal::say;

/// How a command ended, if not by an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Done,
    /// What was checked does not hold.
    Not,
}

/// A command: its options, and what it does.
type Subcommand = (fn() -> Command, fn(&ArgMatches) -> Result<End, String>);

const COMMANDS: [Subcommand; 8] = [
    (init::options, init::run),
    (doctor::options, doctor::run),
    (check::options, check::run),
    (explain::options, explain::run),
    (compare::options, compare::run),
    (tune::options, tune::run),
    (machine::options, machine::run),
    (completions::options, completions::run),
];

const AFTER: &str = "\
Examples:
  cargo systolic init blurring     makes a crate with a kernel
  cargo systolic doctor            says what is here, what is missing, and what to do next
  cargo systolic explain blur      shows which lane computes every value, and when

`cargo systolic help COMMAND` shows the options and examples of a command. NO_COLOR=1 turns colours and bars off.

Exit codes: 0 done, 1 what was checked does not hold, 2 error, 130 interrupted.";

/// The whole command line.
fn command_line() -> Command {
    Command::new("cargo systolic")
        .bin_name("cargo systolic")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Commands for packages with systolic! kernels")
        .after_help(AFTER)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(COMMANDS.iter().map(|(options, _)| options()))
}

fn main() -> ExitCode {
    // Cargo runs `cargo-systolic systolic tune …` for `cargo systolic tune …`.
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == "systolic") {
        words.remove(1);
    }
    if let Err(why) = files::watch_signals() {
        say(&format!("error: {why}"));
        return ExitCode::from(2);
    }
    let matches = command_line().get_matches_from(words);
    let chosen = matches.subcommand().and_then(|(name, matches)| {
        let (_, run) = COMMANDS.iter().find(|(options, _)| options().get_name() == name)?;
        Some(run(matches))
    });
    match chosen {
        Some(Ok(End::Done)) | None => ExitCode::SUCCESS,
        Some(Ok(End::Not)) => ExitCode::from(1),
        Some(Err(why)) => {
            say(&format!("error: {why}"));
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn options_are_well_formed_and_have_examples_and_exit_codes() {
        super::command_line().debug_assert();
        for (options, _) in super::COMMANDS {
            let help = options().render_help().to_string();
            assert!(help.contains("Examples:\n  cargo systolic ") && help.contains("Exit codes: 0 "), "{help}");
        }
    }
}
