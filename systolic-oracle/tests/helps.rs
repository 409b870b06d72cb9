//! Applies every help that offers code and checks the text again: the fault must be gone, and no new fault of an earlier or the
//! same law may be at that position.
mod support;

use std::collections::BTreeMap;
use std::path::Path;
use support::faults::{apply, bytes};
use support::files::{blocks, workloads};
use support::mutate::mutants;
use support::rejected::REJECTIONS;
use support::{check_text, number};
use systolic_compiler::Checked;
use systolic_compiler::check;
use systolic_compiler::fault::{Fault, Help, Law, message};

#[derive(Default)]
struct Tally {
    faults: usize,
    with_edits: usize,
    mended: usize,
    by_law: BTreeMap<Law, (usize, usize)>,
    wrong: Vec<String>,
}

impl Tally {
    /// Applies the helps of all faults of a text, one by one.
    fn add(&mut self, name: &str, text: &str, checked: &Checked, again: &dyn Fn(&str) -> Result<Checked, String>) {
        for fault in &checked.faults {
            let counts = self.by_law.entry(fault.law()).or_default();
            self.faults += 1;
            counts.0 += 1;
            let Some(help) = fault.help.as_ref().filter(|h| !h.edits.is_empty()) else { continue };
            self.with_edits += 1;
            counts.1 += 1;
            let new = apply(text, &help.edits);
            let why = match again(&new) {
                Err(error) => Some(error),
                Ok(after) => {
                    // Another mistake of the same text, which this help does not claim to mend.
                    let other = |f: &Fault| {
                        said(f) != said(fault) && checked.faults.iter().any(|before| said(before) == said(f))
                    };
                    after.faults.iter().find(|f| remains(fault, f, help) && !other(f)).map(message)
                }
            };
            match why {
                None => self.mended += 1,
                Some(why) => self.wrong.push(format!(
                    "{name}: the help of\n{}\ngives\n{why}\n--- before\n{text}--- after\n{new}",
                    message(fault)
                )),
            }
        }
    }
}

/// What a message says is wrong, without its help.
fn said(fault: &Fault) -> String {
    let text = message(fault);
    text.lines().take_while(|line| !line.starts_with("help:")).collect::<Vec<_>>().join("\n")
}

/// Whether a fault of the changed text is the old one, or one of an earlier or the same law at its position.
fn remains(old: &Fault, new: &Fault, help: &Help) -> bool {
    let at = bytes(old.at);
    let (mut start, mut end) = (at.start, at.end);
    for edit in &help.edits {
        let replaced = bytes(edit.at);
        if replaced.end <= at.start {
            start = start + edit.code.len() - replaced.len();
            end = end + edit.code.len() - replaced.len();
        } else if replaced.start < at.end {
            // The inserted code covers the position of the fault: any fault in it counts.
            (start, end) = (replaced.start, replaced.start + edit.code.len().max(1));
        }
    }
    let found = bytes(new.at);
    new.law() <= old.law() && new.map == old.map && found.start < end && found.end > start
}

fn text_again(text: &str) -> Result<Checked, String> {
    match text.parse::<proc_macro2::TokenStream>() {
        Ok(tokens) => Ok(check(tokens)),
        Err(error) => Err(format!("no tokens: {error}")),
    }
}

/// Checks all blocks of a Rust file, one after the other.
fn file_again(text: &str) -> Result<Checked, String> {
    let tokens = text.parse::<proc_macro2::TokenStream>().map_err(|e| format!("no tokens: {e}"))?;
    let mut all = Checked::default();
    for block in blocks(tokens) {
        let checked = check(block);
        all.faults.extend(checked.faults);
    }
    Ok(all)
}

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_help_with_code_mends_its_fault() {
    let mut tally = Tally::default();
    for (n, rejection) in REJECTIONS.iter().enumerate() {
        let text = rejection.text();
        tally.add(&format!("rejection {n}"), &text, &check_text(&text), &text_again);
    }
    for mutant in mutants(&workloads(), number("SYSTOLIC_MUTANTS", 8) as usize, number("SYSTOLIC_SEED", 1)) {
        let name = format!("{} of {}", mutant.kind, mutant.of);
        tally.add(&name, &mutant.text, &check_text(&mutant.text), &text_again);
    }
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests/fail"), &mut found);
    for path in &found {
        let text = std::fs::read_to_string(path).expect("text");
        if let Ok(checked) = file_again(&text) {
            tally.add(&path.display().to_string(), &text, &checked, &file_again);
        }
    }
    let Tally { faults, with_edits, mended, by_law, wrong } = &tally;
    println!(
        "{} ui-tests; {faults} faults, {with_edits} with code ({}%), {mended} mended",
        found.len(),
        100 * with_edits / faults
    );
    by_law.iter().for_each(|(law, (all, with))| println!("{with:6} of {all:5} {law}"));
    assert!(wrong.is_empty(), "{} helps do not help:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(*with_edits * 10 > *faults, "few faults offer code: {with_edits} of {faults}");
}
