//! The programs of a kernel: for every instance and every map that one of its types runs.
use super::passes::{Passes, passes};
use super::{Broken, NoProgram, compile};
use crate::laws::{Lawful, LawfulMap};
use crate::mapping::{Obstacle, Target, default_map, default_map_of, jammed, jammed_blocks};
use crate::model::{Device, Kernel};
use crate::schedule::{Schedule, weight};
use crate::sorted::SortedMap;
use crate::syntax::tree;
use crate::target::cpu;
use std::rc::Rc;

/// One of a kernel's maps by its position, or the default map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// The map at this position.
    Map(usize),
    /// The map that the compiler chooses.
    Default,
}

/// The map that a type of the kernel runs on a target. `named` is the position of the type's own map; the kernel's type has none
/// and runs the first map that is not marked for the other device.
pub fn which(named: Option<usize>, lawful: &Lawful, target: Target) -> Which {
    let other = match target.device() {
        Device::Cpu => Device::Gpu,
        Device::Gpu => Device::Cpu,
    };
    let fits = |map: &&LawfulMap| match named {
        Some(position) => map.mapping().position == position,
        None => map.mapping().on != Some(other),
    };
    lawful.maps().iter().find(fits).map_or(Which::Default, |map| Which::Map(map.mapping().position))
}

/// The map that `describe` of a type describes: its own, or the first.
pub fn described(named: Option<usize>, lawful: &Lawful) -> Which {
    let fits = |map: &&LawfulMap| named.is_none_or(|position| map.mapping().position == position);
    lawful.maps().iter().find(fits).map_or(Which::Default, |map| Which::Map(map.mapping().position))
}

/// A program, or why the equations run point by point.
pub type Compiled = Result<Rc<Schedule>, Obstacle>;

/// Finds the map of an instance that has none, or completes one, for a target; `None` if it runs point by point.
pub type Finder<'f> = &'f dyn Fn(&Lawful, Which, Target) -> Option<LawfulMap>;

/// All programs of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    compiled: Rc<SortedMap<(String, Which, Target), Compiled>>,
    /// The maps that were found or completed.
    found: Rc<SortedMap<(String, Which, Target), Option<LawfulMap>>>,
    /// Instances that no map suits on a CPU, and that run there in passes.
    passes: Rc<SortedMap<String, Passes>>,
}

impl Programs {
    /// Compiles every map that a type of the kernel runs on these targets, for every instance, and for a GPU also those that
    /// `describe` describes. `find` finds the maps of instances that have none. Fails where an invariant of the compiler does not
    /// hold.
    pub fn new(
        tree: &tree::Kernel,
        instances: &[Lawful],
        targets: &[Target],
        find: Finder<'_>,
    ) -> Result<Programs, Broken> {
        Programs::cut(tree, instances, targets, find, true)
    }

    /// The same. If `may_cut`, what has no program on a CPU may run in passes.
    pub fn cut(
        tree: &tree::Kernel,
        instances: &[Lawful],
        targets: &[Target],
        find: Finder<'_>,
        may_cut: bool,
    ) -> Result<Programs, Broken> {
        let named = tree.maps.iter().enumerate().filter(|(_, map)| map.name.is_some()).map(|(k, _)| Some(k));
        let types: Vec<Option<usize>> = [None].into_iter().chain(named).collect();
        let (mut compiled, mut found, mut in_passes) = (SortedMap::new(), SortedMap::new(), SortedMap::new());
        for lawful in instances {
            let instance = lawful.kernel().instance.to_string();
            // A map's `where` may exclude an instance.
            let has = |position: usize| lawful.kernel().has_map(position);
            for (named, target) in types.iter().flat_map(|named| targets.iter().map(move |target| (*named, *target))) {
                let runs = which(named, lawful, target);
                let shown = (target == Target::Gpu).then(|| described(named, lawful));
                for which in [runs].into_iter().chain(shown).filter(|_| named.is_none_or(has)) {
                    let key = (instance.clone(), which, target);
                    if !compiled.contains_key(&key) {
                        let map = match which {
                            Which::Map(position) if !lawful.kernel().open.contains(&position) => {
                                lawful.map(position, target.device())
                            }
                            // Its search proves many maps, so it runs once.
                            which => found.or_insert_with(key.clone(), |_| find(lawful, which, target)).as_ref(),
                        };
                        let by_rules = (which, target) == (Which::Default, Target::Cpu);
                        let together = if by_rules { interleaved(lawful.kernel())? } else { None };
                        let program = match together {
                            Some(program) => Ok(Rc::new(program)),
                            None => program(lawful, map, target)?,
                        };
                        if may_cut && program.is_err() && (which, target) == (Which::Default, Target::Cpu) {
                            in_passes.extend(passes(tree, lawful).map(|passes| (instance.clone(), passes)));
                        }
                        compiled.insert(key, program);
                    }
                }
            }
        }
        Ok(Programs { compiled: Rc::new(compiled), found: Rc::new(found), passes: Rc::new(in_passes) })
    }

