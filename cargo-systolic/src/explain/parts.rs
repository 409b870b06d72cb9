//! A kernel without a map that runs as a series: several launches on a GPU, several passes on a CPU. Each part is a kernel of its own,
//! with a picture of its own.
use super::Asked;
use crate::maps::{kept_member, kept_partition};
use crate::package::Package;
use systolic_compiler::compile::{by_rules, compile, default_by_rules, passes, which};
use systolic_compiler::explain::{self, Origin, Part, Picture, explain};
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::mapping::Target;
use systolic_compiler::model::Int;
use systolic_compiler::series::{Partition, Series, name, partitions, split};
use systolic_compiler::syntax::tree;
use systolic_compiler::target::Gpu;

/// A series, with the map of every part.
struct Mapped {
    partition: Partition,
    series: Series,
    maps: Vec<(LawfulMap, Origin)>,
}

/// The pictures of the parts; `None` if the kernel runs as one.
pub fn pictures(
    package: &Package,
    asked: &Asked,
    (tree, lawful, target): (&tree::Kernel, &Lawful, Target),
    cost: (&Gpu, &[Int]),
) -> Result<Option<Vec<Picture>>, String> {
    let found = match target {
        Target::Cpu => on_cpu(tree, lawful),
        Target::Gpu => kept(package, tree, lawful).or_else(|| on_gpu(tree, lawful)),
    };
    let Some(Mapped { partition, series, maps }) = found else { return Ok(None) };
    let (kernel, count) = (lawful.kernel(), series.members.len());
    let mut sizes = asked.sizes.clone();
    let mut pictures = Vec::new();
    for (k, (member, (map, origin))) in series.members.iter().zip(&maps).enumerate() {
        let mut picture = explain(&explain::Asked {
            tree: &member.tree,
            lawful: &member.lawful,
            which: which(None, &member.lawful, target),
            target,
            map,
            origin: *origin,
            sizes: &sizes,
            cost,
            pictures: count,
        })?;
        // All parts are drawn at the sizes of the first.
        sizes.extend(picture.sizes.iter().cloned());
        let names = |all: &[usize]| all.iter().map(|k| series.between[*k].name.clone()).collect();
        picture.kernel = kernel.name.text.clone();
        picture.instance = kernel.instance.to_string();
        picture.part = Some(Part {
            number: k + 1,
            count,
            computes: partition[k].iter().map(|node| name(kernel, node).to_string()).collect(),
            takes: names(&member.reads),
            leaves: names(&member.stores),
            word: if target == Target::Cpu { "pass" } else { "launch" },
            predicted: None,
            measured: None,
        });
        pictures.push(picture);
    }
    Ok(Some(pictures))
}

/// The passes of a CPU, where one program does not do.
fn on_cpu(tree: &tree::Kernel, lawful: &Lawful) -> Option<Mapped> {
    let kernel = lawful.kernel();
    if default_by_rules(lawful, Target::Cpu).is_some_and(|map| compile(kernel, &map, Target::Cpu).is_ok()) {
        return None;
    }
    let passes = passes(tree, lawful)?;
    let maps = maps_of(&passes.series, Target::Cpu)?;
    Some(Mapped { partition: passes.partition, series: passes.series, maps })
}

/// The launches of a GPU, where there is no single map: the first way to cut the kernel in which every part has one.
fn on_gpu(tree: &tree::Kernel, lawful: &Lawful) -> Option<Mapped> {
    if default_by_rules(lawful, Target::Gpu).is_some() {
        return None;
    }
    partitions(lawful.kernel()).into_iter().find_map(|partition| {
        let series = split(tree, lawful.kernel(), &partition)?;
        let maps = maps_of(&series, Target::Gpu)?;
        Some(Mapped { partition, series, maps })
    })
}

/// The maps of the parts by the rules of the macro.
fn maps_of(series: &Series, target: Target) -> Option<Vec<(LawfulMap, Origin)>> {
    let origin = if target == Target::Cpu { Origin::RulesOfCpu } else { Origin::Rules };
    let map = |lawful: &Lawful| Some((by_rules(lawful, which(None, lawful, target), target)?, origin));
    series.members.iter().map(|member| map(&member.lawful)).collect()
}

/// The series that a build script has found.
fn kept(package: &Package, tree: &tree::Kernel, lawful: &Lawful) -> Option<Mapped> {
    let partition = kept_partition(package, tree, lawful)?;
    let series = split(tree, lawful.kernel(), &partition)?;
    let map = |(k, member)| Some((kept_member(package, tree, lawful, k, member)?, Origin::Kept));
    let maps = series.members.iter().enumerate().map(map).collect::<Option<_>>()?;
    Some(Mapped { partition, series, maps })
}

/// What a part is, in a sentence.
pub fn words(part: &Part) -> String {
    let Part { number, count, computes, takes, leaves, word, .. } = part;
    let plural = if *word == "pass" { "passes" } else { "launches" };
    let list = |all: &[String]| all.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "no single map suits all equations, so they run as {count} {plural}, one after another; this is {word} {number}, \
         which computes {}",
        list(computes)
    );
    if !takes.is_empty() {
        text += &format!(", reads {} from before", list(takes));
    }
    if !leaves.is_empty() {
        text += &format!(", and leaves {} in memory for later", list(leaves));
    }
    text + "."
}

/// The predicted time of all launches together, with what each launch after the first takes to begin.
pub fn together(pictures: &[Picture], launch: f64) -> Option<f64> {
    let all = pictures.iter().map(|picture| picture.cost.as_ref().map(|cost| cost.seconds)).sum::<Option<f64>>()?;
    Some(all + launch * (pictures.len() - 1) as f64)
}
