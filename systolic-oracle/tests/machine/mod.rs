//! What the tests of warp programs share: a lawful kernel in, its programs run, and judged by the evaluator.
#![allow(dead_code)]
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use systolic_compiler::evaluate::{evaluate, random_inputs};
use systolic_compiler::laws::{Lawful, LawfulMap, classes};
use systolic_compiler::mapping::{Layout, Medium, Target, default_map, medium};
use systolic_compiler::model::{Int, Kernel};
use systolic_compiler::program::{Operation, Program, Trap, interpret, lower, print, verify, work};
use systolic_oracle::{World, some_sizes};

/// Small kernels, one a medium or a trap for the compiler.
pub const WIRES: &str = include_str!("wires.txt");

/// A number from the environment.
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[derive(Default)]
pub struct Report {
    pub tally: BTreeMap<String, usize>,
    pub times: BTreeMap<&'static str, Duration>,
    /// Lawful maps that the layout cannot undo.
    pub limits: usize,
    pub wrong: Vec<String>,
}

impl Report {
    pub fn count(&mut self, what: impl Into<String>) {
        *self.tally.entry(what.into()).or_default() += 1;
    }

    /// Runs and takes the time.
    pub fn time<T>(&mut self, what: &'static str, run: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = run();
        *self.times.entry(what).or_default() += start.elapsed();
        result
    }

    pub fn print(&self) {
        for (what, time) in &self.times {
            println!("{:7.2} s {what}", time.as_secs_f64());
        }
        for (what, n) in &self.tally {
            println!("{n:7} {what}");
        }
        for text in self.wrong.iter().take(number("SYSTOLIC_SHOWN", 5) as usize) {
            println!("{text}\n");
        }
    }
}

/// Runs every map of an instance, laid out for each target. `few`: the most points a size may have.
pub fn run(lawful: &Lawful, name: &str, few: usize, seed: u64, report: &mut Report) {
    let default = if lawful.maps().is_empty() { default_map(lawful) } else { None };
    if lawful.maps().is_empty() {
        report.count(if default.is_some() { "default maps" } else { "no default map" });
    }
    for map in lawful.maps().iter().chain(&default) {
        for target in [Target::Gpu, Target::Cpu] {
            let limits = report.limits;
            let result = run_map(lawful.kernel(), map, target, few, seed, report);
            if report.limits > limits && report.limits <= number("SYSTOLIC_SHOWN", 3) as usize {
                println!("limit, {name}");
            }
            if let Err(why) = result {
                report.count("WRONG");
                report.wrong.push(format!("{name} for {target:?}: {why}"));
            }
        }
    }
}

/// Lowers one map and judges its program.
pub fn run_map(
    kernel: &Kernel,
    map: &LawfulMap,
    target: Target,
    few: usize,
    seed: u64,
    report: &mut Report,
) -> Result<(), String> {
    let Some(layout) = report.time("layout", || Layout::new(kernel, map, target)) else {
        report.count("no program: limit");
        report.limits += 1;
        return Ok(());
    };
    let program = report.time("lower", || lower(&layout)).map_err(|why| format!("{why:?}"))?;
    verify(&program)?;
    report.count(format!("programs for {target:?}"));
    if target == Target::Gpu {
        media(&layout, &program).into_iter().for_each(|what| report.count(format!("with {what}")));
    }
    match judge(kernel, map, &program, few, seed, report) {
        Some(why) => Err(format!("{why}\n{}", cut(print(&program)))),
        None => Ok(()),
    }
}

fn cut(text: String) -> String {
    text.lines().take(number("SYSTOLIC_LINES", 80) as usize).map(|l| format!("{l}\n")).collect()
}

/// The first size at which program and evaluator differ.
fn judge(
    kernel: &Kernel,
    map: &LawfulMap,
    program: &Program,
    few: usize,
    seed: u64,
    report: &mut Report,
) -> Option<String> {
    let mut ran = 0;
    let most = number("SYSTOLIC_WORK", 1_000_000);
    for sizes in report.time("sizes", || sizes(kernel, map, few)) {
        let work = work(program, &sizes);
        // The first may be larger: every program runs.
        if work.is_none_or(|w| w > if ran > 0 { most } else { 50 * most }) {
            report.count("runs left out: too much work");
            continue;
        }
        *report.tally.entry("values made / 1000".to_string()).or_default() += work.unwrap_or(0) as usize / 1000;
        let inputs = random_inputs(kernel, &sizes, seed ^ ran);
        let expected = match report.time("evaluate", || evaluate(kernel, &sizes, &inputs)) {
            Ok(outputs) => outputs,
            Err(error) => return Some(format!("at {sizes:?} evaluates to: {error}")),
        };
        ran += 1;
        match report.time("interpret", || interpret(program, kernel, &sizes, &inputs, seed + ran)) {
            Ok(outputs) => {
                for (k, (a, b)) in outputs.iter().zip(&expected).enumerate() {
                    if !a.same_bits(b) {
                        let at = a.values.iter().zip(&b.values).position(|(a, b)| !a.same_bits(*b)).unwrap_or(0);
                        let (x, y) = (a.values[at], b.values[at]);
                        return Some(format!("at {sizes:?} output {k}: element {at} is {x}, not {y}"));
                    }
                }
            }
            Err(Trap::TooLarge) => report.count("runs too large"),
            Err(trap) => return Some(format!("at {sizes:?}: {trap}")),
        }
        report.count("runs");
    }
    if ran == 0 {
        report.count("programs never run");
        if std::env::var("SYSTOLIC_TRACE").is_ok() {
            println!("never run: {}", kernel.name.text);
        }
    }
    None
}

