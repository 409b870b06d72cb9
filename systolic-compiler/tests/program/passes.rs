//! The passes are one list, and `docs/architecture.md` shows the same list.
use systolic_compiler::optimise::PASSES;

#[test]
fn the_page_of_the_house_lists_the_passes() {
    let path = format!("{}/../docs/architecture.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(path).expect("the page is there");
    let rows: Vec<&str> = page.lines().skip_while(|l| !l.starts_with("| pass |")).skip(2).collect();
    let listed: Vec<String> = rows.iter().take_while(|l| l.starts_with("| `")).map(|l| first(l)).collect();
    let passes: Vec<String> = PASSES.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(listed, passes);
}

/// The word of the first column.
fn first(row: &str) -> String {
    row.split('`').nth(1).unwrap_or_default().to_string()
}
