//! The rows of a comparison: every map of a kernel for one instance, with what is known and predicted of it.
use super::registers::Assembler;
use super::shape::Shape;
use crate::date::time;
use crate::kernel::{does_not_compile, fitting, key, of_instance};
use crate::maps::{cost_sizes, machine, map_of, parse_shown};
use crate::package::Package;
use crate::series::{Mapped, series};
use crate::sources::{self, Found};
use crate::tune::{Known, all_known, shown_sizes};
use std::collections::BTreeMap;
use std::path::Path;
use systolic_compiler::compile::{NoProgram, Which, compile};
use systolic_compiler::cost::cost;
use systolic_compiler::emit::unit;
use systolic_compiler::explain::Origin;
use systolic_compiler::fault::{Fault, message};
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::mapping::Target;
use systolic_compiler::model::{Device, Instance, Int};
use systolic_compiler::syntax::{self, tree};
use systolic_compiler::target::machine_file::Machine;
use systolic_compiler::{Checked, check};

/// What the user asks for.
pub struct Asked<'a> {
    pub kernel: &'a str,
    pub file: Option<&'a Path>,
    pub instance: Option<&'a str>,
    pub sizes: BTreeMap<String, Int>,
}

/// A comparison.
pub struct Comparison {
    pub kernel: String,
    pub instance: String,
    /// `R=12, C=3000`
    pub sizes: String,
    /// The machine of the cost model.
    pub machine: String,
    /// What counted registers, or why they are estimated.
    pub assembler: Result<String, String>,
    pub rows: Vec<Row>,
}

/// A map.
pub struct Row {
    pub name: String,
    /// `cpu`, `gpu` or `any`.
    pub on: &'static str,
    pub origin: Option<Origin>,
    pub facts: Result<Facts, Refusal>,
    /// What else is known.
    pub note: Option<String>,
}

/// Why a map is refused.
pub struct Refusal {
    pub law: String,
    pub message: String,
}

/// What is known of a map.
pub struct Facts {
    pub shape: Shape,
    /// What the cost model says of its program for a GPU.
    pub predicted: Option<Predicted>,
    /// Why there is no program.
    pub without_program: Option<String>,
    pub measured: Vec<Known>,
}

/// A prediction.
pub struct Predicted {
    pub seconds: f64,
    pub roof: String,
    /// Registers per lane, estimated.
    pub registers: usize,
    /// Those that the assembler gives; `None` if there is none.
    pub assembled: Option<Result<usize, String>>,
}

/// All maps of the kernel that the user names.
pub fn comparison(package: &Package, asked: &Asked<'_>) -> Result<Comparison, String> {
    let found = sources::find(package, asked.kernel, asked.file)?;
    let checked = check(found.tokens.clone());
    let subjects = subjects(package, &found, &checked, asked.instance)?;
    let machine = machine(package)?;
    let plain = &subjects.plain;
    let key = key(&subjects.tree, &plain.kernel().instance);
    let known = |which| all_known(&package.root, &key, &subjects.tree, which);
    let positions = 0..subjects.tree.maps.len();
    let measured: Vec<Vec<Known>> = positions.map(|k| known(Which::Map(k))).collect::<Result<_, _>>()?;
    let automatic = known(Which::Default)?;
    let named = match asked.sizes.is_empty() {
        true => {
            most_measured(measured.iter().chain([&automatic])).map_or(Ok(BTreeMap::new()), |text| parse_shown(&text))?
        }
        false => asked.sizes.clone(),
    };
    let sizes = cost_sizes(plain.kernel(), &named)?;
    let shown = shown_sizes(plain.kernel(), &sizes);
    let at_sizes = |known: &[Known]| known.iter().filter(|known| known.sizes == shown).cloned().collect::<Vec<_>>();
    let assembler = Assembler::find(package, machine.gpu.architecture);
    let judge = Judge { package, machine: &machine, sizes: &sizes, assembler: assembler.as_ref().ok() };
    let mut rows = Vec::new();
    for (position, lawful) in subjects.maps.iter().enumerate() {
        let map = &subjects.tree.maps[position];
        let (origin, facts) = match lawful {
            None => continue,
            Some(Err(refusal)) => (None, Err(Refusal { law: refusal.law.clone(), message: refusal.message.clone() })),
            Some(Ok(of)) => {
                let (origin, facts) = judge.written(of, at_sizes(&measured[position]))?;
                (Some(origin), Ok(facts))
            }
        };
        rows.push(Row { name: name(&subjects.tree, position), on: device(map.on), origin, facts, note: None });
    }
    rows.extend(judge.automatic(&subjects, at_sizes(&automatic)));
    Ok(Comparison {
        kernel: found.name,
        instance: plain.kernel().instance.to_string(),
        sizes: shown,
        machine: machine.name,
        assembler: assembler.map(|found| found.name()),
        rows,
    })
}

