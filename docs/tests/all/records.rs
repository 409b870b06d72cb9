//! `docs/tests.md`: its commands name tests and variables that there are, its lists are those of the tests, its records add
//! up, and what was wrong in them is named.
use crate::text::{blocks, read, root};
use std::ops::Range;
use std::path::Path;
use systolic_compiler::fault::Law;

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
    let (_, after) = plan.split_once("(\"SYSTOLIC_RANDOM\", \"").expect("how many random kernels are run");
    let (thousands, rest) = after.split_once("000\"").expect("thousands");
    assert!(!thousands.contains('"'), "{thousands}{rest}");
    let said = format!("`cargo xtask test` runs {thousands},000.");
    assert!(document().contains(&said), "{said}");
    assert!(read("random/build/main.rs").contains("\"SYSTOLIC_KERNELS\", 400") && document().contains("400"));
}

/// The table whose first cell is this: the cells of every row, those of the head first. No rows: there is no such table.
fn table(first: &str) -> Vec<Vec<String>> {
    let document = document();
    let cells = |l: &str| l.trim_matches(['|', ' ']).split(" | ").map(String::from).collect::<Vec<_>>();
    let from = document.lines().skip_while(|l| !l.starts_with(&format!("| {first} | ")));
    from.take_while(|l| l.starts_with('|')).filter(|l| !l.starts_with("| ---")).map(cells).collect()
}

fn number(text: &str) -> u64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

fn seeds(text: &str) -> Range<u64> {
    let (first, last) = text.split_once("..").unwrap_or_else(|| panic!("{text} is no range of seeds"));
    number(first)..number(last)
}

/// A row of the records.
struct Record {
    test: String,
    seeds: Range<u64>,
    accepted: u64,
    refused: u64,
    wrong: u64,
}

fn records() -> Vec<Record> {
    let of_row = |cells: &Vec<String>| Record {
        test: cells[0].trim_matches('`').to_string(),
        seeds: seeds(&cells[1]),
        accepted: number(&cells[2]),
        refused: number(&cells[3]),
        wrong: number(&cells[4]),
    };
    table("test").iter().skip(1).map(of_row).collect()
}

/// A table of counts names these, in order; in all seeds of a record there is at least one in so many.
fn assert_counts(first: &str, names: &[&str], one_in: u64) {
    let rows = table(first);
    assert!(!rows.is_empty(), "no table of {first}");
    let named: Vec<&str> = rows[1..].iter().map(|cells| cells[0].as_str()).collect();
    assert_eq!(named, names, "the table of {first}");
    for (k, head) in rows[0].iter().enumerate().skip(1) {
        let seeds = seeds(head);
        let is_recorded = records().iter().any(|r| r.test == "programs" && r.seeds == seeds);
        assert!(is_recorded, "there is no record of {head}");
        for cells in &rows[1..] {
            assert!(number(&cells[k]) * one_in >= seeds.end - seeds.start, "{}: {} in {head}", cells[0], cells[k]);
        }
    }
}

#[test]
fn its_list_of_cases_is_that_of_the_test() {
    let source = read("systolic-oracle/tests/support/cases.rs");
    let list = source.split("pub const CASES").nth(1).and_then(|rest| rest.split("];").next()).expect("the cases");
    assert_counts("case", &list.split('"').skip(1).step_by(2).collect::<Vec<_>>(), 100);
}

#[test]
fn its_list_of_laws_is_that_of_the_compiler() {
    assert_counts("law", &Law::ALL.map(Law::name), 200);
}

/// Accepted and refused make up all kernels of a record.
#[test]
fn records_add_up() {
    let records = records();
    assert!(!records.is_empty(), "no record");
    for record in records {
        let count = record.seeds.end - record.seeds.start;
        assert_eq!(count, record.accepted + record.refused, "{} {:?}", record.test, record.seeds);
        let file = format!("{}.rs", record.test);
        let is_there = ["systolic-oracle", "random"].iter().any(|f| root().join(f).join("tests").join(&file).exists());
        assert!(is_there, "there is no test {}", record.test);
    }
}

/// Every wrong kernel of a record is named, each once, and none besides.
#[test]
fn what_was_wrong_is_named() {
    let row = |cells: &Vec<String>| {
        let test = cells[1].trim_matches('`').to_string();
        cells[0].split(", ").map(|seed| (test.clone(), number(seed))).collect::<Vec<_>>()
    };
    let mut named: Vec<(String, u64)> = table("wrong seeds").iter().skip(1).flat_map(row).collect();
    named.sort_unstable();
    assert!(named.windows(2).all(|two| two[0] != two[1]), "named twice: {named:?}");
    let is_of = |record: &Record, (test, seed): &(String, u64)| record.test == *test && record.seeds.contains(seed);
    let records = records();
    for record in &records {
        let found = named.iter().filter(|n| is_of(record, n)).count() as u64;
        assert_eq!(found, record.wrong, "{} {:?}", record.test, record.seeds);
    }
    let stray: Vec<_> = named.iter().filter(|n| !records.iter().any(|r| is_of(r, n))).collect();
    assert!(stray.is_empty(), "in no record: {stray:?}");
}
