//! The programs of a kernel: for every instance and every map that one of its types runs.
use super::{Broken, NoProgram, compile};
use crate::laws::{Lawful, LawfulMap};
use crate::mapping::{Obstacle, Target, default_map};
use crate::model::Device;
use crate::schedule::Schedule;
use crate::syntax::tree;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
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
    let other = match target {
        Target::Cpu => Device::Gpu,
        Target::Gpu => Device::Cpu,
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

/// All programs of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    compiled: Rc<BTreeMap<(String, Which, Target), Compiled>>,
    /// The default map of every instance that runs it, by the instance.
    defaults: Rc<BTreeMap<String, Option<LawfulMap>>>,
}

impl Programs {
    /// Compiles every map that a type of the kernel runs on these targets, for every instance, and for a GPU also those that
    /// `describe` describes. Fails where an invariant of the compiler does not hold.
    pub fn new(tree: &tree::Kernel, instances: &[Lawful], targets: &[Target]) -> Result<Programs, Broken> {
        let named = tree.maps.iter().enumerate().filter(|(_, map)| map.name.is_some()).map(|(k, _)| Some(k));
        let types: Vec<Option<usize>> = [None].into_iter().chain(named).collect();
        let (mut compiled, mut defaults) = (BTreeMap::new(), BTreeMap::new());
        for lawful in instances {
            let instance = lawful.kernel().instance.to_string();
            // A map's `where` may exclude an instance.
            let has = |position: usize| lawful.kernel().maps.iter().any(|map| map.position == position);
            for (named, target) in types.iter().flat_map(|named| targets.iter().map(move |target| (*named, *target))) {
                let runs = which(named, lawful, target);
                let shown = (target == Target::Gpu).then(|| described(named, lawful));
                for which in [runs].into_iter().chain(shown).filter(|_| named.is_none_or(has)) {
                    if let Entry::Vacant(entry) = compiled.entry((instance.clone(), which, target)) {
                        let map = match which {
                            Which::Map(position) => map_at(lawful, position),
                            // Its search proves many maps, so it runs once.
                            Which::Default => {
                                defaults.entry(instance.clone()).or_insert_with(|| default_map(lawful)).as_ref()
                            }
                        };
                        entry.insert(program(lawful, map, target)?);
                    }
                }
            }
        }
        Ok(Programs { compiled: Rc::new(compiled), defaults: Rc::new(defaults) })
    }

    /// The map of an instance; `None` where it has no default map.
    pub fn map<'m>(&'m self, lawful: &'m Lawful, which: Which) -> Option<&'m LawfulMap> {
        match which {
            Which::Map(position) => map_at(lawful, position),
            Which::Default => self.defaults.get(&lawful.kernel().instance.to_string())?.as_ref(),
        }
    }

    /// The program of an instance for a map, or why the equations run point by point.
    pub fn get(&self, lawful: &Lawful, which: Which, target: Target) -> Compiled {
        let key = (lawful.kernel().instance.to_string(), which, target);
        self.compiled.get(&key).cloned().unwrap_or(Err(Obstacle::NoMap))
    }
}

fn map_at(lawful: &Lawful, position: usize) -> Option<&LawfulMap> {
    lawful.maps().iter().find(|map| map.mapping().position == position)
}

fn program(lawful: &Lawful, map: Option<&LawfulMap>, target: Target) -> Result<Compiled, Broken> {
    match map.map_or(Err(NoProgram::Obstacle(Obstacle::NoMap)), |map| compile(lawful.kernel(), map, target)) {
        Ok(schedule) => Ok(Ok(Rc::new(schedule))),
        Err(NoProgram::Obstacle(obstacle)) => Ok(Err(obstacle)),
        Err(NoProgram::Broken(broken)) => Err(broken),
    }
}
