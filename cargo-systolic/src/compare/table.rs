//! A comparison as a table for people, and as JSON.
use super::rows::{Comparison, Facts, Predicted, Row};
use crate::date::time;
use crate::tune::Known;
use serde_json::{Value, json};
use std::fmt::Write;
use systolic_compiler::explain::Origin;
use systolic_compiler::model::Int;

const HEAD: [&str; 12] = [
    "map",
    "on",
    "places",
    "lanes",
    "fold",
    "warps",
    "blocks",
    "steps",
    "registers",
    "predicted",
    "limited by",
    "measured",
];

/// The columns of words, which begin at the left; numbers end at the right.
const WORDS: [usize; 4] = [0, 1, 10, 11];

/// What the numbers mean.
const MEANING: &str = "\
places of a block, lanes per warp, points per lane and step (fold), warps per block, blocks per launch, steps of a block.
predicted times are estimates of the cost model.
";

/// The table.
pub fn text(comparison: &Comparison) -> String {
    let mut out = String::new();
    let Comparison { kernel, instance, sizes, machine, assembler, rows } = comparison;
    let instance = if instance.is_empty() { String::new() } else { format!(" ({instance})") };
    let at = if sizes.is_empty() { String::new() } else { format!(" at {sizes}") };
    let _ = writeln!(out, "`{kernel}`{instance}{at}, predicted on {machine}\n");
    let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let head: Vec<String> = HEAD.map(String::from).to_vec();
    let full = || cells.iter().chain([&head]).filter(|cells| cells.len() == HEAD.len());
    let width = |k: usize| match k {
        0 | 1 => cells.iter().chain([&head]).map(|cells| cells[k].chars().count()).max().unwrap_or(0),
        k => full().map(|cells| cells[k].chars().count()).max().unwrap_or(0),
    };
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    for row in [&head].into_iter().chain(&cells) {
        let _ = writeln!(out, "{}", line(row, &widths));
    }
    for row in rows {
        notes(&mut out, row, has_no_maps(rows));
    }
    if rows.iter().any(|row| row.facts.is_ok()) {
        let _ = write!(out, "\n{MEANING}");
        let _ = match assembler {
            Ok(name) => writeln!(out, "registers per lane are those of {name}; ~ is an estimate of the cost model."),
            Err(why) => writeln!(out, "registers per lane are estimates of the cost model: {}", first_line(why)),
        };
    }
    out
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let cell = |(k, cell): (usize, &String)| match widths[k] {
        width if WORDS.contains(&k) || cells.len() < HEAD.len() => format!("{cell:width$}"),
        width => format!("{cell:>width$}"),
    };
    cells.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_string()
}

/// The cells of a row; a refused map has three only.
fn cells(row: &Row) -> Vec<String> {
    let facts = match &row.facts {
        Ok(facts) => facts,
        Err(refusal) => {
            return vec![row.name.clone(), row.on.to_string(), format!("refused by the law {}", refusal.law)];
        }
    };
    let shape = &facts.shape;
    let mut cells = vec![row.name.clone(), row.on.to_string()];
    cells.extend(
        [shape.places, shape.lanes, shape.fold, shape.warps, shape.blocks, shape.steps].map(|n: Int| n.to_string()),
    );
    cells.extend(match &facts.predicted {
        Some(predicted) => [registers(predicted), time(predicted.seconds), predicted.roof.clone()],
        None => ["-", "-", "-"].map(String::from),
    });
    let measured: Vec<String> = facts.measured.iter().map(|k| format!("{} on {}", time(k.seconds), k.device)).collect();
    cells.push(if measured.is_empty() { "-".to_string() } else { measured.join(", ") });
    cells
}

