//! A picture as text for a terminal.
use super::View;
use super::grid::{Grid, sizes, title};
use super::parts::words;
use crate::date::time;
use std::fmt::Write;
use systolic_compiler::explain::{Carrier, Part, Picture, Refused};
use systolic_compiler::model::RowKind;

/// Steps of the grid that are printed.
const ROWS: usize = 48;

/// How deep the inputs of inputs are followed.
const DEPTH: usize = 5;

/// The whole text.
pub fn text(picture: &Picture, view: &View) -> String {
    let mut out = String::new();
    let at = if picture.sizes.is_empty() { String::new() } else { format!(" at {}", sizes(&picture.sizes)) };
    let _ = writeln!(out, "{}{at}\n", title(picture));
    if let Some(part) = &picture.part {
        let _ = writeln!(out, "{}\n", words(part));
    }
    for line in &picture.source {
        let _ = writeln!(out, "    {}", line.text);
    }
    let _ = writeln!(out, "\nmap: {}\n{}", picture.map.origin.words(), picture.map.text.trim_end());
    if !picture.rows.is_empty() {
        places(&mut out, picture);
    }
    if let Some(refused) = &picture.refused {
        refusal(&mut out, refused);
    }
    if picture.spots.is_empty() {
        return out;
    }
    grid(&mut out, picture, view);
    // The points of a counterexample may lie in several blocks.
    let marked = picture.refused.iter().flat_map(|refused| &refused.points).filter_map(|point| point.spot);
    let elsewhere = marked.map(|spot| &picture.spots[spot]).find(|s| (s.block, s.warp) != (view.block, view.warp));
    if let Some(spot) = elsewhere {
        grid(&mut out, picture, &View { block: spot.block, warp: spot.warp, value: None });
    }
    wires(&mut out, picture);
    if let Some((statement, spot)) = view.value.filter(|_| picture.refused.is_none()) {
        value(&mut out, picture, statement, spot);
    }
    cost(&mut out, picture);
    out
}

/// What every row of the map is.
fn places(out: &mut String, picture: &Picture) {
    let _ = writeln!(out, "\nplaces");
    for (k, row) in picture.rows.iter().enumerate() {
        let unrolled = if row.kind == RowKind::Time && row.unrolled { ", unrolled in a step" } else { "" };
        let form = if row.form == row.name { String::new() } else { format!(" = {}", row.form) };
        let _ = writeln!(out, "    {}{form}: {}{unrolled}", row.name, picture.kind(k));
    }
    if picture.fold > 1 {
        let _ = writeln!(out, "    {} registers of the fold per lane", picture.fold);
    }
}

/// Lanes from left to right, steps downwards.
fn grid(out: &mut String, picture: &Picture, view: &View) {
    let grid = Grid::new(picture, view);
    let heading = grid.heading(view);
    let heading = if heading.is_empty() { String::new() } else { format!(" of {heading}") };
    let _ = writeln!(out, "\nlanes and steps{heading}");
    let labels: Vec<String> = grid.steps.iter().map(|step| grid.label(*step)).collect();
    let width = labels.iter().map(String::len).max().unwrap_or(0);
    let lanes: String =
        (0..grid.lanes).map(|lane| if lane % 4 == 0 { format!("{lane:<4}") } else { String::new() }).collect();
    let _ = writeln!(out, "    {:width$}  {}", "", lanes.trim_end());
    for (row, label) in labels.iter().enumerate().take(ROWS) {
        let marks: String = (0..grid.lanes).map(|lane| mark(&grid, view, row, lane)).collect();
        let _ = writeln!(out, "    {label:width$}  {}", marks.trim_end());
    }
    if labels.len() > ROWS {
        let _ = writeln!(out, "    … and {} more steps", labels.len() - ROWS);
    }
    let halo = if picture.spots.iter().any(|spot| spot.halo) { ", o in the halo of an overlap" } else { "" };
    let chosen = match (&picture.refused, view.value) {
        (Some(refused), _) if !refused.points.is_empty() => ", # the points of the counterexample",
        (None, Some(_)) => ", # the value below",
        _ => "",
    };
    let _ = writeln!(out, "    * computes{halo}, . idle{chosen}");
    if picture.omitted > 0 {
        let _ = writeln!(out, "    {} more points are left out: choose smaller sizes", picture.omitted);
    }
}

fn mark(grid: &Grid<'_>, view: &View, row: usize, lane: i128) -> char {
    let here = |k: &&usize| grid.row(grid.picture.spots[**k].step) == Some(row) && grid.picture.spots[**k].lane == lane;
    let mut spots = grid.spots.iter().filter(here);
    let marked = grid.picture.refused.iter().flat_map(|refused| &refused.points).filter_map(|point| point.spot);
    let value = view.value.iter().filter(|_| grid.picture.refused.is_none()).map(|(_, spot)| *spot);
    let chosen: Vec<usize> = value.chain(marked).collect();
    match spots.next() {
        None => '.',
        Some(first) if chosen.contains(first) || spots.clone().any(|k| chosen.contains(k)) => '#',
        Some(first) if grid.picture.spots[*first].halo && spots.all(|k| grid.picture.spots[*k].halo) => 'o',
        Some(_) => '*',
    }
}

