//! Options that several commands have.
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use std::collections::BTreeMap;
use std::path::PathBuf;
use systolic_compiler::model::Int;

/// `--name VALUE`
pub fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

/// `--name VALUE`, as often as wanted.
pub fn many(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    option(name, value, help).action(ArgAction::Append)
}

/// `--name`
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// The kernel that a command is about.
pub fn kernel() -> Arg {
    Arg::new("kernel").value_name("KERNEL").required(true).help("The name of the kernel")
}

/// The file of the kernel, if its name is not enough.
pub fn file() -> Arg {
    option("file", "PATH", "The file of the kernel, if several have one of this name")
        .value_parser(value_parser!(PathBuf))
}

/// The package of the command.
pub fn package() -> Arg {
    option("package", "NAME", "The package of the kernel [default: that of the current folder]").short('p')
}

/// The text of an option.
pub fn text<'m>(matches: &'m ArgMatches, name: &str) -> Option<&'m str> {
    matches.get_one::<String>(name).map(String::as_str)
}

/// The sizes of an option that may be given several times.
pub fn sizes(matches: &ArgMatches, name: &str) -> Result<BTreeMap<String, Int>, String> {
    let words: Vec<String> = matches.get_many::<String>(name).unwrap_or_default().cloned().collect();
    crate::tune::parse_sizes(&words)
}
