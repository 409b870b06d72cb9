//! `docs/performance.md`: its rows are those of the results that are kept.
use crate::text::read;

/// The cells of every row of a table that has so many.
fn rows(text: &str, cells: usize) -> Vec<Vec<String>> {
    let split = |line: &str| line.trim_matches('|').split('|').map(|c| c.trim().to_string()).collect::<Vec<_>>();
    let tables = text.lines().filter(|line| line.starts_with("| ")).map(split);
    tables.filter(|row| row.len() == cells && row[1].parse::<f64>().is_ok()).collect()
}

#[test]
fn what_is_said_was_measured() {
    let measured = rows(&read("bench/results/h200/tables.md"), 5);
    let said = rows(&read("docs/performance.md"), 6);
    assert!(said.len() >= 30, "{}", said.len());
    for row in said {
        let found = measured.iter().find(|m| m[0] == row[0]).unwrap_or_else(|| panic!("{} was not measured", row[0]));
        assert_eq!((&row[1], &row[2], &row[5]), (&found[1], &found[2], &found[4]), "{}", row[0]);
        if let (Ok(reached), Ok(goal)) = (row[2].parse::<f64>(), row[3].parse::<f64>()) {
            assert_eq!(row[4], if reached <= goal { "yes" } else { "no" }, "{}", row[0]);
        }
    }
}