/// Every kind of dependence, and what carries it.
fn wires(out: &mut String, picture: &Picture) {
    if picture.wires.is_empty() && picture.loads.is_empty() {
        return;
    }
    let _ = writeln!(out, "\ndependences");
    let mut lines = Vec::new();
    for wire in &picture.wires {
        let distance: Vec<String> = wire.distance.iter().map(ToString::to_string).collect();
        let (from, to) = (&picture.statements[wire.variable].name, &picture.statements[wire.reader].name);
        let what = format!("{to} reads {from} at distance ({})", distance.join(", "));
        lines.push((what, wire.carrier.word(), wire.words.clone()));
    }
    for load in &picture.loads {
        let what = format!("{} reads {}", picture.statements[load.reader].name, load.array);
        let line = (what, load.carrier.word(), load.words.clone());
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let width = lines.iter().map(|(what, ..)| what.chars().count()).max().unwrap_or(0);
    for (what, word, words) in lines {
        let _ = writeln!(out, "    {}", format!("{what:width$}  {word:8}  {words}").trim_end());
    }
}

/// Where one value is computed, and where its inputs come from.
fn value(out: &mut String, picture: &Picture, statement: usize, spot: usize) {
    let verb = if picture.statements[statement].is_store { "is stored by" } else { "is computed by" };
    let _ = writeln!(out, "\n{} {verb} {}", picture.name(statement, spot), picture.place(spot));
    inputs(out, picture, statement, spot, 1);
}

/// The inputs of a value, and those of inputs that the same place computes.
fn inputs(out: &mut String, picture: &Picture, statement: usize, spot: usize, depth: usize) {
    for input in picture.inputs(statement, spot) {
        let from = match input.from {
            Some(from) if from != spot => format!(", at {}", picture.place(from)),
            _ => String::new(),
        };
        let words = if input.words.is_empty() { String::new() } else { format!(": {}", input.words) };
        let indent = "    ".repeat(depth);
        let _ = writeln!(out, "{indent}{} by {}{words}{from}", input.name, word(input.carrier));
        if let Some(variable) = input.variable.filter(|_| input.from == Some(spot) && depth < DEPTH) {
            inputs(out, picture, variable, spot, depth + 1);
        }
    }
}

fn word(carrier: Carrier) -> &'static str {
    match carrier {
        Carrier::Load => "a load",
        Carrier::Value => "a parameter",
        other => other.word(),
    }
}

fn refusal(out: &mut String, refused: &Refused) {
    let _ = writeln!(out, "\nrefused: {}", refused.relation);
    for point in &refused.points {
        let _ = writeln!(out, "    {}: ({}) at {}", point.role, point.point, point.place);
    }
    for line in refused.message.lines() {
        let _ = writeln!(out, "    {line}");
    }
    if !refused.written.is_empty() {
        let _ = writeln!(out, "\nas it is written");
    }
    for line in &refused.written {
        let _ = writeln!(out, "    {}", line.text);
        if let Some((from, to)) = line.lit {
            let _ = writeln!(out, "    {}{}", " ".repeat(from), "^".repeat(to - from));
        }
    }
}

/// There is no cost model for CPUs.
fn on_cpu(out: &mut String, picture: &Picture) {
    let _ = match &picture.measured {
        Some(m) => writeln!(out, "\ncost on a CPU\n    measured {} on {} at {}", time(m.seconds), m.device, m.sizes),
        None => writeln!(
            out,
            "\ncost on a CPU\n    not predicted: the cost model is one of GPUs; `cargo systolic tune {} --on cpu` measures",
            picture.kernel
        ),
    };
    if let Some(part) = &picture.part {
        together(out, part);
    }
}

fn cost(out: &mut String, picture: &Picture) {
    if let Some(why) = picture.without_program.as_ref().filter(|_| picture.refused.is_none()) {
        let _ = writeln!(out, "\nno program: {why}; the equations run point by point");
    }
    let Some(cost) = &picture.cost else {
        if picture.without_program.is_none() && picture.refused.is_none() {
            on_cpu(out, picture);
        }
        return;
    };
    let _ = writeln!(
        out,
        "\ncost on {} at {}\n    predicted {}, limited by {}: {}",
        cost.machine,
        sizes(&cost.sizes),
        time(cost.seconds),
        cost.roof,
        cost.meaning
    );
    if let Some((seconds, device)) = &cost.measured {
        let _ = writeln!(out, "    measured {} on {device}", time(*seconds));
    }
    for (roof, seconds, _) in cost.roofs.iter().filter(|(_, seconds, _)| *seconds > cost.seconds / 1e3) {
        let mark = if *roof == cost.roof { "  <" } else { "" };
        let _ = writeln!(out, "    {roof:16} {:>10}{mark}", time(*seconds));
    }
    if let Some(part) = &picture.part {
        together(out, part);
    }
}

/// The time of all parts.
fn together(out: &mut String, part: &Part) {
    if let Some(seconds) = part.predicted {
        let _ = writeln!(out, "    all {} together: predicted {}", part.count, time(seconds));
    }
    if let Some(m) = &part.measured {
        let _ = writeln!(
            out,
            "    all {} together: measured {} on {} at {}",
            part.count,
            time(m.seconds),
            m.device,
            m.sizes
        );
    }
}
