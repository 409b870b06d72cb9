//! `cargo systolic check`: holds every kernel of a package against the laws, and shows what is refused, and what the macro warns of, as
//! rustc shows it. Nothing is built.
mod diagnostic;
mod draw;

use crate::End;
use crate::arguments::{self, flag};
use crate::package::Package;
use crate::sources::{files, lines_before, not_rust, relative};
use crate::terminal::{Paint, bar, print, say};
use clap::{ArgMatches, Command};
use diagnostic::Diagnostic;
use systolic_build::File;
use systolic_compiler::compile::{Programs, by_rules};
use systolic_compiler::mapping::Target;
use systolic_compiler::{check, emit};

const EXAMPLES: &str = "\
Examples:
  cargo systolic check
      checks every kernel of the package, in all its targets
  cargo systolic check --package filters --json
      one JSON object per error or warning, each on a line: level, file, line, column, law, message, notes, help, edits

It checks the laws of the language, and warns of kernels that run point by point, which is slow. What rustc checks besides, such as the types of calls, it does not see.

Exit codes: 0 all kernels are lawful, with or without warnings; 1 some are refused; 2 error.";

/// The options of the command.
pub fn options() -> Command {
    Command::new("check")
        .about("Checks all kernels of a package, without building it")
        .after_help(EXAMPLES)
        .arg(arguments::package().help("The package to check [default: that of the current folder]"))
        .arg(flag("json", "One JSON object per error or warning, each on a line of its own"))
}

/// What was found in a package.
#[derive(Default)]
struct Findings {
    kernels: usize,
    refused: usize,
    warnings: usize,
    diagnostics: Vec<(usize, Diagnostic)>,
}

impl Findings {
    fn errors(&self) -> usize {
        self.diagnostics.len() - self.warnings
    }
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<End, String> {
    let package = Package::find_here(arguments::text(matches, "package"))?;
    let (files, broken) = files(&package);
    let findings = findings(&package, &files)?;
    let json = matches.get_flag("json");
    let paint = Paint::of_output();
    for (file, diagnostic) in &findings.diagnostics {
        let drawn = |paint| draw::drawn(diagnostic, &files[*file].text, paint);
        let text = match json {
            true => format!("{}\n", diagnostic.json(&drawn(Paint::none()))),
            false => format!("{}\n", drawn(paint)),
        };
        print(&text)?;
    }
    if let Some(file) = broken.first() {
        return Err(not_rust(&package, file));
    }
    if !json {
        say(&summary(&package, &findings, files.len()));
    }
    Ok(if findings.errors() == 0 { End::Done } else { End::Not })
}

fn findings(package: &Package, files: &[File]) -> Result<Findings, String> {
    let mut findings = Findings::default();
    let bar = bar(files.iter().map(|file| file.blocks.len()).sum(), "checking")?;
    for (k, file) in files.iter().enumerate() {
        let (name, before) = (relative(package, &file.path), lines_before(file));
        for block in &file.blocks {
            let checked = check(block.clone());
            let refused = checked.faulty.len() + checked.skeletons.len();
            findings.refused += refused;
            findings.kernels += checked.kernels.len() + refused;
            let new = checked.faults.iter().map(|fault| (k, Diagnostic::new(fault, &name, before)));
            findings.diagnostics.extend(new);
            for (tree, instances) in &checked.kernels {
                let programs = Programs::new(tree, instances, &[Target::Cpu], &by_rules);
                let programs = programs.map_err(|broken| format!("internal error: `{}`: {broken}", tree.name.text))?;
                let notices = emit::notices(tree, instances, &programs);
                findings.warnings += notices.len();
                let new = notices.iter().map(|notice| (k, Diagnostic::warning(notice, &name, before)));
                findings.diagnostics.extend(new);
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(findings)
}

/// One line for people.
fn summary(package: &Package, findings: &Findings, files: usize) -> String {
    let plural = |n: usize, word: &str| if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") };
    let (kernels, files) = (plural(findings.kernels, "kernel"), plural(files, "file"));
    let warnings = match findings.warnings {
        0 => String::new(),
        some => format!(", {}", plural(some, "warning")),
    };
    match (findings.kernels, findings.errors()) {
        (0, 0) => format!("the package `{}` has no kernels", package.name),
        (1, 0) => format!("{kernels} in {files} is lawful{warnings}"),
        (_, 0) => format!("{kernels} in {files} are lawful{warnings}"),
        (_, errors) => format!("{} of {kernels} refused, {}{warnings}", findings.refused, plural(errors, "error")),
    }
}
