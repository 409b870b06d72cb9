//! The cost of an element on images of many widths, as a table.
use crate::standing::{Line, Role, Standing, median};
use std::collections::BTreeMap;

/// How the families of contests begin that differ in the width only, and of those that differ in the height.
pub const WIDTHS: &str = "widths ";
pub const HEIGHTS: &str = "heights ";
/// The goal: the cost of an element at any width by that at the best.
const MOST: f64 = 1.3;

/// One image.
struct Row<'a> {
    family: &'a str,
    rows: u64,
    columns: u64,
    /// Microseconds.
    time: f64,
    by_copy: f64,
    /// Picoseconds per element.
    cost: f64,
}

/// The table of all images, with a summary.
pub fn table(standings: &[Standing]) -> String {
    let rows: Vec<Row> = standings.iter().filter_map(row).collect();
    let mut best: BTreeMap<&str, f64> = BTreeMap::new();
    for row in &rows {
        let least = best.entry(row.family).or_insert(row.cost);
        *least = least.min(row.cost);
    }
    let mut text = String::from("## widths\n\nKernels without maps on images of many widths and heights.\n\n");
    text += "| images | rows × columns | µs | × copy | ps per element | by the best |\n";
    text += "| --- | --- | --- | --- | --- | --- |\n";
    let mut worst: Option<(f64, &Row)> = None;
    for row in &rows {
        let Row { family, rows, columns, time, by_copy, cost } = row;
        let ratio = cost / best[family];
        text += &format!("| {family} | {rows} × {columns} | {time:.2} | {by_copy:.3} | {cost:.2} | {ratio:.2} |\n");
        if family.starts_with(WIDTHS) && worst.is_none_or(|(most, _)| ratio > most) {
            worst = Some((ratio, row));
        }
    }
    let Some((ratio, Row { family, columns, .. })) = worst else { return text };
    let ratio = format!("worst {ratio:.2} ({family}, {columns} columns)");
    text + &format!("\nWidths by the best: {ratio}; the goal is {MOST}.\n")
}

/// Returns `None` if the contest is another one, or failed.
fn row(standing: &Standing) -> Option<Row<'_>> {
    let (family, columns, cells) = (&standing.subject.family, standing.subject.size as u64, standing.subject.cells);
    if !family.starts_with(WIDTHS) && !family.starts_with(HEIGHTS) {
        return None;
    }
    let line: &Line = standing.lines.iter().find(|line| line.role == Role::Automatic)?;
    let (time, by_copy) = (line.time()?, median(&standing.by_copy(line))?);
    let cost = time * 1e9 / cells as f64;
    Some(Row { family, rows: cells / columns.max(1), columns, time: time * 1e3, by_copy, cost })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::{Outcome, Subject};

    fn standing(family: &str, rows: u64, columns: usize, time: f64) -> Standing {
        let (title, family) = (format!("{family}, {columns}"), family.to_string());
        let subject = Subject { title, family, size: columns, bytes: 1, operations: 1, cells: rows * columns as u64 };
        let line = |name: &str, role, time| Line { name: name.to_string(), role, outcome: Outcome::Times(vec![time]) };
        Standing { subject, lines: vec![line("copy", Role::Copy, 0.01), line("automatic", Role::Automatic, time)] }
    }

    #[test]
    fn widths_are_held_against_the_best_of_their_family() {
        let table = table(&[
            standing("widths a", 1000, 1000, 0.02),
            standing("widths a", 1000, 2000, 0.03),
            standing("widths b", 1000, 1000, 0.5),
            standing("heights a", 1, 1000, 0.01),
            standing("heights a", 100, 1000, 0.01),
            standing("conv2d f32", 100, 1000, 0.01),
        ]);
        let expected = [
            "| widths a | 1000 × 1000 | 20.00 | 2.000 | 20.00 | 1.33 |",
            "| widths a | 1000 × 2000 | 30.00 | 3.000 | 15.00 | 1.00 |",
            "| widths b | 1000 × 1000 | 500.00 | 50.000 | 500.00 | 1.00 |",
            "| heights a | 1 × 1000 | 10.00 | 1.000 | 10000.00 | 100.00 |",
            "worst 1.33 (widths a, 1000 columns); the goal is 1.3.",
        ];
        for line in expected {
            assert!(table.contains(line), "{line}\n{table}");
        }
        assert!(!table.contains("conv2d"), "{table}");
    }
}
