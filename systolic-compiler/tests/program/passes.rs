//! The passes are one list, and `docs/architecture.md` shows the same list.
use systolic_compiler::optimise::PASSES;

#[test]
fn the_page_of_the_house_lists_the_passes() {
    let listed = rows_of("| pass |");
    let passes: Vec<String> = PASSES.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(listed, passes);
}

/// The word of the first column.
fn first(row: &str) -> String {
    row.split('`').nth(1).unwrap_or_default().to_string()
}

/// The rows of a table of the page, by the words of their first column.
fn rows_of(heading: &str) -> Vec<String> {
    let path = format!("{}/../docs/architecture.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(path).expect("the page is there");
    let rows: Vec<&str> = page.lines().skip_while(|l| !l.starts_with(heading)).skip(2).collect();
    rows.iter().take_while(|l| l.starts_with("| `")).map(|l| first(l)).collect()
}

/// Every step of the scheduler is a file that opens with an example.
#[test]
fn the_page_of_the_house_lists_the_steps_of_the_scheduler() {
    let steps = rows_of("| step |");
    assert_eq!(
        steps,
        ["versions", "alone", "sections", "specialise", "skip", "paired", "vectorise", "stream", "prefetch", "hoist"]
    );
    for step in steps {
        let folder = format!("{}/src/schedule", env!("CARGO_MANIFEST_DIR"));
        let paths = [format!("{folder}/{step}.rs"), format!("{folder}/gpu/{step}.rs")];
        let path = paths.into_iter().find(|path| std::path::Path::new(path).exists()).expect("a file of this name");
        let text = std::fs::read_to_string(&path).expect("a file");
        let head: String = text.lines().take_while(|l| l.starts_with("//!")).collect();
        assert!(head.contains("```text") && head.contains("before") && head.contains("after"), "{path}");
    }
}

/// Every pass opens with an example, before and after.
#[test]
fn every_pass_opens_with_an_example() {
    for (name, _) in PASSES {
        // Two passes share a file.
        let file = if name == "phases" { "levels" } else { name };
        let path = format!("{}/src/optimise/{file}.rs", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("a file of this name");
        let head: String = text.lines().take_while(|l| l.starts_with("//!")).collect();
        assert!(head.contains("```text") && head.contains("before") && head.contains("after"), "{path}");
    }
}
