//! Kernels without a map that no single map suits: they run as a series of kernels, several launches on a GPU, several passes on a CPU.
use crate::maps::{kept_member, kept_partition};
use crate::package::Package;
use systolic_compiler::compile::{by_rules, compile, default_by_rules, passes, which};
use systolic_compiler::explain::Origin;
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::mapping::Target;
use systolic_compiler::series::{Partition, Series, partitions, split};
use systolic_compiler::syntax::tree;

/// A series, with the map of every part.
pub struct Mapped {
    pub partition: Partition,
    pub series: Series,
    pub maps: Vec<(LawfulMap, Origin)>,
}

/// The series as which a kernel runs; `None` if it runs as one.
pub fn series(package: &Package, tree: &tree::Kernel, lawful: &Lawful, target: Target) -> Option<Mapped> {
    match target {
        Target::Cpu => on_cpu(tree, lawful),
        Target::Gpu => kept(package, tree, lawful).or_else(|| on_gpu(tree, lawful)),
    }
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
