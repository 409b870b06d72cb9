//! `README.md`: its kernel is the example's, its error is the compiler's.
use crate::text::{blocks, kernels, read, root};
use systolic_compiler::{check, fault::message};

#[test]
fn its_kernel_is_the_one_that_the_example_runs() {
    let block = blocks(&read("README.md")).into_iter().find(|b| b.kind == "rust").expect("a kernel");
    let start = block.text.find("    /// 1-D").expect("a kernel with its comment");
    let end = block.text.find("\n}\n").expect("the end of the block");
    assert!(read("examples/evaluate.rs").contains(&block.text[start..end]), "examples/evaluate.rs has another kernel");
}

/// As rustc prints it. `cargo xtask test` compares with rustc itself.
#[test]
fn its_error_is_the_compilers() {
    let path = "docs/samples/too_early.rs";
    let source = read(path);
    let found: Vec<_> = kernels(&source).into_iter().flat_map(|k| check(k).faults).collect();
    let [fault] = found.as_slice() else { panic!("one fault is wanted: {found:?}") };
    let (start, end) = (fault.at.start.start(), fault.at.end.end());
    let line = source.lines().nth(start.line - 1).expect("a line");
    let mut text = format!("error: {}\n", message(fault).replace('\n', "\n       "));
    text += &format!("  --> {path}:{}:{}\n   |\n{} | {line}\n", start.line, start.column + 1, start.line);
    text += &format!("   | {}{}\n", " ".repeat(start.column), "^".repeat(end.column - start.column));
    let block = blocks(&read("README.md")).into_iter().find(|b| b.text.starts_with("error")).expect("an error");
    assert_eq!(block.text, text);
}

#[test]
fn every_link_leads_somewhere() {
    for document in
        ["README.md", "docs/language.md", "docs/architecture.md", "docs/speed.md", "docs/tests.md", "docs/cpu.md"]
    {
        let text = read(document);
        let folder = root().join(document);
        let folder = folder.parent().expect("a folder");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            assert!(file.is_empty() || folder.join(file).exists(), "{document} links to {link}");
            let is = |line: &str| {
                line.starts_with('#')
                    && line.trim_start_matches(['#', ' ']).to_lowercase().replace(',', "").replace(' ', "-") == heading
            };
            assert!(!file.is_empty() || text.lines().any(is), "{document} has no heading {heading}");
        }
    }
}
