//! Runs the programs of a lawful kernel and compares them with the evaluator, bit for bit.
use super::report::Report;
use super::{cases, number, trace};
use systolic_compiler::compile::default_by_rules;
use systolic_compiler::compile::{compile, schedule_layout};
use systolic_compiler::evaluate::{EvaluateError, Tensor, evaluate, random_inputs};
use systolic_compiler::interpret::{Trap, interpret, work};
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::mapping::{Layout, Target};
use systolic_compiler::model::{Int, Kernel};
use systolic_compiler::program::Condition;
use systolic_compiler::schedule::{Schedule, print, verify};
use systolic_oracle::few_sizes;

/// How thoroughly a kernel is tested.
#[derive(Clone, Copy)]
pub struct Effort {
    /// The maximum number of points at one size.
    pub points: usize,
    /// The approximate number of sizes.
    pub sizes: usize,
    /// The maximum number of values that a run computes. The first size may exceed it, so that every program runs.
    pub work: u64,
}

impl Effort {
    /// The effort that the environment variables set.
    pub fn with_points(points: usize) -> Effort {
        Effort { points, sizes: number("SYSTOLIC_SIZES", 12) as usize, work: number("SYSTOLIC_WORK", 1_000_000) }
    }
}

/// Runs every map of an instance, for each target.
pub fn run(lawful: &Lawful, name: &str, effort: Effort, seed: u64, report: &mut Report) {
    let default = |target| if lawful.maps().is_empty() { default_by_rules(lawful, target) } else { None };
    let (for_gpu, for_cpu) = (default(Target::Gpu), default(Target::Cpu));
    if lawful.maps().is_empty() {
        report.count(if for_gpu.is_some() { "default maps" } else { "no default map" });
    }
    let both: &[Target] = &[Target::Gpu, Target::Cpu];
    let maps = lawful.maps().iter().chain(&for_gpu).map(|map| (map, both));
    for (map, targets) in maps.chain(for_cpu.iter().map(|map| (map, &both[1..]))) {
        for target in targets.iter().copied() {
            match run_map(lawful.kernel(), map, target, effort, seed, report) {
                Ok(Ran::Judged) => {}
                Ok(Ran::Limit) => report.limits.push(name.to_string()),
                Err(why) => report.wrong(format!("{name} for {target:?}: {why}")),
            }
        }
    }
}

/// The outcome of a map.
pub enum Ran {
    Judged,
    /// It has no program: the layout cannot invert its rows.
    Limit,
}

/// Lowers one map and compares its program with the evaluator.
pub fn run_map(
    kernel: &Kernel,
    map: &LawfulMap,
    target: Target,
    effort: Effort,
    seed: u64,
    report: &mut Report,
) -> Result<Ran, String> {
    let Some(mut layout) = report.time("layout", || Layout::new(kernel, map, target)) else {
        report.count("no program: limit");
        return Ok(Ran::Limit);
    };
    // Random kernels are short, so every other one gets groups as a long one would.
    let short_groups = target == Target::Gpu && seed % 2 == 1;
    if short_groups {
        layout.group = 4;
    }
    // The program that the target runs. On a CPU it may have loops that the map unrolls; otherwise it is the map's own
    // program.
    let chosen = if short_groups { None } else { report.time("choose", || compile(kernel, map, target).ok()) };
    let program = match chosen {
        Some(chosen) if chosen.frame.loops.len() == layout.loops.len() => chosen,
        other => {
            let lowered = report.time("lower", || schedule_layout(&layout)).map_err(|why| format!("{why:?}"))?;
            if other.is_some() {
                report.count("programs with loops of their own");
            }
            other.unwrap_or(lowered)
        }
    };
    verify(&program)?;
    if program.sections().flat_map(|p| &p.step.lines).any(|l| l.guard != Condition::True) {
        report.count("programs with groups");
    }
    report.count(format!("programs for {target:?}"));
    let ran =
        judge(kernel, map, &program, effort, seed, report).map_err(|why| format!("{why}\n{}", cut(print(&program))))?;
    if target == Target::Gpu
        && let Some(largest) = ran.iter().max_by_key(|sizes| sizes.iter().sum::<Int>())
    {
        let found = report.time("cases", || cases::of_run(kernel, &layout, &program, largest));
        found.into_iter().for_each(|case| report.count(format!("with {case}")));
    }
    Ok(Ran::Judged)
}

fn cut(text: String) -> String {
    text.lines().take(number("SYSTOLIC_LINES", 80) as usize).map(|l| format!("{l}\n")).collect()
}

/// Returns the sizes that were run, or the first at which program and evaluator differ.
fn judge(
    kernel: &Kernel,
    map: &LawfulMap,
    program: &Schedule,
    effort: Effort,
    seed: u64,
    report: &mut Report,
) -> Result<Vec<Vec<Int>>, String> {
    let maps = std::slice::from_ref(map.mapping());
    let mut ran = Vec::new();
    for sizes in report.time("sizes", || few_sizes(kernel, maps, effort.points, effort.sizes)) {
        let work = work(program, &sizes);
        if work.is_none_or(|w| w > if ran.is_empty() { 50 * effort.work } else { effort.work }) {
            report.count("runs left out: too much work");
            continue;
        }
        report.add("values made / 1000", work.unwrap_or(0) as usize / 1000);
        let number = seed + ran.len() as u64;
        let inputs = random_inputs(kernel, &sizes, number);
        let expected = match report.time("evaluate", || evaluate(kernel, &sizes, &inputs)) {
            Ok(outputs) => outputs,
            Err(EvaluateError::TooLarge) => {
                report.count("runs left out: arrays too large");
                continue;
            }
            Err(error) => return Err(format!("at {sizes:?} evaluates to: {error}")),
        };
        match report.time("interpret", || interpret(program, kernel, &sizes, &inputs, number)) {
            Ok(outputs) => match difference(&outputs, &expected) {
                Some(difference) => return Err(format!("at {sizes:?} {difference}")),
                None => report.count("runs"),
            },
            Err(Trap::TooLarge) => report.count("runs too large"),
            Err(trap) => return Err(format!("at {sizes:?}: {trap}")),
        }
        ran.push(sizes);
    }
    if ran.is_empty() {
        report.count("programs never run");
        if trace() {
            println!("never run: {}", kernel.name.text);
        }
    }
    Ok(ran)
}

/// The first difference of the outputs.
fn difference(outputs: &[Tensor], expected: &[Tensor]) -> Option<String> {
    if outputs.len() != expected.len() {
        return Some(format!("{} outputs, not {}", outputs.len(), expected.len()));
    }
    let (k, (a, b)) = outputs.iter().zip(expected).enumerate().find(|(_, (a, b))| !a.same_bits(b))?;
    let at = a.values.iter().zip(&b.values).position(|(a, b)| !a.same_bits(*b)).unwrap_or(0);
    Some(format!("output {k}: element {at} is {:?}, not {:?}", a.values.get(at), b.values.get(at)))
}
