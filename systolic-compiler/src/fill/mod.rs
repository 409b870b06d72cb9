//! Completes open maps: those that say `auto`, or `_` for a number. The clauses that are there are kept.
//!
//! ```text
//! for r, c, p, q (a filter):   map auto { tile c by _ as (cb, ci); resident 16; }
//!     given     the sketches whose loop c is tiled once become maps with the names cb and ci, and `resident 16`
//!
//! map auto { tile c by 128 as (cb, ci); lanes ci fold _; }
//!     extend    adds `blocks (r, cb);` and, for short loops, `unroll (p, q);`
//!     numbers   then `fold 4`, `fold 2`, …
//! ```
//!
//! Every map that comes out is proved by the same laws as a written one, here or by the search for a GPU.
mod extend;
mod given;
mod kept;
mod numbers;

pub use given::Given;
pub use kept::{kept, read};
pub use numbers::{Numbers, NumbersOf};

use crate::compile::default_by_rules;
use crate::fault::{Fault, Filling, LanesFact};
use crate::laws::{Lawful, LawfulMap, one_lane, prove_map};
use crate::mapping::Target;
use crate::model::{self, Kernel, Mapping, RowKind};
use crate::sketch::{Facts, structures};
use crate::sorted;
use crate::syntax::tree::{self, ClauseKind};
use crate::syntax::{print_clause, print_map};
use crate::target::effort;

/// What an open map can become.
pub enum Ways {
    /// Sketches under what the map gives.
    Sketches(Box<Given>),
    /// Maps with all clauses, whose open numbers have to be chosen.
    Numbers(Vec<NumbersOf>),
}

impl Ways {
    /// The ways to complete a map of this kernel.
    pub fn of(tree: &tree::Kernel, kernel: &Kernel, map: &tree::Map) -> Ways {
        let has = |wanted: fn(&ClauseKind) -> bool| map.clauses.iter().any(|clause| wanted(&clause.kind));
        let has_lanes = has(|kind| matches!(kind, ClauseKind::Lanes { .. }));
        let has_matrix = has(|kind| matches!(kind, ClauseKind::SpaceTime { .. }));
        if map.auto && !has_lanes && !has_matrix {
            return Ways::Sketches(Box::new(Given::new(tree, kernel, &direct(kernel, map))));
        }
        Ways::Numbers(numbers(tree, kernel, map))
    }
}

/// The map with the clause `direct`, if that changes the kernel.
fn direct(kernel: &Kernel, map: &tree::Map) -> tree::Map {
    let mut map = map.clone();
    if kernel.direct().is_some() && !map.clauses.iter().any(|clause| clause.kind == ClauseKind::Direct) {
        map.clauses.push(tree::Clause { kind: ClauseKind::Direct, at: map.at });
    }
    map
}

/// The map with the clauses that it may lack.
fn numbers(tree: &tree::Kernel, kernel: &Kernel, map: &tree::Map) -> Vec<NumbersOf> {
    let maps = if map.auto { extend::extended(tree, kernel, map) } else { vec![map.clone()] };
    maps.into_iter().map(|map| NumbersOf::new(kernel, map)).collect()
}

/// Completes all open maps of an instance, for both targets, by rules; for a GPU the search finds better ones.
pub fn fill(tree: &tree::Kernel, lawful: &mut Lawful) -> Vec<Fault> {
    let mut faults = Vec::new();
    for position in lawful.kernel().open.clone() {
        let Some(map) = tree.maps.get(position) else { continue };
        let found = match complete(tree, lawful.kernel(), map, position) {
            Ok(found) => Some(found),
            Err(_) if asks_for_nothing(map) => wished(lawful, map, position, Target::Gpu),
            Err(mut found) => {
                let name = map.name.as_ref().filter(|_| tree.maps.len() > 1);
                found.iter_mut().for_each(|fault| fault.map = name.map(|name| name.text.clone()));
                faults.append(&mut found);
                continue;
            }
        };
        let on_cpu = asks_for_nothing(map).then(|| wished(lawful, map, position, Target::Cpu)).flatten();
        lawful.complete(found, on_cpu);
    }
    faults
}

/// Whether an automatic map says nothing about places and times: it is a kernel without a map, with wishes.
fn asks_for_nothing(map: &tree::Map) -> bool {
    let is_wish = |kind: &ClauseKind| matches!(kind, ClauseKind::Resident(_) | ClauseKind::Ahead(_));
    map.auto && map.clauses.iter().all(|clause| is_wish(&clause.kind))
}

