//! `docs/architecture.md`: what it names exists, and imports are as its tables say.
use crate::text::{read, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The words in backticks of a piece of text.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// The table under a heading: first cell to the words in backticks of its last cell.
fn table(heading: &str) -> BTreeMap<String, BTreeSet<String>> {
    let document = read("docs/architecture.md");
    let section = document.split(&format!("\n## {heading}\n")).nth(1).unwrap_or_else(|| panic!("no heading {heading}"));
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|l| l.starts_with("| `"));
    let cells = rows.map(|row| row.trim_matches('|').split(" | ").map(String::from).collect::<Vec<_>>());
    let pairs = cells.map(|c| (quoted(&c[0])[0].clone(), quoted(c.last().expect("a cell")).into_iter().collect()));
    pairs.collect()
}

/// All Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())).flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The code of a file, without comments and without its tests.
fn code(path: &Path) -> String {
    let text = text_of(path);
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|l| !l.trim_start().starts_with("//")).map(|l| format!("{l}\n")).collect()
}

/// The stages declared in the compiler, each with the files of it.
fn stages() -> BTreeMap<String, Vec<PathBuf>> {
    let folder = root().join("systolic-compiler/src");
    let declared = text_of(&folder.join("lib.rs"));
    // A file called `tests.rs` is there when testing only.
    let is_test = |path: &PathBuf| path.file_name().is_some_and(|n| n == "tests.rs");
    let names = declared.lines().filter_map(|l| l.strip_prefix("pub mod ").or(l.strip_prefix("mod ")));
    let names = names.filter_map(|l| l.strip_suffix(';'));
    let files = |name: &str| match folder.join(name) {
        path if path.is_dir() => sources(&path).into_iter().filter(|p| !is_test(p)).collect(),
        path => vec![path.with_extension("rs")],
    };
    names.map(|name| (name.to_string(), files(name))).collect()
}

#[test]
fn every_path_exists() {
    let document = read("docs/architecture.md");
    let paths: Vec<String> = quoted(&document.replace("```", "")).into_iter().filter(|w| w.contains('/')).collect();
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        assert!(root().join(&path).exists(), "{path} does not exist");
    }
}

#[test]
fn every_law_has_its_file() {
    let laws = table("Laws");
    let all: BTreeSet<String> = systolic_compiler::fault::Law::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(laws.keys().cloned().collect::<BTreeSet<_>>(), all);
    for (law, files) in laws.iter().filter(|(law, _)| *law != "syntax") {
        let file = files.first().expect("a file");
        assert!(file.ends_with(&format!("/{law}.rs")), "{law} in {file}");
        let head: String = read(file).lines().take_while(|l| l.starts_with("//!")).collect();
        assert!(head.contains(['∀', '∃', '=', '≤']), "{file} does not open with its formula");
    }
}

#[test]
fn stages_import_only_stages_before() {
    let allowed = table("Stages of the compiler");
    let stages = stages();
    assert_eq!(stages.keys().collect::<Vec<_>>(), allowed.keys().collect::<Vec<_>>(), "the table names every stage");
    for (stage, files) in &stages {
        for file in files {
            let code = code(file);
            for path in code.split("crate::").skip(1) {
                let to: String = path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let fine = to == *stage || allowed[stage].contains(&to);
                assert!(fine, "{} imports `{to}`, which is not before `{stage}`", file.display());
            }
        }
    }
}

