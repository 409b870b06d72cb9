//! The units that a build script compiles: for a kernel without a map, the map that the search finds, with the next best ones.
use super::rank::{Candidate, Search};
use crate::compile::{Programs, Which, by_rules, compile};
use crate::emit::{self, Speed, Unit};
use crate::fill::kept;
use crate::laws::{Lawful, LawfulMap};
use crate::link;
use crate::mapping::Target;
use crate::model::Int;
use crate::schedule::Schedule;
use crate::syntax::{print_clause, print_map, tree};
use crate::target::Gpu;
use crate::target::search::{ALTERNATIVE_TIME, SHOWN_ROOFS, VARIANTS};
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
        let result = Found::new(&Wanted { tree, lawful, which }, effort);
        let map = result.lawful.clone().or_else(|| by_rules(lawful, which, target));
        found.borrow_mut().insert(key, result);
        map
    };
    let Ok(programs) = Programs::new(tree, instances, &[Target::Gpu], &find) else { return Vec::new() };
    let mut units = emit::units(tree, instances, &programs);
    let mut found = found.into_inner();
    let mut variants = Vec::new();
    for unit in &mut units {
        let Some(mut found) = found.remove(&unit.key) else { continue };
        if let Some(plan) = found.plan {
            unit.plan = plan;
            variants.append(&mut found.variants);
        }
        (unit.map, unit.alternatives) = (found.text, found.others);
    }
    units.extend(variants);
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
    /// Units for other sizes.
    variants: Vec<Unit>,
    /// The launch plan, if there are variants: it knows its speed.
    plan: Option<String>,
}

/// The kernel and the map that are looked for.
struct Wanted<'w> {
    tree: &'w tree::Kernel,
    lawful: &'w Lawful,
    which: Which,
}

impl Found {
    fn new(wanted: &Wanted<'_>, effort: Effort<'_>) -> Found {
        let Wanted { tree, lawful, which } = *wanted;
        if let Some(found) = wanted.kept(effort) {
            return found;
        }
        if !effort.search {
            return Found::default();
        }
        let mut search = match which {
            Which::Map(position) => Search::within(tree, lawful, effort.machine, position),
            Which::Default => Search::new(tree, lawful, effort.machine),
        };
        let all = search.run();
        let (all, variants) = search.variants(all);
        let sizes: Vec<(String, Int)> =
            search.sizes().iter().zip(&lawful.kernel().sizes).map(|(n, s)| (s.name.clone(), *n)).collect();
        let texts: Vec<String> = (0..all.len()).map(|k| text(&all, k, &sizes)).collect();
        let mut found = texts.into_iter().zip(all);
        let Some((text, first)) = found.next() else { return Found::default() };
        let other = |(text, candidate): (String, Candidate)| {
            let unit = emit::unit(tree, lawful.kernel(), which, &candidate.schedule);
            Unit { map: Some(text), ..unit }
        };
        // Local memory costs less than this.
        let longest = first.seconds() * ALTERNATIVE_TIME;
        let others = found.filter(|(_, candidate)| candidate.seconds() <= longest).map(other).collect();
        let variants = variants.iter().enumerate().map(|(k, v)| {
            let text = print_map(&v.map) + &speed_line(v.speed);
            Unit { map: Some(text), ..wanted.unit(k + 1, &v.schedule, v.speed) }
        });
        let variants: Vec<Unit> = variants.collect();
        let plan = (!variants.is_empty()).then(|| wanted.unit(0, &first.schedule, first.speed).plan);
        let text = if variants.is_empty() { text } else { text + &speed_line(first.speed) };
        Found { text: Some(text), lawful: Some(first.lawful), others, variants, plan }
    }
}

impl Wanted<'_> {
    fn unit(&self, number: usize, schedule: &Schedule, speed: Speed) -> Unit {
        emit::variant(self.tree, self.lawful.kernel(), self.which, number, schedule, speed)
    }

    /// What was found earlier.
    fn kept(&self, effort: Effort<'_>) -> Option<Found> {
        let Wanted { tree, lawful, which } = *self;
        let key = emit::key(tree, lawful.kernel(), which);
        let text = (effort.kept)(&key)?;
        let map = kept(tree, lawful, which, &text)?;
        let unit = |number: usize, text: &str, map: &LawfulMap| {
            let schedule = compile(lawful.kernel(), map, Target::Gpu).ok()?;
            Some(self.unit(number, &schedule, speed_in(text)?))
        };
        let variant = |number: usize| {
            let text = (effort.kept)(&link::variant_key(&key, number))?;
            let unit = unit(number, &text, &kept(tree, lawful, which, &text)?)?;
            Some(Unit { map: Some(text), ..unit })
        };
        let variants: Vec<Unit> = (1..=VARIANTS).filter_map(variant).collect();
        let plan = if variants.is_empty() { None } else { unit(0, &text, &map).map(|unit| unit.plan) };
        Some(Found { lawful: Some(map), text: Some(text), others: Vec::new(), variants, plan })
    }
}

/// The speed of a candidate as a comment, from which [`speed_in`] reads it again.
fn speed_line(Speed { busy, alone, resident }: Speed) -> String {
    format!("{SPEED}{busy:e} {alone:e} {resident}\n")
}

const SPEED: &str = "    // seconds per point if all is busy, and alone; blocks at a time: ";

fn speed_in(text: &str) -> Option<Speed> {
    let mut words = text.lines().find_map(|line| line.strip_prefix(SPEED))?.split(' ');
    let mut next = || words.next();
    Some(Speed { busy: next()?.parse().ok()?, alone: next()?.parse().ok()?, resident: next()?.parse().ok()? })
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
