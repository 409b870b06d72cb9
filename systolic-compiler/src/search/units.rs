//! The units that a build script compiles: for a kernel without a map, the map that the search finds, with the next best ones.
use super::rank::{Candidate, Search};
use crate::compile::{Programs, Which, which};
use crate::emit::{self, Unit};
use crate::laws::{Lawful, LawfulMap, prove_map};
use crate::mapping::{Target, default_map};
use crate::model;
use crate::syntax::{self, print_map, tree};
use crate::target::Gpu;
use crate::target::search::ALTERNATIVES;
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
    let found: RefCell<BTreeMap<String, Found>> = RefCell::default();
    let find = |lawful: &Lawful, target: Target| {
        let result = Found::new(tree, lawful, effort);
        let map = result.lawful.clone().or_else(|| default_map(lawful, target));
        found.borrow_mut().insert(lawful.kernel().instance.to_string(), result);
        map
    };
    let Ok(programs) = Programs::new(tree, instances, &[Target::Gpu], &find) else { return Vec::new() };
    let mut units = emit::units(tree, instances, &programs);
    for lawful in instances.iter().filter(|lawful| which(None, lawful, Target::Gpu) == Which::Default) {
        let kernel = lawful.kernel();
        let key = emit::key(tree, kernel, Which::Default);
        let Some(found) = found.borrow_mut().remove(&kernel.instance.to_string()) else { continue };
        for unit in units.iter_mut().filter(|unit| unit.key == key) {
            unit.map = found.text.clone();
            let other = |(map, candidate): &(String, Candidate)| {
                let unit = emit::unit(tree, kernel, Which::Default, &candidate.schedule);
                Unit { map: Some(map.clone()), ..unit }
            };
            unit.alternatives = found.others.iter().map(other).collect();
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
    others: Vec<(String, Candidate)>,
}

impl Found {
    fn new(tree: &tree::Kernel, lawful: &Lawful, effort: Effort<'_>) -> Found {
        let kept = (effort.kept)(&emit::key(tree, lawful.kernel(), Which::Default));
        if let Some((map, text)) = kept.and_then(|text| Some((read(tree, lawful, &text)?, text))) {
            return Found { lawful: Some(map), text: Some(text), others: Vec::new() };
        }
        if !effort.search {
            return Found::default();
        }
        let mut all = Search::new(tree, lawful, effort.machine).run().into_iter();
        let Some(first) = all.next() else { return Found::default() };
        let others = all.take(ALTERNATIVES).map(|candidate| (print_map(&candidate.map), candidate)).collect();
        Found { text: Some(print_map(&first.map)), lawful: Some(first.lawful), others }
    }
}

/// A map from its text, proved like any other; `None` if it is not one of this kernel.
fn read(tree: &tree::Kernel, lawful: &Lawful, text: &str) -> Option<LawfulMap> {
    let map = read_map(tree, text)?;
    let mapping = model::resolve_map(tree, lawful.kernel(), &map)?;
    prove_map(lawful.kernel(), &mapping).ok()
}

/// A map of a kernel from its text, not proved; `None` if the text is not one.
pub fn read_map(tree: &tree::Kernel, text: &str) -> Option<tree::Map> {
    let bare = tree::Kernel { maps: Vec::new(), ..tree.clone() };
    let kernel = syntax::text(&bare);
    let (body, _) = kernel.trim_end().rsplit_once('}')?;
    let parsed = syntax::parse(format!("{body}{text}}}").parse().ok()?);
    parsed.block.kernels.into_iter().next()?.maps.into_iter().next()
}
