//! The programs of `fail/` as a whole: a folder a law, enough of them, and messages that keep to the style.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use systolic_compiler::fault::Law;

/// The one folder that is no law: calls, which rustc refuses.
const CALLS: &str = "calls";
const MOST_LINES: usize = 6;
const LONGEST_LINE: usize = 200;
/// Words that belong to the inside of the compiler, or to nobody.
const NEVER: [&str; 9] = ["invalid", "Some(", "None", "Ok(", "unwrap", "panicked", "illegal", "bad ", "Formula"];

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().and_then(|n| n.to_str()).expect("a name").to_string()
}

fn is(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e == extension)
}

/// The errors of a `.stderr`, each as its lines of text: the first, and those that rustc shows indented below it.
fn errors(text: &str) -> Vec<Vec<String>> {
    let mut errors: Vec<Vec<String>> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        if let Some(first) = line.strip_prefix("error: ") {
            errors.push(vec![first.to_string()]);
            open = true;
        } else if line.trim_start().starts_with("-->") {
            open = false;
        } else if open && let Some(error) = errors.last_mut() {
            error.push(line.trim().to_string());
        }
    }
    errors
}

fn fail() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fail")
}

#[test]
fn every_law_has_a_folder() {
    let found: Vec<String> = entries(&fail()).iter().map(|p| name(p)).collect();
    let mut wanted: Vec<String> = Law::ALL.iter().map(|l| l.name().to_string()).chain([CALLS.to_string()]).collect();
    wanted.sort();
    assert_eq!(found, wanted);
}

#[test]
fn there_are_enough() {
    let count: BTreeMap<String, usize> = entries(&fail())
        .iter()
        .map(|folder| (name(folder), entries(folder).iter().filter(|p| is(p, "rs")).count()))
        .collect();
    assert!(count.values().all(|n| *n >= 4), "four of every law: {count:?}");
    let of_laws: usize = count.iter().filter(|(folder, _)| *folder != CALLS).map(|(_, n)| n).sum();
    assert!(of_laws >= 90, "{of_laws}");
    let passing = entries(&fail().with_file_name("pass")).len();
    assert!(passing >= 20, "{passing}");
}

#[test]
fn every_program_is_short_and_has_its_words_beside_it() {
    for folder in entries(&fail()) {
        for path in entries(&folder) {
            let text = fs::read_to_string(&path).expect("text");
            if is(&path, "rs") {
                assert!(path.with_extension("stderr").exists(), "{}: no .stderr", path.display());
                assert!(text.lines().count() <= 20, "{}: longer than 20 lines", path.display());
            } else {
                assert!(path.with_extension("rs").exists(), "{}: no program", path.display());
            }
        }
    }
}

/// One mistake gives one error, of the law of the folder. A program with two says so in its name.
#[test]
fn every_message_keeps_to_the_style() {
    for folder in entries(&fail()).iter().filter(|f| name(f) != CALLS) {
        let law = format!("{}: ", name(folder));
        for path in entries(folder).iter().filter(|p| is(p, "stderr")) {
            let text = fs::read_to_string(path).expect("text");
            assert!(text.starts_with(&format!("error: {law}")), "{}: not of its law", path.display());
            let errors = errors(&text);
            let wanted = if name(path).starts_with("two_fault") { 2 } else { 1 };
            assert_eq!(errors.len(), wanted, "{}: errors", path.display());
            let coded = text.lines().filter(|l| l.starts_with("error[") || l.starts_with("warning")).count();
            assert_eq!(coded, 0, "{}: an error or a warning of rustc besides", path.display());
            for lines in errors {
                assert!(lines[0].starts_with(&law), "{}: {}", path.display(), lines[0]);
                assert!(lines.len() <= MOST_LINES, "{}: {} lines", path.display(), lines.len());
                for line in &lines {
                    assert!(line.chars().count() <= LONGEST_LINE, "{}: too long: {line}", path.display());
                    for word in NEVER {
                        assert!(!line.contains(word), "{}: `{word}` in: {line}", path.display());
                    }
                }
            }
        }
    }
}

/// rustc's own errors on calls stay readable: one error, and the listed instances where one is not.
#[test]
fn calls_are_told_once() {
    for path in entries(&fail().join(CALLS)).iter().filter(|p| is(p, "stderr")) {
        let text = fs::read_to_string(path).expect("text");
        let count = text.lines().filter(|l| l.starts_with("error")).count();
        assert_eq!(count, 1, "{}: errors", path.display());
    }
}

/// An argument of another rank or type: the first line names the parameter, what was expected and what came, and the rest
/// is short.
#[test]
fn arguments_that_do_not_fit_name_the_parameter() {
    let mut seen = 0;
    for path in entries(&fail().join(CALLS)).iter().filter(|p| is(p, "stderr")) {
        let text = fs::read_to_string(path).expect("text");
        let Some(first) = text.lines().next().filter(|l| l.starts_with("error[E0277]")) else { continue };
        if first.contains("is not an instance of") {
            continue;
        }
        seen += 1;
        assert!(first.starts_with("error[E0277]: `"), "{}: {first}", path.display());
        assert!(first.contains("`: expected ") && first.contains(", found `"), "{}: {first}", path.display());
        assert!(text.lines().count() <= 14, "{}: {} lines", path.display(), text.lines().count());
        assert!(!text.contains("ViewRepr"), "{}: types of ndarray's inside", path.display());
    }
    assert!(seen >= 7, "{seen}");
}
