//! The maps of a kernel instance as programs run them: written, completed, kept by a build, or by the macro's rules; and what the
//! cost model needs to judge them.
use crate::package::Package;
use crate::tune::{chosen_sizes, parse_sizes};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use systolic_compiler::compile::{Which, default_by_rules};
use systolic_compiler::explain::Origin;
use systolic_compiler::laws::{Lawful, LawfulMap};
use systolic_compiler::mapping::Target;
use systolic_compiler::model::{Int, Kernel};
use systolic_compiler::series::{Member, Partition, read_line};
use systolic_compiler::syntax::tree;
use systolic_compiler::target::gpu::JUDGED_ARCHITECTURE;
use systolic_compiler::target::machine_file::{self, Machine};
use systolic_compiler::{emit, fill, link};

/// One of the maps of an instance, or the one that it has without any, and where that comes from.
pub fn map_of(
    package: &Package,
    tree: &tree::Kernel,
    lawful: &Lawful,
    which: Which,
    target: Target,
) -> Result<(LawfulMap, Origin), String> {
    let kernel = lawful.kernel();
    if let Which::Map(position) = which
        && !kernel.open.contains(&position)
    {
        let map = lawful.map(position, target.device()).cloned().ok_or("internal error: the map is not there")?;
        return Ok((map, Origin::Written));
    }
    // A build script searches for GPUs only.
    if target == Target::Gpu
        && let Some(map) = kept(package, tree, lawful, which)
    {
        return Ok((map, Origin::Kept));
    }
    match which {
        Which::Map(position) => {
            let map = lawful.map(position, target.device()).cloned();
            Ok((map.ok_or("internal error: the map was not completed")?, Origin::Completed))
        }
        Which::Default => {
            let map = default_by_rules(lawful, target);
            let none = "the kernel has no map, and the macro finds none";
            let origin = if target == Target::Cpu { Origin::RulesOfCpu } else { Origin::Rules };
            Ok((map.ok_or(none)?, origin))
        }
    }
}

/// The map that a build script has found for a program, if it is in the target folder.
pub fn kept(package: &Package, tree: &tree::Kernel, lawful: &Lawful, which: Which) -> Option<LawfulMap> {
    let text = kept_text(package, &emit::key(tree, lawful.kernel(), which))?;
    fill::kept(tree, lawful, which, &text)
}

/// The groups of the series of launches that a build script has found for a kernel without a map, if it is in the target folder.
pub fn kept_partition(package: &Package, tree: &tree::Kernel, lawful: &Lawful) -> Option<Partition> {
    let key = emit::key(tree, lawful.kernel(), Which::Default);
    read_line(lawful.kernel(), &kept_text(package, &link::member_key(&key, 1))?)
}

/// The map that was found for a launch of such a series, counted from 0.
pub fn kept_member(
    package: &Package,
    tree: &tree::Kernel,
    lawful: &Lawful,
    number: usize,
    member: &Member,
) -> Option<LawfulMap> {
    let key = emit::key(tree, lawful.kernel(), Which::Default);
    let text = kept_text(package, &link::member_key(&key, number + 1))?;
    fill::kept(&member.tree, &member.lawful, Which::Default, &text)
}

/// The map that a build script has kept for a program, from the newest build.
fn kept_text(package: &Package, key: &str) -> Option<String> {
    let folders = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut newest = None;
    for profile in folders(&package.target) {
        for build in folders(&profile.join("build")) {
            let file = build.join("out").join(link::FOLDER).join(link::map_file(key));
            let Ok(time) = std::fs::metadata(&file).and_then(|data| data.modified()) else { continue };
            newest = newest.max(Some((time, file)));
        }
    }
    let text = std::fs::read_to_string(newest?.1).ok()?;
    // The first line says which machine it is for.
    text.split_once('\n').map(|(_, map)| map.to_string())
}

/// The file of the machine that was measured for a package or its workspace.
pub fn measured_machine(package: &Package) -> Option<PathBuf> {
    let files = [package.root.join(machine_file::FILE), package.workspace.join(machine_file::FILE)];
    files.into_iter().find(|file| file.is_file())
}

/// The machine of the cost: measured, if there is a file, or the H200.
pub fn machine(package: &Package) -> Result<Machine, String> {
    let Some(file) = measured_machine(package) else { return Ok(Machine::published(JUDGED_ARCHITECTURE)) };
    let text = std::fs::read_to_string(&file).map_err(|e| e.to_string());
    text.and_then(|text| machine_file::read(&text)).map_err(|why| format!("{}: {why}", file.display()))
}

/// The sizes at which the cost is predicted: arrays beyond the caches, and no more points than a GPU computes in seconds.
pub fn cost_sizes(kernel: &Kernel, named: &BTreeMap<String, Int>) -> Result<Vec<Int>, String> {
    chosen_sizes(kernel, named, Target::Gpu)
}

/// `R=12, C=3000`, as results are kept under.
pub fn parse_shown(text: &str) -> Result<BTreeMap<String, Int>, String> {
    let words: Vec<String> = text.split(", ").filter(|word| !word.is_empty()).map(String::from).collect();
    parse_sizes(&words)
}