    /// The passes in which a CPU runs an instance by this map, if it has no program.
    pub fn passes(&self, lawful: &Lawful, which: Which) -> Option<&Passes> {
        if which == Which::Default { self.passes.get(&lawful.kernel().instance.to_string()) } else { None }
    }

    /// The map of an instance on a target; `None` where it has no default map.
    pub fn map<'m>(&'m self, lawful: &'m Lawful, which: Which, target: Target) -> Option<&'m LawfulMap> {
        match which {
            Which::Map(position) if !lawful.kernel().open.contains(&position) => lawful.map(position, target.device()),
            which => self.found.get(&(lawful.kernel().instance.to_string(), which, target))?.as_ref(),
        }
    }

    /// The program of an instance for a map, or why the equations run point by point.
    pub fn get(&self, lawful: &Lawful, which: Which, target: Target) -> Compiled {
        let key = (lawful.kernel().instance.to_string(), which, target);
        self.compiled.get(&key).cloned().unwrap_or_else(|| Err(Obstacle::without_map(lawful.order())))
    }
}

/// The map of an instance as the rules choose it, without a search.
pub fn by_rules(lawful: &Lawful, which: Which, target: Target) -> Option<LawfulMap> {
    match which {
        Which::Map(position) => lawful.map(position, target.device()).cloned(),
        Which::Default => default_by_rules(lawful, target),
    }
}

/// The default map of a target. On a CPU, iterations of a loop of points that do not wait for each other are jammed where that fits
/// into the registers and does not take long to build; or else those of the loop around the innermost one.
pub fn default_by_rules(lawful: &Lawful, target: Target) -> Option<LawfulMap> {
    let map = default_map(lawful, target)?;
    Some(if target == Target::Cpu { with_jams(lawful.kernel(), map) } else { map })
}

/// A default map for a CPU with iterations jammed where that pays.
fn with_jams(kernel: &Kernel, map: LawfulMap) -> LawfulMap {
    let fits = |jammed: &LawfulMap, most: usize| {
        compile(kernel, jammed, Target::Cpu).is_ok_and(|schedule| weight(&schedule) <= most)
    };
    let blocks = jammed_blocks(kernel, &map, cpu::JAMMED_BLOCKS).filter(|map| fits(map, cpu::JAMMED_BLOCKS_WEIGHT));
    let around =
        || cpu::JAMS.iter().find_map(|by| jammed(kernel, &map, *by).filter(|map| fits(map, cpu::JAMMED_WEIGHT)));
    blocks.or_else(around).unwrap_or(map)
}

/// The program of a kernel without a map on a CPU whose interleaved loops run as one.
fn interleaved(kernel: &Kernel) -> Result<Option<Schedule>, Broken> {
    let Some(interleaved) = kernel.interleaved() else { return Ok(None) };
    let Some(map) = default_map_of(&interleaved.kernel, Target::Cpu) else { return Ok(None) };
    match compile(&interleaved.kernel, &with_jams(&interleaved.kernel, map), Target::Cpu) {
        Ok(schedule) => Ok(Some(schedule.of_interleaved(&interleaved))),
        Err(NoProgram::Obstacle(_)) => Ok(None),
        Err(NoProgram::Broken(broken)) => Err(broken),
    }
}

fn program(lawful: &Lawful, map: Option<&LawfulMap>, target: Target) -> Result<Compiled, Broken> {
    match map.map_or(Err(NoProgram::Obstacle(Obstacle::without_map(lawful.order()))), |map| {
        compile(lawful.kernel(), map, target)
    }) {
        Ok(schedule) => Ok(Ok(Rc::new(schedule))),
        Err(NoProgram::Obstacle(obstacle)) => Ok(Err(obstacle)),
        Err(NoProgram::Broken(broken)) => Err(broken),
    }
}
