//! What every kernel of a package runs on, and why.
use super::things::Things;
use crate::package::Package;
use crate::series::series;
use crate::sources::{kernels, lines_before, relative, span};
use crate::terminal::bar;
use std::collections::BTreeMap;
use systolic_build::File;
use systolic_compiler::check;
use systolic_compiler::compile::{Programs, Which, by_rules, which};
use systolic_compiler::laws::Lawful;
use systolic_compiler::mapping::Target;
use systolic_compiler::syntax::tree;

/// What is said of a kernel.
pub struct Verdict {
    pub name: String,
    pub file: String,
    pub lines: Vec<Line>,
}

/// What it runs on.
pub struct Line {
    /// `CPU`, `GPU`, or `refused`.
    pub device: &'static str,
    pub runs: bool,
    pub words: String,
}

const REFUSED: &str = "refused";

impl Verdict {
    /// Whether it does not compile.
    pub fn is_refused(&self) -> bool {
        self.lines.iter().any(|line| line.device == REFUSED)
    }
}

/// The verdicts on all kernels, in the order of the files.
pub fn verdicts(package: &Package, files: &[File], things: &Things) -> Result<Vec<Verdict>, String> {
    let bar = bar(files.iter().map(|file| file.blocks.len()).sum(), "compiling")?;
    let mut verdicts = Vec::new();
    for file in files {
        let (path, before) = (relative(package, &file.path), lines_before(file));
        for block in &file.blocks {
            for (name, tokens) in kernels(block.clone()) {
                let checked = check(tokens);
                let lines = match (checked.kernels.first(), checked.faults.first()) {
                    (Some((tree, instances)), _) => lines(package, tree, instances, things),
                    (None, fault) => {
                        let at = fault.map(|fault| (fault.law(), span(fault.at, before).0));
                        let words = at.map_or(String::new(), |(law, at)| {
                            format!("by the law {law}, at {path}:{}:{}", at.line, at.column + 1)
                        });
                        vec![Line { device: REFUSED, runs: false, words }]
                    }
                };
                verdicts.push(Verdict { name, file: path.clone(), lines });
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(verdicts)
}

/// What a lawful kernel runs on.
fn lines(package: &Package, tree: &tree::Kernel, instances: &[Lawful], things: &Things) -> Vec<Line> {
    let programs = match Programs::new(tree, instances, &[Target::Cpu, Target::Gpu], &by_rules) {
        Ok(programs) => programs,
        Err(broken) => return vec![Line { device: REFUSED, runs: false, words: format!("internal error: {broken}") }],
    };
    // How many passes or launches an instance takes, if no single map does.
    let parts = |lawful: &Lawful, target: Target| match which(None, lawful, target) {
        Which::Default => series(package, tree, lawful, target).map(|found| found.maps.len()),
        Which::Map(_) => None,
    };
    let on = |target: Target| {
        let mut obstacles: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for lawful in instances.iter().filter(|lawful| parts(lawful, target).is_none()) {
            if let Err(obstacle) = programs.get(lawful, which(None, lawful, target), target) {
                obstacles.entry(obstacle.to_string()).or_default().push(lawful.kernel().instance.to_string());
            }
        }
        obstacles
    };
    let told = |obstacles: &BTreeMap<String, Vec<String>>| {
        let one = |(why, those): (&String, &Vec<String>)| match those.len() == instances.len() {
            true => why.clone(),
            false => format!("with {}: {why}", those.join(" or ")),
        };
        obstacles.iter().map(one).collect::<Vec<_>>().join("; ")
    };
    let in_parts = |target: Target, words: &str| {
        let most = instances.iter().filter_map(|lawful| parts(lawful, target)).max();
        most.map_or(String::new(), |count| format!(", in {count} {words}"))
    };
    let (cpu, gpu) = (on(Target::Cpu), on(Target::Gpu));
    let cpu = match cpu.is_empty() {
        true => {
            let words = with_vectors(&things.cpu) + &in_parts(Target::Cpu, "passes");
            Line { device: "CPU", runs: true, words }
        }
        false => Line { device: "CPU", runs: true, words: format!("point by point, which is slow: {}", told(&cpu)) },
    };
    let gpu = match (&things.gpu, gpu.is_empty()) {
        (Err(why), _) => Line { device: "GPU", runs: false, words: format!("no: {why}") },
        (Ok(_), false) => Line { device: "GPU", runs: false, words: format!("no: it has no program: {}", told(&gpu)) },
        (Ok(name), true) => {
            let words = format!("yes, on {name}") + &in_parts(Target::Gpu, "launches");
            Line { device: "GPU", runs: true, words }
        }
    };
    vec![cpu, gpu]
}

fn with_vectors(best: &str) -> String {
    match best {
        "plain Rust" => best.to_string(),
        best => format!("{best} in optimised builds, plain Rust in others"),
    }
}
