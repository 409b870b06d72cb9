//! The units that a build script compiles: for a kernel without a map, the map that the search finds, with the next best ones.
use super::rank::{Candidate, Search};
use crate::compile::{Programs, Which, by_rules};
use crate::emit::{self, Unit};
use crate::fill::kept;
use crate::laws::{Lawful, LawfulMap};
use crate::mapping::Target;
use crate::model::Int;
use crate::syntax::{print_clause, print_map, tree};
use crate::target::Gpu;
use crate::target::search::{ALTERNATIVES, SHOWN_ROOFS};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The text of the map that was chosen before, by the unit's key.
pub type Kept<'k> = &'k (dyn Fn(&str) -> Option<String> + Sync);

/// What to do for a kernel without a map: take the map that was kept; if there is none, search or take the first lawful one.
#[derive(Clone, Copy)]
pub struct Effort<'k> {
    pub kept: Kept<'k>,
    pub search: bool,
    /// The GPU for which maps are compared. The laws do not depend on it.
    pub machine: &'k Gpu,
}

/// The units of one lawful kernel. A broken invariant gives none: the macro reports it, on the kernel's name.
pub fn units_of(tree: &tree::Kernel, instances: &[Lawful], effort: Effort<'_>) -> Vec<Unit> {
    // By the unit's key.
    let found: RefCell<BTreeMap<String, Found>> = RefCell::default();
    let find = |lawful: &Lawful, which: Which, target: Target| {
        let key = emit::key(tree, lawful.kernel(), which);
        let result = Found::new(tree, lawful, which, effort);
        let map = result.lawful.clone().or_else(|| by_rules(lawful, which, target));
        found.borrow_mut().insert(key, result);
        map
    };
    let Ok(programs) = Programs::new(tree, instances, &[Target::Gpu], &find) else { return Vec::new() };
    let mut units = emit::units(tree, instances, &programs);
    let mut found = found.into_inner();
    for unit in &mut units {
        if let Some(found) = found.remove(&unit.key) {
            (unit.map, unit.alternatives) = (found.text, found.others);
        }
    }
    units
}

/// The result of a search.
#[derive(Default)]
struct Found {
    lawful: Option<LawfulMap>,
    /// Its map as text.
    text: Option<String>,
    /// The next best.
    others: Vec<Unit>,
}

impl Found {
    fn new(tree: &tree::Kernel, lawful: &Lawful, which: Which, effort: Effort<'_>) -> Found {
        let before = (effort.kept)(&emit::key(tree, lawful.kernel(), which));
        if let Some((map, text)) = before.and_then(|text| Some((kept(tree, lawful, which, &text)?, text))) {
            return Found { lawful: Some(map), text: Some(text), others: Vec::new() };
        }
        if !effort.search {
            return Found::default();
        }
        let mut search = match which {
            Which::Map(position) => Search::within(tree, lawful, effort.machine, position),
            Which::Default => Search::new(tree, lawful, effort.machine),
        };
        let mut all = search.run();
        all.truncate(1 + ALTERNATIVES);
        let sizes: Vec<(String, Int)> =
            search.sizes().iter().zip(&lawful.kernel().sizes).map(|(n, s)| (s.name.clone(), *n)).collect();
        let texts: Vec<String> = (0..all.len()).map(|k| text(&all, k, &sizes)).collect();
        let mut found = texts.into_iter().zip(all);
        let Some((text, first)) = found.next() else { return Found::default() };
        let other = |(text, candidate): (String, Candidate)| {
            let unit = emit::unit(tree, lawful.kernel(), which, &candidate.schedule);
            Unit { map: Some(text), ..unit }
        };
        Found { text: Some(text), lawful: Some(first.lawful), others: found.map(other).collect() }
    }
}

/// A candidate as text: its map, then in comments why it was chosen, and those that come next.
fn text(all: &[Candidate], k: usize, sizes: &[(String, Int)]) -> String {
    let mut text = print_map(&all[k].map);
    let sizes: Vec<String> = sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
    let cost = &all[k].cost;
    let mut roofs = cost.time.roofs.clone();
    roofs.sort_by(|a, b| b.1.total_cmp(&a.1));
    roofs.truncate(SHOWN_ROOFS);
    let roofs: Vec<String> = roofs.iter().map(|(roof, time)| format!("{} {}", roof.name(), us(*time))).collect();
    text += &format!("    // predicted for {}: {}\n", sizes.join(", "), us(cost.time.total));
    text += &format!("    // limits: {}; {} registers, {} warps\n", roofs.join(", "), cost.registers, cost.warps);
    for (_, other) in all.iter().enumerate().filter(|(other, _)| *other != k) {
        let clauses: Vec<String> = other.map.clauses.iter().map(|clause| print_clause(&clause.kind)).collect();
        let line = clauses.join("; ").split_whitespace().collect::<Vec<_>>().join(" ");
        text += &format!("    // runner-up, {}: {line};\n", us(other.cost.time.total));
    }
    text
}

fn us(seconds: f64) -> String {
    format!("{:.1} us", seconds * 1e6)
}
