//! A schedule as text for people: the grid, the loops, then the sections of each version, one instruction per line.
use super::{Hoisted, Prefetch, Rows, Schedule, Step, Stream, Wide};
use crate::mapping::Target;
use crate::program::{Condition, Inst, Into, Operation, Program, Store, ValueId, literal};
use std::fmt::Write;

/// A schedule, as it runs.
pub fn print(program: &Schedule) -> String {
    let mut out = String::new();
    let text = &mut out;
    let hoisted = &program.hoisted;
    grid(text, program);
    let innermost = program.frame.loops.len();
    for depth in 0..=innermost {
        stages(text, program, depth);
        if depth == innermost {
            break;
        }
        for (k, named) in hoisted.named.iter().enumerate().filter(|(_, n)| n.level == depth) {
            line(text, depth, &format!("m{k} = {}", named.condition));
        }
        for (k, inst) in program.values.iter().enumerate().filter(|(_, m)| m.level == depth) {
            value(text, depth, ValueId(k), inst, hoisted);
        }
        if depth + 1 < innermost {
            loop_line(text, program, depth);
        }
    }
    for version in &program.versions {
        match &version.when {
            Condition::True if program.versions.len() == 1 => {}
            Condition::True => line(text, innermost.saturating_sub(1), "elsewhere"),
            when => line(text, innermost.saturating_sub(1), &format!("where {when}")),
        }
        for section in &version.sections {
            if let Some(l) = program.frame.loops.last() {
                let (range, how) = (format!("{}..={}", section.low, section.high), loading(&section.prefetch));
                line(text, innermost - 1, &format!("for {} in {range}{how}", l.name));
            }
            step(text, program, &section.step, hoisted);
        }
    }
    storage(text, program);
    out
}

/// A program before it is scheduled: all loops, then the body.
pub fn print_program(program: &Program) -> String {
    let mut out = String::new();
    let text = &mut out;
    grid(text, program);
    let inside = program.frame.loops.len();
    for depth in 0..=inside {
        stages(text, program, depth);
        if depth < inside {
            loop_line(text, program, depth);
        }
    }
    for (k, inst) in program.values.iter().enumerate() {
        value(text, inside, ValueId(k), inst, &Hoisted::default());
    }
    program.stores.iter().for_each(|s| store(text, inside, s, &Hoisted::default()));
    for (k, r) in program.registers.iter().enumerate() {
        line(text, inside, &format!("carry r{k} = v{} over {}", r.value.0, r.delay));
    }
    storage(text, program);
    out
}

fn grid(text: &mut String, program: &Program) {
    for (k, b) in program.frame.blocks.iter().enumerate() {
        let word = if k < program.frame.launches { "launch" } else { "block" };
        line(text, 0, &format!("{word} {} in {}..={}", b.name, b.low, b.high));
    }
    if let Some(tickets) = &program.tickets {
        line(text, 0, &format!("in order of {:?}, each after {:?}", tickets.order, tickets.waits));
    }
    if program.warp_count() > 1 {
        line(text, 0, &format!("warps {:?}", program.frame.warps));
    }
    line(text, 0, &format!("lanes {:?}", program.frame.lanes));
}

fn loop_line(text: &mut String, program: &Program, depth: usize) {
    let l = &program.frame.loops[depth];
    line(text, depth, &format!("for {} in {}..={}", l.name, l.first(), l.last()));
}

fn storage(text: &mut String, program: &Program) {
    faces(text, program);
    for (k, r) in program.rings.iter().enumerate() {
        line(text, 0, &format!("ring q{k} of {} slots", r.slots()));
    }
    for (k, r) in program.rows.iter().enumerate() {
        line(text, 0, &format!("row k{k} past {}, {} laps", program.frame.loops[r.level].name, r.laps));
    }
}

fn faces(text: &mut String, program: &Program) {
    for (k, face) in program.faces.iter().enumerate() {
        let dims: Vec<String> = face.dims.iter().map(ToString::to_string).collect();
        line(text, 0, &format!("face f{k} of {}: {}[{}]", face.name, face.ty, dims.join(", ")));
    }
}

