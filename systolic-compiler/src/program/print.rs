//! A program as text that people can read: loops, then the body, a value a line.
use super::{Operation, Program, ValueId, literal};
use std::fmt::Write;

pub fn print(program: &Program) -> String {
    let mut out = String::new();
    let text = &mut out;
    for b in &program.blocks {
        line(text, 0, &format!("block {} in {}..={}", b.name, b.low, b.high));
    }
    if program.warp_count() > 1 {
        line(text, 0, &format!("warps {:?}", program.warps));
    }
    line(text, 0, &format!("lanes {:?}", program.lanes));
    for depth in 0..=program.loops.len() {
        for (k, made) in program.values.iter().enumerate().filter(|(_, m)| m.level == depth) {
            let name = made.name.as_ref().map(|n| format!("    // {n}")).unwrap_or_default();
            line(text, depth, &format!("v{k}: {} = {}{name}", made.ty, operation(program, ValueId(k))));
        }
        if let Some(l) = program.loops.get(depth) {
            line(text, depth, &format!("for {} in {}..={}", l.name, l.low, l.high));
        }
    }
    let inside = program.loops.len();
    for s in &program.stores {
        let index: Vec<String> = s.index.iter().map(ToString::to_string).collect();
        line(text, inside, &format!("store out{}[{}] = v{} if {}", s.output, index.join(", "), s.value.0, s.condition));
    }
    for (k, r) in program.registers.iter().enumerate() {
        line(text, inside, &format!("carry r{k} = v{} over {}", r.value.0, r.depth));
    }
    for (k, r) in program.rings.iter().enumerate() {
        line(text, inside, &format!("ring q{k} = v{} of {}", r.value.0, r.depth + 1));
    }
    for (k, r) in program.rows.iter().enumerate() {
        let over = &program.loops[r.level].name;
        line(text, inside, &format!("row m{k} = v{} past {over}, {} laps", r.value.0, r.laps));
    }
    out
}

fn line(out: &mut String, depth: usize, text: &str) {
    let _ = writeln!(out, "{}{text}", "    ".repeat(depth));
}

fn operation(program: &Program, id: ValueId) -> String {
    let made = &program.values[id.0];
    let v = |id: &ValueId| format!("v{}", id.0);
    match &made.operation {
        Operation::Literal(bits) => literal(made.ty, *bits).to_string(),
        Operation::Index(form) => format!("index {form}"),
        Operation::Holds(condition) => format!("holds {condition}"),
        Operation::Load { array, index } => {
            let index: Vec<String> = index.iter().map(ToString::to_string).collect();
            format!("load {array:?}[{}] if {}", index.join(", "), made.needed)
        }
        Operation::Unary(op, a) => format!("{op:?} {}", v(a)).to_lowercase(),
        Operation::Binary(op, a, b) => format!("{op:?} {} {}", v(a), v(b)).to_lowercase(),
        Operation::Fma(a, b, c) => format!("fma {} {} {}", v(a), v(b), v(c)),
        Operation::Compare(op, a, b) => format!("{op:?} {} {}", v(a), v(b)).to_lowercase(),
        Operation::Cast(a) => format!("cast {}", v(a)),
        Operation::Select(condition, a, b) => format!("if {condition} then {} else {}", v(a), v(b)),
        Operation::Choose(c, a, b) => format!("choose {} {} {}", v(c), v(a), v(b)),
        Operation::Shuffle { value, lanes } => format!("shuffle {} by {lanes}", v(value)),
        Operation::Carried { register, depth } => format!("carried r{} from {depth} steps ago", register.0),
        Operation::Ring { ring, lanes, warps, depth } => {
            format!("ring q{} lane - {lanes} warp - {warps}, {depth} steps ago", ring.0)
        }
        Operation::Row { row, lanes, warps, laps, inner } => {
            format!("row m{} lane - {lanes} warp - {warps}, {laps} laps ago, inner {inner:?}", row.0)
        }
        Operation::Poison => "poison".to_string(),
    }
}
