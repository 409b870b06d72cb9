//! `README.md`: its kernel is the example's, its error is the compiler's, its numbers are those of the pages that measured
//! them. `cargo xtask test` makes a crate of its program, and holds what that prints.
use crate::text::{blocks, read, rejection};

#[test]
fn its_kernel_is_the_one_that_the_example_runs() {
    let is_it = |b: &crate::text::Block| b.kind == "rust" && b.text.contains("map {");
    let block = blocks(&read("README.md")).into_iter().find(is_it).expect("a kernel with a map");
    let start = block.text.find("    /// 1-D").expect("a kernel with its comment");
    let end = block.text.find("\n}\n").expect("the end of the block");
    assert!(read("examples/evaluate.rs").contains(&block.text[start..end]), "examples/evaluate.rs has another kernel");
}

/// As rustc prints it. `cargo xtask test` compares with rustc itself.
#[test]
fn its_error_is_the_compilers() {
    let path = "docs/samples/too_early.rs";
    let text = rejection(path, &read(path));
    let block = blocks(&read("README.md")).into_iter().find(|b| b.text.starts_with("error")).expect("an error");
    assert_eq!(block.text, text);
}

/// The cells of every row of a text's tables.
fn rows(text: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect();
    text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")).map(cells).collect()
}

/// The table of README whose head begins like this: its rows, without the head.
fn table(head: &str) -> Vec<Vec<String>> {
    let readme = read("README.md");
    let lines: Vec<&str> =
        readme.lines().skip_while(|line| !line.starts_with(head)).take_while(|line| line.starts_with('|')).collect();
    let found = rows(&lines.join("\n")).into_iter().skip(1).collect::<Vec<_>>();
    assert!(found.len() >= 5, "README.md: {head}: {found:?}");
    found
}

#[test]
fn its_numbers_of_a_gpu_are_those_measured() {
    let measured = rows(&read("docs/performance.md"));
    for row in table("| kernel | ms | × copy |") {
        let found = measured.iter().find(|m| m.len() == 6 && m[0] == row[0]);
        let found = found.unwrap_or_else(|| panic!("docs/performance.md has no row {}", row[0]));
        assert_eq!(row, [&found[0], &found[1], &found[2], &found[5]].map(String::clone), "README.md");
    }
}

#[test]
fn its_numbers_of_a_cpu_are_those_measured() {
    let page = read("docs/cpu.md");
    for row in table("| kernel | ms | others") {
        let section = page.split(&format!("\n## {}\n", row[0])).nth(1).unwrap_or_else(|| panic!("no {}", row[0]));
        let measured = rows(section.split("\n## ").next().unwrap_or_default());
        let on_two: Vec<_> = measured.iter().filter(|m| m[1] == "2" && m[0] != "copy").collect();
        let (ours, others): (Vec<_>, Vec<_>) = on_two.into_iter().partition(|m| m[0].starts_with("ours"));
        let least = ours.iter().map(|m| m[2].parse::<f64>().expect("a time")).fold(f64::INFINITY, f64::min);
        let others: Vec<String> = others.iter().map(|m| format!("{} {}", m[0], m[4])).collect();
        assert_eq!(row, [row[0].clone(), format!("{least:.2}"), others.join(", ")], "README.md");
    }
}

#[test]
fn its_numbers_of_the_macro_are_those_measured() {
    let measured = rows(&read("docs/speed.md"));
    let seconds = |what: &str| measured.iter().find(|m| m[0] == what).unwrap_or_else(|| panic!("{what}"))[1].clone();
    let (clean, again) = (seconds("one kernel, clean, debug"), seconds("the kernel changed"));
    let said = format!("takes {clean} s on two cores; after a change of the kernel, {again} s.");
    assert!(read("README.md").contains(&said), "README.md does not say: {said}");
}