fn store(text: &mut String, depth: usize, store: &Store, hoisted: &Hoisted) {
    let index: Vec<String> = store.index.iter().map(ToString::to_string).collect();
    let test = hoisted.usage(&store.condition);
    let into = match store.into {
        Into::Output(k) => format!("out{k}"),
        Into::Face(face) => format!("f{}", face.0),
    };
    line(text, depth, &format!("store {into}[{}] = v{} if {test}", index.join(", "), store.value.0));
}

/// `, prefetching 3 steps ahead, unrolled by 3, continuing`
fn loading(prefetch: &Prefetch) -> String {
    let ahead = (prefetch.distance > 0).then(|| format!(", prefetching {} steps ahead", prefetch.distance));
    let unrolled = (prefetch.unroll > 1).then(|| format!(", unrolled by {}", prefetch.unroll));
    let continues = prefetch.continues.then(|| ", continuing".to_string());
    ahead.into_iter().chain(unrolled).chain(continues).collect()
}

fn stages(text: &mut String, program: &Program, depth: usize) {
    for (k, s) in program.stages.iter().enumerate().filter(|(_, s)| s.level == depth) {
        let low: Vec<String> = s.low.iter().map(ToString::to_string).collect();
        let pieces = if s.piece > 1 { format!(", {} at a time", s.piece) } else { String::new() };
        let ahead = if s.is_double { ", an iteration ahead" } else { "" };
        let what = format!("{:?}[{}] {:?} rows of {}{pieces}{ahead}", s.array, low.join(", "), s.extents, s.pitch);
        line(text, depth, &format!("fill s{k} = {what}"));
    }
}

/// When a group is accessed, and where that is together.
fn tests(group: &Wide, hoisted: &Hoisted) -> String {
    let guard = hoisted.usage(&group.guard);
    match &group.when {
        Condition::True => guard.to_string(),
        when => format!("{guard}, where {}", hoisted.usage(when)),
    }
}

fn step(text: &mut String, program: &Program, step: &Step, hoisted: &Hoisted) {
    let inside = program.frame.loops.len();
    for (n, l) in step.lines.iter().enumerate() {
        if l.guard != Condition::True && (n == 0 || step.lines[n - 1].guard != l.guard) {
            line(text, inside, &format!("where {}", l.guard));
        }
        value(text, inside + usize::from(l.guard != Condition::True), l.id, &l.inst, hoisted);
    }
    step.stores.iter().for_each(|s| store(text, inside, s, hoisted));
    for group in &step.wide_loads {
        let values: Vec<String> = group.members.iter().map(|n| format!("v{}", step.lines[*n].id.0)).collect();
        let back: String = group.back.iter().map(|axis| format!(", back along axis {axis}")).collect();
        let past = [(group.past.before, ", or before"), (group.past.after, ", or after")];
        let past: String = past.iter().filter(|(is, _)| *is).map(|(_, text)| *text).collect();
        line(text, inside, &format!("together {} if {}{back}{past}", values.join(", "), tests(group, hoisted)));
    }
    for group in &step.wide_stores {
        let values: Vec<String> = group.members.iter().map(|n| format!("v{}", step.stores[*n].value.0)).collect();
        line(text, inside, &format!("stored together {} if {}", values.join(", "), tests(group, hoisted)));
    }
    if let Some(streams) = &step.streams {
        let way = |s: &Stream| match s.rows {
            Rows::OfLanes(lanes) => format!("in {lanes} rows"),
            Rows::Shared => "in one row".to_string(),
            Rows::Own => "by the lane itself".to_string(),
        };
        let loads = streams.loads.iter().map(|s| format!("load v{} {}", step.lines[s.members[0]].id.0, way(s)));
        let stores = streams.stores.iter().map(|s| format!("store v{} {}", step.stores[s.members[0]].value.0, way(s)));
        let all: Vec<String> = loads.chain(stores).collect();
        let (steps, buffers) = (streams.steps, streams.buffers);
        line(text, inside, &format!("through {buffers} buffers of {steps} steps: {}", all.join(", ")));
    }
    for (k, (value, r)) in step.registers.iter().zip(&program.registers).enumerate() {
        line(text, inside, &format!("carry r{k} = v{} over {}", value.0, r.delay));
    }
    for (k, value) in step.rings.iter().enumerate() {
        line(text, inside, &format!("give ring q{k} v{}", value.0));
    }
    for (k, value) in step.rows.iter().enumerate() {
        line(text, inside, &format!("give row k{k} v{}", value.0));
    }
}

