//! `cargo systolic doctor`: says what is here, what is missing, what every kernel runs on and why, and what to do next. Nothing is
//! built or changed.
//!
//! | file | does |
//! | --- | --- |
//! | `things` | looks at the machine and at the package |
//! | `kernels` | says what every kernel runs on |
mod kernels;
mod things;

use crate::End;
use crate::arguments::{self, flag};
use crate::package::{Package, is_nowhere, is_unnamed};
use crate::sources::files;
use crate::terminal::{Ink, Paint, print};
use clap::{ArgMatches, Command};
use kernels::Verdict;
use serde_json::{Value, json};
use things::{Finding, State};

const EXAMPLES: &str = "\
Examples:
  cargo systolic doctor
      Rust, the CPU, nvcc, its C++ compiler, driver and GPU; what every kernel of the package runs on; the next step
  cargo systolic doctor --json
      the same for a script

`missing` is what the package asks for and is not there; `note` is what it does not ask for.

Exit codes: 0 everything that the package asks for is there, 1 something is missing, 2 error.";

/// The options of the command.
pub fn options() -> Command {
    Command::new("doctor")
        .about("Says what is here, what is missing, what every kernel runs on, and what to do next")
        .after_help(EXAMPLES)
        .arg(arguments::package().help("The package to look at [default: that of the current folder]"))
        .arg(flag("json", "One JSON object"))
}

/// Everything that was found.
struct Report {
    findings: Vec<Finding>,
    kernels: Vec<Verdict>,
    next: String,
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<End, String> {
    // The machine can be looked at without a package.
    let (package, trouble) = match Package::find_here(arguments::text(matches, "package")) {
        Ok(package) => (Some(package), None),
        Err(why) if is_unnamed(&why) => return Err(why),
        Err(why) => (None, Some(why).filter(|why| !is_nowhere(why))),
    };
    let (files, broken) = package.as_ref().map(files).unwrap_or_default();
    let things = things::look(package.as_ref(), &broken, trouble.as_deref());
    let kernels = package.as_ref().map_or(Ok(Vec::new()), |package| kernels::verdicts(package, &files, &things))?;
    let next = next(package.as_ref(), &things.findings, &kernels);
    let report = Report { findings: things.findings, kernels, next };
    let written =
        if matches.get_flag("json") { format!("{:#}\n", json(&report)) } else { text(&report, package.as_ref()) };
    print(&written)?;
    let is_missing = report.findings.iter().any(|finding| finding.state == State::Missing);
    Ok(if is_missing || report.kernels.iter().any(Verdict::is_refused) { End::Not } else { End::Done })
}

/// The one next step: for what is missing first, then for kernels.
fn next(package: Option<&Package>, findings: &[Finding], kernels: &[Verdict]) -> String {
    let missing = findings.iter().find(|finding| finding.state == State::Missing);
    if let Some(step) = missing.and_then(|finding| finding.step.clone()) {
        return step;
    }
    if kernels.iter().any(Verdict::is_refused) {
        return "`cargo systolic check` shows why kernels are refused".to_string();
    }
    match (package, kernels.first()) {
        (None, _) => "`cargo systolic init NAME` makes a crate with a kernel".to_string(),
        (Some(_), None) => "write a kernel: `systolic! { kernel … }`".to_string(),
        (Some(_), Some(kernel)) => format!("`cargo systolic explain {}` shows how a kernel runs", kernel.name),
    }
}

fn text(report: &Report, package: Option<&Package>) -> String {
    let paint = Paint::of_output();
    let width = report.findings.iter().map(|finding| finding.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for Finding { state, name, words, .. } in &report.findings {
        let ink = match state {
            State::Ok => Ink::Good,
            State::Missing => Ink::Bad,
            State::Note => Ink::Frame,
        };
        out += &format!("{}  {name:width$}  {words}\n", paint.text(ink, &format!("{:7}", state.word())));
    }
    if let Some(package) = package.filter(|_| !report.kernels.is_empty()) {
        out += &format!("\nkernels of `{}`\n", package.name);
    }
    for Verdict { name, file, lines } in &report.kernels {
        out += &format!("    {} ({file})\n", paint.text(Ink::Strong, name));
        lines.iter().for_each(|line| out += &format!("        {}: {}\n", line.device, line.words));
    }
    out + &format!("\nnext: {}\n", report.next)
}

fn json(report: &Report) -> Value {
    let finding = |Finding { state, name, words, step }: &Finding| json!({ "state": state.word(), "name": name, "found": words, "step": step });
    let kernel = |verdict: &Verdict| {
        let lines = verdict.lines.iter().map(|line| json!({ "on": line.device, "runs": line.runs, "why": line.words }));
        json!({ "kernel": verdict.name, "file": verdict.file, "runs": lines.collect::<Vec<_>>() })
    };
    json!({
        "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
        "kernels": report.kernels.iter().map(kernel).collect::<Vec<_>>(), "next": report.next,
    })
}
