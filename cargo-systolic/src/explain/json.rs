//! A picture as compact JSON, for the script of the page.
use super::View;
use super::grid::title;
use super::palette::look;
use super::parts::words;
use super::svg::{number, used};
use crate::date::time;
use serde_json::{Value, json};
use std::collections::HashMap;
use systolic_compiler::explain::{Affine, CodeLine, CostShown, Load, Part, Picture, Refused, Wire};
use systolic_compiler::model::Int;

/// All of it but the program and the emitted text, which may have to be shortened.
pub fn json(picture: &Picture, view: &View) -> Value {
    let mut sets: Vec<&[usize]> = Vec::new();
    let mut spots: Vec<i64> = Vec::new();
    for spot in &picture.spots {
        let set = sets.iter().position(|set| *set == spot.statements).unwrap_or_else(|| {
            sets.push(&spot.statements);
            sets.len() - 1
        });
        let head = [spot.block as i64, number(spot.warp), number(spot.lane), number(spot.register), spot.step as i64];
        spots.extend(head);
        spots.extend([i64::from(spot.halo), set as i64]);
        spots.extend(spot.point.iter().map(|x| number(*x)));
    }
    let statements: Vec<Value> = picture
        .statements
        .iter()
        .map(|s| json!({ "n": s.name, "s": s.is_store, "i": forms(&s.index), "l": [s.lines.0, s.lines.1] }))
        .collect();
    let carriers: Vec<Value> = used(picture).iter().map(|c| json!([c.word(), c.words(), look(*c).dashes()])).collect();
    json!({
        "kernel": picture.kernel, "title": title(picture), "instance": picture.instance,
        "part": picture.part.as_ref().map(part_json),
        "map": { "name": picture.map.name, "origin": picture.map.origin.words(), "on": picture.map.on },
        "sizes": named(&picture.sizes), "loops": picture.loops, "rows": rows(picture),
        "fold": number(picture.fold), "lanes": number(picture.lanes), "warps": number(picture.warps),
        "statements": statements, "source": lines(&picture.source),
        "mapText": picture.map.text.trim_end().lines().map(|l| l.strip_prefix("    ").unwrap_or(l)).collect::<Vec<_>>(),
        "blocks": tuples(&picture.blocks), "steps": tuples(&picture.steps), "launches": picture.launches,
        "sets": sets, "spots": spots, "carriers": carriers,
        "wires": picture.wires.iter().map(wire).collect::<Vec<_>>(),
        "loads": picture.loads.iter().map(load).collect::<Vec<_>>(),
        "omitted": picture.omitted,
        "without": picture.without_program,
        "cost": picture.cost.as_ref().map(cost), "measured": picture.measured.as_ref().map(|m| json!([time(m.seconds), m.device, m.sizes])),
        "refused": picture.refused.as_ref().map(refused),
        "first": view.value.map(|(statement, spot)| [statement, spot]), "view": [view.block as i64, number(view.warp)],
    })
}

fn part_json(part: &Part) -> Value {
    let measured = part.measured.as_ref().map(|m| json!([time(m.seconds), m.device, m.sizes]));
    json!({
        "word": part.word, "number": part.number, "count": part.count, "computes": part.computes, "words": words(part),
        "time": part.predicted.map(time), "measured": measured,
    })
}

fn named(values: &[(String, Int)]) -> Vec<Value> {
    values.iter().map(|(name, value)| json!([name, number(*value)])).collect()
}

fn tuples(values: &[Vec<Int>]) -> Vec<Vec<i64>> {
    values.iter().map(|tuple| tuple.iter().map(|x| number(*x)).collect()).collect()
}

fn rows(picture: &Picture) -> Vec<Value> {
    let rows = picture.rows.iter().enumerate();
    rows.map(|(k, row)| json!({ "n": row.name, "k": picture.kind(k), "f": row.form, "u": row.unrolled })).collect()
}

/// Lines of code. Different ones stand once, as text, statements and values; then the indentation and the number of every line.
pub fn lines(lines: &[CodeLine]) -> Value {
    let (mut numbers, mut different, mut order) = (HashMap::new(), Vec::new(), Vec::new());
    for line in lines {
        let text = line.text.trim_start();
        let number = *numbers.entry((text, &line.statements, &line.values)).or_insert_with(|| {
            different.push(match (line.statements.is_empty(), line.values.is_empty()) {
                (true, true) => json!([text]),
                _ => json!([text, line.statements, line.values]),
            });
            different.len() - 1
        });
        order.extend([line.text.len() - text.len(), number]);
    }
    json!([different, order])
}

/// A form is its coefficients, then its constant.
fn forms(forms: &[Affine]) -> Vec<Vec<i64>> {
    forms.iter().map(|form| form.coefs.iter().chain([&form.constant]).map(|x| number(*x)).collect()).collect()
}

fn wire(wire: &Wire) -> Value {
    let links: Vec<i64> =
        wire.links.iter().flat_map(|(to, from)| [*to as i64, from.map_or(-1, |from| from as i64)]).collect();
    let distance: Vec<i64> = wire.distance.iter().map(|d| number(*d)).collect();
    json!({ "r": wire.reader, "v": wire.variable, "d": distance, "c": wire.carrier.word(), "t": wire.words, "l": links })
}

fn load(load: &Load) -> Value {
    let dims: Vec<i64> = load.dims.iter().map(|d| number(*d)).collect();
    json!({
        "r": load.reader, "a": load.array, "i": forms(&load.index), "n": dims, "b": load.border,
        "c": load.carrier.word(), "t": load.words, "p": load.spots,
    })
}

fn cost(cost: &CostShown) -> Value {
    let roof = |(name, seconds, meaning): &(String, f64, &str)| {
        json!([name, seconds, time(*seconds), *name == cost.roof, meaning])
    };
    let roofs: Vec<Value> = cost.roofs.iter().map(roof).collect();
    json!({
        "machine": cost.machine, "sizes": named(&cost.sizes), "time": time(cost.seconds), "seconds": cost.seconds,
        "roof": cost.roof, "meaning": cost.meaning, "roofs": roofs, "blocks": cost.blocks, "registers": cost.registers,
        "warps": cost.warps, "read": cost.read, "written": cost.written,
        "measured": cost.measured.as_ref().map(|(seconds, device)| json!([time(*seconds), device])),
    })
}

fn refused(refused: &Refused) -> Value {
    let point = |p: &systolic_compiler::explain::Marked| json!([p.role, p.point, p.place, p.spot]);
    json!({
        "law": refused.law, "message": refused.message, "relation": refused.relation, "read": refused.is_read,
        "points": refused.points.iter().map(point).collect::<Vec<_>>(),
        "written": refused.written.iter().map(|line| json!([line.text, line.lit])).collect::<Vec<_>>(),
    })
}