/// A kernel for one instance, and each of its maps on its own.
struct Subjects {
    tree: tree::Kernel,
    /// Without maps.
    plain: Lawful,
    /// By position: lawful, refused, or not for this instance.
    maps: Vec<Option<Result<Single, Refusal>>>,
}

/// A lawful map, with the kernel that it is a map of.
struct Single {
    tree: tree::Kernel,
    lawful: Lawful,
    position: usize,
}

/// Checks the kernel without maps, and each of its maps on its own: one that is refused says nothing about the others.
fn subjects(package: &Package, found: &Found, checked: &Checked, asked: Option<&str>) -> Result<Subjects, String> {
    let wrong = || does_not_compile(package, found, checked);
    let (tree, whole) = match (checked.kernels.first(), checked.faulty.first()) {
        (Some((tree, instances)), _) => (tree.clone(), Some(instances)),
        (None, Some(tree)) => (tree.clone(), None),
        (None, None) => return Err(wrong()),
    };
    let bare = tree::Kernel { maps: Vec::new(), ..tree.clone() };
    let (_, instances) = again(&bare).map_err(|_| wrong())?;
    let plain = fitting(&instances, asked)?[0].clone();
    let instance = &plain.kernel().instance;
    let same = |lawful: &&Lawful| lawful.kernel().instance.to_string() == instance.to_string();
    let maps = (0..tree.maps.len()).map(|position| match whole.and_then(|all| all.iter().find(same)) {
        Some(lawful) => lawful
            .kernel()
            .has_map(position)
            .then(|| Ok(Single { tree: tree.clone(), lawful: lawful.clone(), position })),
        None => single(&tree, instance, position),
    });
    let maps = maps.collect();
    Ok(Subjects { tree, plain, maps })
}

/// One map of a kernel that has others which are refused.
fn single(tree: &tree::Kernel, instance: &Instance, position: usize) -> Option<Result<Single, Refusal>> {
    let mut tree = of_instance(tree, instance, true);
    tree.maps = vec![tree.maps.get(position)?.clone()];
    match again(&tree) {
        Ok((tree, mut instances)) => {
            let lawful = instances.pop().filter(|lawful| lawful.kernel().has_map(0))?;
            Some(Ok(Single { tree, lawful, position: 0 }))
        }
        Err(fault) => Some(Err(Refusal { law: fault.law().to_string(), message: message(&fault) })),
    }
}

/// Checks a kernel that was taken apart. Fails with its first fault.
fn again(tree: &tree::Kernel) -> Result<(tree::Kernel, Vec<Lawful>), Fault> {
    // It was printed from a tree, so it parses.
    let mut checked = check(syntax::text(tree).parse().unwrap_or_default());
    match (checked.kernels.pop(), checked.faults.first()) {
        (Some(kernel), _) => Ok(kernel),
        (None, Some(fault)) => Err(fault.clone()),
        (None, None) => Ok((tree.clone(), Vec::new())),
    }
}

/// The time of all launches of a series.
fn together(rows: &[Row], launch: f64, measured: &[Known]) -> String {
    let predicted = |row: &Row| row.facts.as_ref().ok()?.predicted.as_ref().map(|predicted| predicted.seconds);
    let sum = rows.iter().map(predicted).sum::<Option<f64>>();
    let sum = sum.map(|sum| format!(", predicted {}", time(sum + launch * (rows.len() - 1) as f64)));
    let known = measured.iter().map(|known| format!(", measured {} on {}", time(known.seconds), known.device));
    let times: String = sum.into_iter().chain(known).collect();
    format!("no single map suits all equations: these launches run one after another{times} together")
}