/// Numbers that somebody chose stand in `target`. What the grammar fixes, and the names of planted faults, are no such numbers.
#[test]
fn chosen_numbers_stand_in_target() {
    let is_number = |line: &str| {
        let rest = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(super) ");
        let ty = rest.strip_prefix("const ").and_then(|c| c.split_once(": ")).map(|(_, ty)| ty);
        ty.and_then(|ty| ty.split_once(" = ")).is_some_and(|(ty, value)| {
            ["usize", "Int", "i64", "u32", "u64", "f64", "i128"].contains(&ty)
                && value.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    let mut there = 0;
    for (stage, files) in stages() {
        for file in files {
            let count = code(&file).lines().filter(|l| is_number(l)).count();
            there += if stage == "target" { count } else { 0 };
            let fine = count == 0 || stage == "target" || stage == "planted";
            assert!(fine, "{} has {count} numbers that belong into `target`", file.display());
        }
    }
    assert!(there > 80, "only {there} numbers found in `target`");
}

/// A path by `super` stays inside its stage: otherwise the test above would not see it.
#[test]
fn no_path_leaves_a_stage_by_super() {
    let folder = root().join("systolic-compiler/src");
    for file in stages().values().flatten() {
        let inside = file.strip_prefix(&folder).expect("below the sources");
        let is_root = inside.file_name().is_some_and(|n| n == "mod.rs");
        let depth = inside.components().count() - 1 - usize::from(is_root);
        assert!(!code(file).contains(&"super::".repeat(depth + 1)), "{} leaves its stage", inside.display());
    }
}

#[test]
fn syn_is_known_to_syntax_alone() {
    for (stage, files) in stages() {
        for file in files {
            let known = code(&file).split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "syn");
            assert!(!known || stage == "syntax", "{} knows syn", file.display());
        }
    }
}

#[test]
fn crates_depend_on_what_the_table_says() {
    let crates = table("Crates");
    let members = read("Cargo.toml");
    let members = quoted(&members.replace('"', "`")).into_iter();
    let ours = members.filter(|m| m.starts_with("systolic") || m.starts_with("cargo-systolic"));
    let ours: BTreeSet<String> = ours.filter(|m| root().join(m).join("Cargo.toml").exists()).collect();
    assert_eq!(ours, crates.keys().cloned().collect(), "the table names every crate");
    for (name, expected) in crates {
        let manifest = read(&format!("{name}/Cargo.toml"));
        let section = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
        let section = section.split("\n[").next().unwrap_or_default();
        let lines = section.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split(['.', ' ', '=']).next());
        let found: BTreeSet<String> = lines.filter(|n| !n.is_empty()).map(String::from).collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn unsafe_code_is_in_the_runtime_and_the_compiler_does_no_io() {
    for name in table("Crates").keys() {
        for file in sources(&root().join(name).join("src")) {
            let code = code(&file);
            let without_words = code.replace("\"unsafe\"", "").replace("forbid(unsafe_code)", "");
            let may = ["systolic-runtime", "systolic-driver"].contains(&name.as_str());
            assert!(may || !without_words.contains("unsafe"), "{} has unsafe code", file.display());
            let reaches = ["std::fs", "std::env", "std::net", "std::process", "std::time", "println!"];
            let is_pure = ["systolic-compiler", "systolic-sets", "systolic-arith"].contains(&name.as_str());
            let found = reaches.iter().find(|r| is_pure && code.contains(**r));
            assert!(found.is_none(), "{} uses {found:?}", file.display());
        }
    }
}

/// A file starts with what it turns into what.
#[test]
fn every_file_starts_with_its_purpose() {
    let mut packages: Vec<String> = table("Crates").into_keys().collect();
    packages.extend(["bench", "docs", "random", "xtask"].map(String::from));
    for package in packages {
        for file in sources(&root().join(&package).join("src")) {
            assert!(text_of(&file).starts_with("//!"), "{} does not say what it is", file.display());
        }
    }
}

/// What changes the schedule is decided before it is printed.
#[test]
fn printers_know_no_tuning_and_no_pass() {
    let stages = stages();
    for file in &stages["emit"] {
        let code = code(file);
        for word in
            ["tuning", "crate::lower", "crate::optimise", "Layout::", "&mut Schedule", "&mut Section", "&mut Program"]
        {
            assert!(!code.contains(word), "{} contains `{word}`", file.display());
        }
    }
}

/// The words for facts stand in one folder; a sentence of advice stands where the advice is found.
#[test]
fn advice_is_given_where_the_page_says() {
    for (stage, files) in stages() {
        let may = ["syntax", "model", "laws", "advice", "fault"].contains(&stage.as_str());
        for file in files {
            let found = [".with_advice(", ".with_edit("].iter().any(|call| code(&file).contains(call));
            assert!(may || !found, "{} gives advice", file.display());
        }
    }
}

/// A function of the product has at most 80 lines, or a comment that begins its reason with "Long, because".
#[test]
fn long_functions_have_a_reason() {
    let mut seen = 0;
    for package in table("Crates").into_keys().filter(|name| name != "systolic-oracle") {
        for file in sources(&root().join(&package).join("src")) {
            let text = text_of(&file);
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let lines: Vec<&str> = code.lines().collect();
            for (from, line) in lines.iter().enumerate() {
                let start = line.trim_start();
                let plain = start
                    .trim_start_matches("pub ")
                    .trim_start_matches("pub(super) ")
                    .trim_start_matches("pub(crate) ");
                // A declaration has no body, and a function whose name a macro gives is short.
                let header = lines[from..].iter().find(|l| l.ends_with(['{', ';', '}'])).copied().unwrap_or_default();
                if !plain.starts_with("fn ") || plain.starts_with("fn $") || !header.ends_with('{') {
                    continue;
                }
                seen += 1;
                let end = format!("{}}}", &line[..line.len() - start.len()]);
                let length = lines[from..].iter().position(|l| **l == end).unwrap_or(0) + 1;
                let comment = lines[..from].iter().rev().take_while(|l| l.trim_start().starts_with("///"));
                let reason = comment.clone().any(|l| l.contains("Long, because"));
                assert!(length <= 80 || reason, "{}:{}: {length} lines", file.display(), from + 1);
            }
        }
    }
    assert!(seen > 1000, "only {seen} functions found");
}