fn value(text: &mut String, depth: usize, id: ValueId, inst: &Inst, hoisted: &Hoisted) {
    let name = inst.name.as_ref().map(|n| format!("    // {n}")).unwrap_or_default();
    line(text, depth, &format!("v{}: {} = {}{name}", id.0, inst.ty, operation(inst, hoisted)));
}

/// How many comparisons a step evaluates.
pub fn predicates(program: &Schedule, step: &Step) -> usize {
    let count = |c: &Condition| program.hoisted.usage(c).evaluated();
    // On a CPU the runtime checks whether a load lies inside.
    let of_inst = |inst: &Inst| match program.target {
        Target::Gpu => inst.conditions().map(count).sum::<usize>(),
        Target::Cpu => inst.operation.condition().map_or(0, count),
    };
    let lines = step.lines.iter().map(|l| of_inst(&l.inst)).sum::<usize>();
    lines + step.stores.iter().map(|s| count(&s.condition)).sum::<usize>()
}

fn line(out: &mut String, depth: usize, text: &str) {
    let _ = writeln!(out, "{}{text}", "    ".repeat(depth));
}

fn operation(inst: &Inst, hoisted: &Hoisted) -> String {
    let v = |id: &ValueId| format!("v{}", id.0);
    match &inst.operation {
        Operation::Literal(bits) => literal(inst.ty, *bits).to_string(),
        Operation::Index(form) => format!("index {form}"),
        Operation::Holds(condition) => format!("holds {}", hoisted.usage(condition)),
        Operation::Load { array, index } => {
            let index: Vec<String> = index.iter().map(ToString::to_string).collect();
            format!("load {array:?}[{}] if {}", index.join(", "), hoisted.usage(&inst.needed))
        }
        Operation::Face { face, index } => {
            let index: Vec<String> = index.iter().map(ToString::to_string).collect();
            format!("face f{}[{}] if {}", face.0, index.join(", "), hoisted.usage(&inst.needed))
        }
        Operation::Lookup { array, index } => {
            format!("lookup {array:?}[{}]", index.iter().map(v).collect::<Vec<_>>().join(", "))
        }
        Operation::Staged { stage, cell } => {
            let cell: Vec<String> = cell.iter().map(ToString::to_string).collect();
            format!("staged s{}[{}]", stage.0, cell.join(", "))
        }
        Operation::Unary(op, a) => format!("{op:?} {}", v(a)).to_lowercase(),
        Operation::Binary(op, a, b) => format!("{op:?} {} {}", v(a), v(b)).to_lowercase(),
        Operation::Fma(a, b, c) => format!("fma {} {} {}", v(a), v(b), v(c)),
        Operation::Compare(op, a, b) => format!("{op:?} {} {}", v(a), v(b)).to_lowercase(),
        Operation::Cast(a) => format!("cast {}", v(a)),
        Operation::Select(condition, a, b) => format!("if {} then {} else {}", hoisted.usage(condition), v(a), v(b)),
        Operation::Choose(c, a, b) => format!("choose {} {} {}", v(c), v(a), v(b)),
        Operation::Shuffle { value, lanes } => format!("shuffle {} by {lanes}", v(value)),
        Operation::Rotate { value, lanes } => format!("rotate {} by {lanes}", v(value)),
        Operation::Carried { register, delay } => format!("carried r{} from {delay} steps ago", register.0),
        Operation::Ring { ring, lanes, warps, delay } => {
            format!("ring q{} lane - {lanes} warp - {warps}, {delay} steps ago", ring.0)
        }
        Operation::Row { row, lanes, warps, laps, inner } => {
            format!("row k{} lane - {lanes} warp - {warps}, {laps} laps ago, inner {inner:?}", row.0)
        }
        Operation::Poison => "poison".to_string(),
    }
}
