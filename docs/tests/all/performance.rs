//! `docs/performance.md`: its rows are those of the results that are kept, and so is what it says of the cost model.
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

/// How many predictions lie within 20 %, of all rows.
#[test]
fn what_is_said_of_predictions_was_counted() {
    let text = read("bench/results/h200/predicted.md");
    let rows = rows(&text, 8);
    let number = |cell: &String| cell.parse::<f64>().expect("a number");
    let close = rows.iter().filter(|row| (number(&row[2]) / number(&row[1]) - 1.0).abs() <= 0.2).count();
    let summary = text.lines().rfind(|line| !line.is_empty()).expect("a summary");
    let said = format!(
        "Within 20 %: {close} of {} ({} %) of all rows",
        rows.len(),
        (100 * close + rows.len() / 2) / rows.len()
    );
    assert!(summary.starts_with(&said), "{summary}, not {said}");
    assert!(read("docs/performance.md").contains(&format!("> {summary}")), "the page says {summary}");
    assert!(rows.len() >= 90 && 100 * close >= 80 * rows.len(), "{close} of {}", rows.len());
    let measured = self::rows(&read("bench/results/h200/tables.md"), 5);
    for row in rows.iter().filter(|row| measured.iter().any(|m| m[0] == row[0])) {
        let found = measured.iter().find(|m| m[0] == row[0]).expect("it was found");
        assert_eq!(row[1], found[1], "{}", row[0]);
    }
}
