//! `docs/tests.md`: its commands name tests and variables that there are, its lists are those of the tests, its records add up.
use crate::text::{blocks, read, root};
use std::path::Path;

fn document() -> String {
    read("docs/tests.md")
}

/// The words of every command, one list each.
fn commands() -> Vec<Vec<String>> {
    let shell = blocks(&document()).into_iter().filter(|b| b.kind == "sh").map(|b| b.text).collect::<String>();
    let lines = shell.lines().map(|l| l.split('#').next().unwrap_or_default());
    lines.filter(|l| l.contains("cargo")).map(|l| l.split_whitespace().map(String::from).collect()).collect()
}

/// The folder of a package, by its name.
fn folder(package: &str) -> String {
    let named = |folder: &&str| read(&format!("{folder}/Cargo.toml")).contains(&format!("\nname = \"{package}\"\n"));
    let found = ["systolic-oracle", "random"].into_iter().find(named);
    found.unwrap_or_else(|| panic!("no package {package}")).to_string()
}

/// Whether a Rust file below a folder holds a word.
fn holds(folder: &Path, word: &str) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    entries.into_iter().any(|path| {
        path.is_dir() && holds(&path, word)
            || path.extension().is_some_and(|e| e == "rs")
                && std::fs::read_to_string(&path).is_ok_and(|text| text.contains(word))
    })
}

#[test]
fn commands_name_tests_and_variables_that_there_are() {
    let all = commands();
    assert!(all.len() >= 4, "{all:?}");
    for words in all {
        let after = |word: &str| words.iter().skip_while(|w| *w != word).nth(1).cloned();
        let folder = folder(&after("-p").expect("a package"));
        if let Some(test) = after("--test") {
            assert!(root().join(&folder).join("tests").join(format!("{test}.rs")).exists(), "{words:?}");
        }
        for variable in words.iter().filter_map(|w| w.split_once('=')).map(|(name, _)| name) {
            assert!(holds(&root().join(&folder), &format!("\"{variable}\"")), "{variable}");
        }
    }
}

#[test]
fn what_is_run_every_time_is_what_the_plan_says() {
    let plan = read("xtask/src/plan.rs");
    assert!(plan.contains("(\"SYSTOLIC_RANDOM\", \"20000\")") && document().contains("20,000"));
    assert!(read("random/build/main.rs").contains("\"SYSTOLIC_KERNELS\", 400") && document().contains("400"));
}

#[test]
fn its_list_of_cases_is_that_of_the_test() {
    let source = read("systolic-oracle/tests/support/cases.rs");
    let list = source.split("pub const CASES").nth(1).and_then(|rest| rest.split("];").next()).expect("the cases");
    let cases: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    let document = document();
    let row = document.lines().filter(|l| l.starts_with("| ") && l.split(" | ").count() == 2);
    let named: Vec<&str> = row.filter_map(|l| l.trim_matches(['|', ' ']).split(" | ").next()).collect();
    for case in cases {
        assert!(named.contains(&case), "the table has no row for {case}");
    }
}

/// Accepted and refused make up all kernels of a record.
#[test]
fn records_add_up() {
    let document = document();
    let rows =
        document.lines().filter(|l| l.starts_with("| `")).map(|l| l.split('|').map(str::trim).collect::<Vec<_>>());
    let number = |text: &str| text.replace(',', "").parse::<u64>().unwrap_or_else(|_| panic!("{text} is no number"));
    let mut count = 0;
    for cells in rows {
        let (first, last) = cells[2].split_once("..").expect("a range of seeds");
        let (accepted, refused) = (number(cells[3]), number(cells[4]));
        assert_eq!(number(last) - number(first), accepted + refused, "{cells:?}");
        assert_eq!(cells[5], "0", "{cells:?}: something was wrong");
        count += 1;
    }
    assert!(count > 0, "no record");
}
