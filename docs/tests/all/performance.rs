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

/// The book has no file from outside of its folder, so it has a copy of the picture.
#[test]
fn the_picture_is_that_of_the_results() {
    assert!(read("docs/performance.md").contains("](automatic.svg)"));
    assert_eq!(read("docs/automatic.svg"), read("bench/results/h200/automatic.svg"));
}

/// The rows of kernels without maps, and the sentences about them that stand as quotations.
#[test]
fn what_is_said_of_kernels_without_maps_was_measured() {
    let (text, page) = (read("bench/results/h200/automatic.md"), read("docs/performance.md"));
    let (measured, said) = (rows(&text, 4), rows(&page, 4));
    assert!(said.len() >= 10, "{}", said.len());
    for row in &said {
        assert!(measured.contains(row), "{row:?} was not measured");
    }
    let (_, section) = page.split_once("## Kernels without maps").expect("a section");
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let mut quoted =
        section.lines().filter_map(|line| line.strip_prefix("> ")).filter(|line| !line.is_empty()).peekable();
    assert!(quoted.peek().is_some(), "nothing is quoted");
    for line in quoted {
        assert!(text.lines().any(|measured| measured == line), "{line}");
    }
}

/// How many predictions lie within 20 %: as words, and whether these are four fifths.
fn close(rows: &[&Vec<String>]) -> (String, bool) {
    let number = |cell: &String| cell.parse::<f64>().expect("a number");
    let close = rows.iter().filter(|row| (number(&row[2]) / number(&row[1]) - 1.0).abs() <= 0.2).count();
    let share = (100 * close + rows.len() / 2) / rows.len();
    (format!("{close} of {} ({share} %)", rows.len()), 100 * close >= 80 * rows.len())
}

/// How many predictions lie within 20 %, of all rows and of those first held out.
#[test]
fn what_is_said_of_predictions_was_counted() {
    let text = read("bench/results/h200/predicted.md");
    let rows = rows(&text, 8);
    assert!(rows.len() >= 90, "{}", rows.len());
    let is_held_out = |row: &&Vec<String>| ["8191", "8193", "f64"].iter().any(|word| row[0].contains(word));
    let (all, most) = close(&rows.iter().collect::<Vec<_>>());
    let (held_out, most_of_them) = close(&rows.iter().filter(is_held_out).collect::<Vec<_>>());
    let said = format!("Within 20 %: {all} of all rows, {held_out} of those first held out (8191, 8193, f64).");
    let summary = text.lines().rfind(|line| !line.is_empty()).expect("a summary");
    assert_eq!(summary, said);
    assert!(read("docs/performance.md").contains(&format!("> {summary}")), "the page says {summary}");
    assert!(most && most_of_them, "{summary}");
    let measured = self::rows(&read("bench/results/h200/tables.md"), 5);
    for row in rows.iter().filter(|row| measured.iter().any(|m| m[0] == row[0])) {
        let found = measured.iter().find(|m| m[0] == row[0]).expect("it was found");
        assert_eq!(row[1], found[1], "{}", row[0]);
    }
}