/// What a program is made of, each once.
fn media(layout: &Layout, program: &Program) -> Vec<&'static str> {
    let mut all = Vec::new();
    let mut add = |what: &'static str, is: bool| {
        if is && !all.contains(&what) {
            all.push(what);
        }
    };
    for read in layout.kernel.reads() {
        for class in classes(layout.mapping, layout.places, read.distance) {
            for instance in layout.instances.iter().take(64) {
                match medium(layout, read.variable, &class, instance) {
                    Medium::Rename(_) => add("rename", read.distance.iter().any(|d| *d != 0)),
                    Medium::Feed => add("feed", true),
                    Medium::Shuffle { .. } => add("shuffle", true),
                    Medium::Rotation { lanes: 0, .. } => add("rotation", true),
                    Medium::Rotation { .. } => add("rotation, shuffled", true),
                    _ => {}
                }
            }
        }
    }
    let has = |wanted: fn(&Operation) -> bool| program.count(wanted) > 0;
    add("ring", has(|o| matches!(o, Operation::Ring { depth: 1.., .. })));
    add("shared in step", has(|o| matches!(o, Operation::Ring { depth: 0, .. })));
    add("row", has(|o| matches!(o, Operation::Row { warps: 0, .. })));
    add("row between warps", has(|o| matches!(o, Operation::Row { warps, .. } if *warps != 0)));
    add("fold", layout.mapping.fold > 1);
    add("warps", program.warp_count() > 1);
    add("two lane rows", layout.lanes.len() > 1);
    add("overlap", layout.mapping.nodes.iter().any(|n| n.tile.as_ref().is_some_and(|t| t.before + t.after > 0)));
    add("written rows", !layout.written.is_empty());
    add("no loop", layout.rolled.is_empty());
    add("lattice", layout.leaves.iter().any(|l| l.denominator() != 1));
    let remainder = layout.leaves.iter().any(|l| l.to_string().contains("mod"));
    add("fewer rows than loops", remainder);
    add("rows that must agree", !layout.consistent.is_empty());
    add(
        "hoisted loads",
        program.values.iter().any(|m| matches!(m.operation, Operation::Load { .. }) && m.level < program.loops.len()),
    );
    all
}

/// The blocks of `systolic!` in the files of the workloads, with their file.
pub fn workload_blocks() -> Vec<(String, TokenStream)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/kernels");
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).expect("the workloads").map(|e| e.expect("a file").path()).collect();
    files.sort();
    let mut all = Vec::new();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(file).expect("text");
        let name = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        all.extend(blocks(text.parse().expect("tokens")).into_iter().map(|b| (name.clone(), b)));
    }
    all
}

/// The contents of every `systolic! { … }` of a file.
fn blocks(tokens: TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for k in 0..tokens.len() {
        if let [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(group)] =
            &tokens[k..tokens.len().min(k + 3)]
            && name == "systolic"
            && bang.as_char() == '!'
        {
            found.push(group.stream());
        } else if let TokenTree::Group(group) = &tokens[k] {
            found.extend(blocks(group.stream()));
        }
    }
    found
}

/// Small sizes and those around the tiles, together and one by one; some always.
fn sizes(kernel: &Kernel, map: &LawfulMap, few: usize) -> Vec<Vec<Int>> {
    let mut all = some_sizes(kernel, map.mapping());
    let tiles = map.mapping().nodes.iter().filter_map(|n| n.tile.as_ref().map(|t| t.by));
    let around: Vec<Int> = tiles.flat_map(|by| [by - 1, by, by + 1, 2 * by + 1]).filter(|v| *v > 1).collect();
    for k in 0..kernel.sizes.len() {
        for v in &around {
            for rest in [1, 3] {
                let mut sizes = vec![rest; kernel.sizes.len()];
                sizes[k] = *v;
                all.push(sizes);
            }
        }
    }
    all.sort();
    all.dedup();
    all.retain(|s| World::new(kernel, s).is_assumed());
    let small = |most: usize| move |s: &&Vec<Int>| !World::new(kernel, s).has_more_points_than(most);
    let fit: Vec<Vec<Int>> = all.iter().filter(small(few)).cloned().collect();
    let most = number("SYSTOLIC_SIZES", 12) as usize;
    match fit.len() {
        // Spread over all of them.
        1.. => fit.iter().step_by(fit.len().div_ceil(most)).chain(fit.last()).cloned().collect(),
        // Its smallest are large.
        0 => all.iter().filter(small(100_000)).take(2).cloned().collect(),
    }
}