/// The default map of a target, as the map of this position and with its wishes.
fn wished(lawful: &Lawful, map: &tree::Map, position: usize, target: Target) -> Option<LawfulMap> {
    let found = default_by_rules(lawful, target)?;
    let mut mapping = Mapping { position, name: map.name.clone(), on: map.on, at: map.at, ..found.mapping().clone() };
    for clause in &map.clauses {
        let value = clause.kind.number().and_then(|n| model::number(n, &lawful.kernel().instance));
        match clause.kind {
            ClauseKind::Resident(_) => mapping.wishes.resident = value.or(mapping.wishes.resident),
            ClauseKind::Ahead(_) => mapping.wishes.ahead = value.or(mapping.wishes.ahead),
            _ => {}
        }
    }
    prove_map(lawful.kernel(), &mapping).ok()
}

/// The first way that is lawful, or the faults of the one that came furthest.
fn complete(tree: &tree::Kernel, kernel: &Kernel, map: &tree::Map, position: usize) -> Result<LawfulMap, Vec<Fault>> {
    let mut attempts = Attempts { tree, kernel, map, position, made: 0, idle: None, best: None };
    let found = match Ways::of(tree, kernel, map) {
        Ways::Sketches(given) => {
            let facts = Facts::new(given.kernel(kernel));
            let mut sketches = structures(&facts);
            sorted::sort_by_key(&mut sketches, |sketch| (sketch.goes_far(), sketch.copies(&facts.lengths)));
            let maps: Vec<tree::Map> = sketches.iter().filter_map(|sketch| given.map(kernel, sketch)).collect();
            let found = maps.iter().find_map(|map| attempts.attempt(map));
            // No sketch keeps the clauses: other maps may, or show why none does.
            if maps.is_empty() { attempts.among(&numbers(tree, kernel, map)) } else { found }
        }
        Ways::Numbers(all) => attempts.among(&all),
    };
    found.or_else(|| attempts.idle.take()).ok_or_else(|| attempts.faults())
}

/// The attempts to complete a map.
struct Attempts<'a> {
    tree: &'a tree::Kernel,
    kernel: &'a Kernel,
    map: &'a tree::Map,
    position: usize,
    made: usize,
    /// The first lawful map in which only one lane works at a time.
    idle: Option<LawfulMap>,
    /// The faults of the attempt that came furthest.
    best: Option<(usize, Vec<Fault>, tree::Map)>,
}

impl Attempts<'_> {
    /// The first lawful choice of numbers.
    fn among(&mut self, all: &[NumbersOf]) -> Option<LawfulMap> {
        let each = effort::FILLINGS / all.len().max(1);
        all.iter()
            .find_map(|numbers| numbers.choices().take(each).find_map(|choice| self.attempt(&numbers.map(&choice))))
    }

    fn attempt(&mut self, map: &tree::Map) -> Option<LawfulMap> {
        if self.made == effort::FILLINGS {
            return None;
        }
        self.made += 1;
        match proved(self.tree, self.kernel, map, self.position) {
            Ok(lawful) if !uses_lanes(&lawful) || one_lane(self.kernel, &lawful) => {
                self.idle.get_or_insert(lawful);
                None
            }
            Ok(lawful) => Some(lawful),
            Err(faults) => {
                let stage = faults.iter().map(|fault| fault.law().stage()).min().unwrap_or(0);
                if self.best.as_ref().is_none_or(|(best, ..)| stage > *best) {
                    self.best = Some((stage, faults, map.clone()));
                }
                None
            }
        }
    }

    /// Those of the best attempt. Help that would change what the user did not write is left out.
    fn faults(self) -> Vec<Fault> {
        let Some((_, mut faults, best)) = self.best else {
            return vec![Fault::new(self.map.at, LanesFact::NothingFits)];
        };
        let added = |clause: &&tree::Clause| !self.map.clauses.iter().any(|given| given.kind == clause.kind);
        let clauses = best.clauses.iter().filter(added).map(|clause| print_clause(&clause.kind)).collect();
        for fault in &mut faults {
            let (map, clauses) = (print_map(&best), Vec::clone(&clauses));
            fault.filling = Some(Filling { attempts: self.made, map, position: self.position, clauses });
            fault.help = None;
        }
        faults
    }
}

/// Whether a map has more than one lane.
fn uses_lanes(map: &LawfulMap) -> bool {
    let mut rows = map.places().rows.iter().zip(map.ranges().iter());
    rows.any(|(row, range)| row.kind == RowKind::Lane && range.is_none_or(|(low, high)| high > low))
}

/// A map of the compiler's, as the map of this position, proved by the laws.
pub fn proved(tree: &tree::Kernel, kernel: &Kernel, map: &tree::Map, position: usize) -> Result<LawfulMap, Vec<Fault>> {
    prove_map(kernel, &model::resolve_map(tree, kernel, map, position)?)
}