/// The registers of the assembler, or the estimate.
fn registers(predicted: &Predicted) -> String {
    match &predicted.assembled {
        Some(Ok(registers)) => registers.to_string(),
        Some(Err(_)) => format!("~{}", predicted.registers),
        None => predicted.registers.to_string(),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Whether all rows are those of the kernel without maps.
fn has_no_maps(rows: &[Row]) -> bool {
    rows.iter().all(|row| row.name.starts_with("automatic"))
}

/// Where the map of a row comes from, in words. Beside others, one by rules is that of the kernel without these.
fn origin_words(origin: Origin, is_alone: bool) -> &'static str {
    match origin {
        Origin::Rules if !is_alone => {
            "without the maps above: the first lawful one, by the macro's rules; a build script searches for a faster one"
        }
        origin => origin.words(),
    }
}

/// What does not fit into a cell.
fn notes(out: &mut String, row: &Row, is_alone: bool) {
    // `map 1` has no other name.
    let name = if row.name.contains(' ') { row.name.clone() } else { format!("map `{}`", row.name) };
    match &row.facts {
        Err(refusal) => {
            let _ = writeln!(out, "\n{name} is refused: {}", refusal.message.replace('\n', "\n    "));
        }
        Ok(Facts { without_program: Some(why), .. }) => {
            let _ = writeln!(out, "\n{name} has no program, it runs point by point: {why}");
        }
        Ok(facts) => {
            // Launches of a series have the same origin: it is said once.
            let is_next = row.name.contains(", launch ") && !row.name.contains(", launch 1 of ");
            let origin = row.origin.filter(|origin| *origin != Origin::Written && !is_next);
            let _ = origin.map(|origin| writeln!(out, "\n{name}: {}", origin_words(origin, is_alone)));
            if let Some(Err(why)) = facts.predicted.as_ref().and_then(|predicted| predicted.assembled.as_ref()) {
                let _ = writeln!(out, "\n{name}: its registers are estimated, as nvcc failed: {}", first_line(why));
            }
            if facts.shape.launches > 1 {
                let _ = writeln!(out, "\n{name} takes {} launches", facts.shape.launches);
            }
        }
    }
    if let Some(note) = &row.note {
        let _ = writeln!(out, "\n{note}");
    }
}

/// The same for a script.
pub fn json(comparison: &Comparison) -> Value {
    json!({
        "kernel": comparison.kernel, "instance": comparison.instance, "sizes": comparison.sizes,
        "machine": comparison.machine, "registers_of": comparison.assembler.as_ref().ok(),
        "maps": comparison.rows.iter().map(|one| row(one, has_no_maps(&comparison.rows))).collect::<Vec<_>>(),
    })
}

fn row(row: &Row, is_alone: bool) -> Value {
    let Row { name, on, origin, facts, note } = row;
    let facts = match facts {
        Ok(facts) => facts,
        Err(refusal) => {
            return json!({ "map": name, "on": on, "refused": { "law": refusal.law, "message": refusal.message } });
        }
    };
    let shape = &facts.shape;
    let number = |n: Int| u64::try_from(n).unwrap_or(u64::MAX);
    let assembled = facts.predicted.as_ref().and_then(|predicted| predicted.assembled.as_ref()?.as_ref().ok().copied());
    let known = |known: &Known| json!({ "seconds": known.seconds, "device": known.device });
    json!({
        "map": name, "on": on, "origin": origin.map(|origin| origin_words(origin, is_alone)),
        "places": number(shape.places), "lanes": number(shape.lanes), "fold": number(shape.fold),
        "warps": number(shape.warps), "blocks": number(shape.blocks), "launches": number(shape.launches),
        "steps": number(shape.steps),
        "registers": assembled.or_else(|| facts.predicted.as_ref().map(|predicted| predicted.registers)),
        "registers_are_estimated": facts.predicted.as_ref().map(|_| assembled.is_none()),
        "predicted_seconds": facts.predicted.as_ref().map(|predicted| predicted.seconds),
        "limited_by": facts.predicted.as_ref().map(|predicted| predicted.roof.as_str()),
        "note": note, "without_program": facts.without_program, "measured": facts.measured.iter().map(known).collect::<Vec<_>>(),
    })
}
