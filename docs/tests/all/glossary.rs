//! `docs/glossary.md`: the types of the program and of the schedule and all passes have an entry, and every path it names exists.
use crate::text::{read, root};
use std::collections::BTreeSet;

const PAGE: &str = "docs/glossary.md";

/// The words in backticks on the page.
fn quoted() -> BTreeSet<String> {
    read(PAGE).split('`').skip(1).step_by(2).map(String::from).collect()
}

/// The names of all `pub struct` and `pub enum` of a file.
fn public_types(source: &str) -> Vec<String> {
    let declared = |line: &str| {
        let rest = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "))?;
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(String::from)
    };
    source.lines().filter_map(|line| declared(line.trim_start())).collect()
}

#[test]
fn every_type_of_programs_and_schedules_has_an_entry() {
    let folder = "systolic-compiler/src/program";
    let files = std::fs::read_dir(root().join(folder)).expect("the folder of programs");
    let names = files.map(|file| file.expect("an entry of the folder").file_name().to_string_lossy().into_owned());
    let mut paths: Vec<String> =
        names.filter(|name| name.ends_with(".rs")).map(|name| format!("{folder}/{name}")).collect();
    paths.push("systolic-compiler/src/schedule/mod.rs".to_string());
    let quoted = quoted();
    let mut found = 0;
    for path in paths {
        for name in public_types(&read(&path)) {
            assert!(quoted.contains(&name), "{PAGE} has no entry for `{name}` of {path}");
            found += 1;
        }
    }
    assert!(found > 20, "only {found} types were found in the sources");
}

#[test]
fn every_pass_has_an_entry_in_order() {
    let source = read("systolic-compiler/src/optimise/mod.rs");
    let list = source.split("pub const PASSES").nth(1).and_then(|rest| rest.split("];").next()).expect("PASSES");
    let name = |line: &str| line.trim_start().strip_prefix("(\"")?.split_once("\", ").map(|(name, _)| name.to_string());
    let passes: Vec<String> = list.lines().filter_map(name).collect();
    assert!(passes.len() > 5, "only these passes were found in the sources: {passes:?}");
    let page = read(PAGE);
    let section = page.split("\n## Passes\n").nth(1).expect("a section `Passes`");
    let rows = section.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let entry = |row: &str| row.split('`').nth(1).unwrap_or_default().to_string();
    let entries: Vec<String> = rows.take_while(|line| line.starts_with('|')).map(entry).collect();
    assert_eq!(entries, passes, "{PAGE} does not list the passes in their order");
}

#[test]
fn every_path_exists() {
    let quoted = quoted();
    let is_path = |word: &&String| word.contains('/') && !word.contains(' ');
    let paths: Vec<&String> = quoted.iter().filter(is_path).collect();
    assert!(paths.len() > 20, "only these paths were found: {paths:?}");
    for path in paths {
        assert!(root().join(path).exists(), "{PAGE} names {path}");
    }
}

/// A reader looks a word up by its first letter.
#[test]
fn words_are_in_alphabetical_order() {
    let page = read(PAGE);
    for heading in ["Words of the language", "Words of the compiler"] {
        let section = page.split(&format!("\n## {heading}\n")).nth(1).unwrap_or_else(|| panic!("no heading {heading}"));
        let section = section.split("\n## ").next().unwrap_or_default();
        let rows = section.lines().filter(|line| line.starts_with("| ")).skip(2);
        let words: Vec<&str> = rows.filter_map(|row| row.split(" | ").next()).collect();
        assert!(words.len() > 10, "{heading}: {words:?}");
        assert!(words.is_sorted(), "{heading}: not in alphabetical order");
    }
}