/// The name of a map, or its number.
fn name(tree: &tree::Kernel, position: usize) -> String {
    let map = &tree.maps[position];
    map.name.as_ref().map_or_else(|| format!("map {}", position + 1), |name| name.text.clone())
}

fn device(on: Option<Device>) -> &'static str {
    match on {
        None => "any",
        Some(Device::Cpu) => "cpu",
        Some(Device::Gpu) => "gpu",
    }
}

/// The sizes at which most maps were measured.
fn most_measured<'k>(all: impl Iterator<Item = &'k Vec<Known>>) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for known in all.flatten() {
        *counts.entry(&known.sizes).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(sizes, _)| sizes.to_string())
}

/// What maps are judged by.
struct Judge<'a> {
    package: &'a Package,
    machine: &'a Machine,
    sizes: &'a [Int],
    assembler: Option<&'a Assembler>,
}

impl Judge<'_> {
    fn written(&self, of: &Single, measured: Vec<Known>) -> Result<(Origin, Facts), String> {
        let is_for_cpu = of.tree.maps.get(of.position).is_some_and(|map| map.on == Some(Device::Cpu));
        let target = if is_for_cpu { Target::Cpu } else { Target::Gpu };
        let (map, origin) = map_of(self.package, &of.tree, &of.lawful, Which::Map(of.position), target)?;
        Ok((origin, self.facts((&of.tree, &of.lawful, Which::Map(of.position)), &map, measured)))
    }

    /// The kernel without a map: one row, or one per launch of a series.
    fn automatic(&self, subjects: &Subjects, measured: Vec<Known>) -> Vec<Row> {
        let row =
            |name: &str, origin, facts| Row { name: name.to_string(), on: "any", origin, facts: Ok(facts), note: None };
        let of = (&subjects.tree, &subjects.plain, Which::Default);
        if let Some(Mapped { series, maps, .. }) = series(self.package, of.0, of.1, Target::Gpu) {
            let count = series.members.len();
            let parts = series.members.iter().zip(&maps).enumerate().map(|(k, (member, (map, origin)))| {
                // Only all of them together are measured.
                let facts = self.facts((&member.tree, &member.lawful, Which::Default), map, Vec::new());
                row(&format!("automatic, launch {} of {count}", k + 1), Some(*origin), facts)
            });
            let mut rows: Vec<Row> = parts.collect();
            let note = together(&rows, self.machine.gpu.timing.launch, &measured);
            rows.iter_mut().last().into_iter().for_each(|row| row.note = Some(note.clone()));
            return rows;
        }
        match map_of(self.package, of.0, of.1, of.2, Target::Gpu) {
            Ok((map, origin)) => vec![row("automatic", Some(origin), self.facts(of, &map, measured))],
            Err(why) => {
                let shape = Shape { places: 1, lanes: 1, fold: 1, warps: 1, blocks: 1, launches: 1, steps: 0 };
                vec![row("automatic", None, Facts { shape, predicted: None, without_program: Some(why), measured })]
            }
        }
    }

    fn facts(
        &self,
        (tree, lawful, which): (&tree::Kernel, &Lawful, Which),
        map: &LawfulMap,
        measured: Vec<Known>,
    ) -> Facts {
        let kernel = lawful.kernel();
        let target = if map.mapping().on == Some(Device::Cpu) { Target::Cpu } else { Target::Gpu };
        let shape = Shape::of(kernel, map, self.sizes);
        let (predicted, without_program) = match compile(kernel, map, target) {
            Ok(schedule) if target == Target::Gpu => {
                let cost = cost(&self.machine.gpu, kernel, &schedule, self.sizes, None);
                let roof = cost.time.roof.name().to_string();
                let assembled = self.assembler.map(|a| a.registers(&unit(tree, kernel, which, &schedule)));
                let (seconds, registers) = (cost.time.total, cost.registers);
                (Some(Predicted { seconds, roof, registers, assembled }), None)
            }
            Ok(_) => (None, None),
            Err(NoProgram::Obstacle(obstacle)) => (None, Some(obstacle.to_string())),
            Err(NoProgram::Broken(broken)) => (None, Some(format!("internal error: {broken}"))),
        };
        Facts { shape, predicted, without_program, measured }
    }
}
