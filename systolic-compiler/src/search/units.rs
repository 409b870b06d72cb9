//! The units that a build script compiles: for a kernel without a map, the map that the search finds, with the next best ones.
use super::rank::{Candidate, Search, complete};
use super::series::{self, FoundSeries};
use crate::compile::{Programs, Which, by_rules, compile};
use crate::emit::{self, Speed, Unit};
use crate::fill::kept;
use crate::laws::{Lawful, LawfulMap};
use crate::link;
use crate::mapping::Target;
use crate::model::Int;
use crate::schedule::Schedule;
use crate::series::{Member, Partition, line, read_line, split};
use crate::sorted::SortedMap;
use crate::syntax::{print_clause, print_map, tree};
use crate::target::Gpu;
use crate::target::search::{ALTERNATIVE_TIME, SHOWN_ROOFS, VARIANTS};
use std::cell::RefCell;

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
    let found: RefCell<SortedMap<String, Found>> = RefCell::default();
    let series: RefCell<SortedMap<String, Vec<Unit>>> = RefCell::default();
    let find = |lawful: &Lawful, which: Which, target: Target| {
        let key = emit::key(tree, lawful.kernel(), which);
        let mut result = Found::new(&Wanted { tree, lawful, which }, effort);
        series.borrow_mut().insert(key.clone(), std::mem::take(&mut result.series));
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
    // By the key of the kernel: one without a map has no other unit.
    units.extend(series.into_inner().into_values().flatten());
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
    /// The units of a series of launches, which runs instead for large sizes, or because there is no map.
    series: Vec<Unit>,
    /// The launch plan, if there are variants or a series: it knows its speed.
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
        let series = match which {
            Which::Default => {
                let single = all.first().map(Candidate::rank);
                series::find(tree, lawful, effort.machine, search.sizes(), single)
            }
            Which::Map(_) => None,
        };
        let (all, variants) = search.variants(all);
        let sizes: Vec<(String, Int)> =
            search.sizes().iter().zip(&lawful.kernel().sizes).map(|(n, s)| (s.name.clone(), *n)).collect();
        let texts: Vec<String> = (0..all.len()).map(|k| text(&all, k, &sizes)).collect();
        let series = series.map(|found| wanted.series(found, effort.machine, &sizes, all.is_empty()));
        let series = series.unwrap_or_default();
        let mut found = texts.into_iter().zip(all);
        let Some((text, first)) = found.next() else { return Found { series, ..Found::default() } };
        let is_alone = variants.is_empty() && series.is_empty();
        // Beside variants or a series every plan knows its speed.
        let with_speed = |text: String, speed: Speed| if is_alone { text } else { text + &speed_line(speed) };
        let other = |(text, candidate): (String, Candidate)| {
            let unit = match is_alone {
                true => emit::unit(tree, lawful.kernel(), which, &candidate.schedule),
                false => wanted.unit(0, &candidate.schedule, candidate.speed),
            };
            Unit { map: Some(with_speed(text, candidate.speed)), ..unit }
        };
        // Local memory costs less than this.
        let longest = first.seconds() * ALTERNATIVE_TIME;
        let others = found.filter(|(_, candidate)| candidate.seconds() <= longest).map(other).collect();
        let variants = variants.iter().enumerate().map(|(k, v)| {
            let text = print_map(&v.map) + &speed_line(v.speed);
            Unit { map: Some(text), ..wanted.unit(k + 1, &v.schedule, v.speed) }
        });
        let variants: Vec<Unit> = variants.collect();
        let plan = (!is_alone).then(|| wanted.unit(0, &first.schedule, first.speed).plan);
        let text = with_speed(text, first.speed);
        Found { text: Some(text), lawful: Some(first.lawful), others, variants, series, plan }
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
        let (series, is_alone) = self.kept_series(&key, effort).unwrap_or_default();
        let Some(text) = (effort.kept)(&key) else {
            // A kernel that has nothing but its series.
            return is_alone.then(|| Found { series, ..Found::default() });
        };
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
        let is_alone = variants.is_empty() && series.is_empty();
        let plan = if is_alone { None } else { unit(0, &text, &map).map(|unit| unit.plan) };
        Some(Found { lawful: Some(map), text: Some(text), others: Vec::new(), variants, series, plan })
    }

    /// The units of a series that was found.
    fn series(&self, found: FoundSeries, machine: &Gpu, sizes: &[(String, Int)], is_alone: bool) -> Vec<Unit> {
        let FoundSeries { partition, series, members, .. } = found;
        let complete = |(member, all): (&Member, Vec<Candidate>)| complete(member.lawful.kernel(), all);
        let members: Vec<Vec<Candidate>> = series.members.iter().zip(members).map(complete).collect();
        let units = |k: usize| -> Option<Vec<Unit>> {
            // A member with fewer candidates has its best again.
            let chosen: Option<Vec<&Candidate>> = members.iter().map(|all| all.get(k).or(all.first())).collect();
            let programs: Vec<(&Schedule, Speed)> = chosen?.iter().map(|c| (&c.schedule, c.speed)).collect();
            Some(emit::members(self.tree, self.lawful.kernel(), &series, &programs, machine.timing.launch))
        };
        let Some(mut first) = units(0) else { return Vec::new() };
        let written = |member: usize, k: usize| {
            let map = text(&members[member], k, sizes) + &speed_line(members[member][k].speed);
            map + &self.heading(member, &partition, is_alone)
        };
        for (member, unit) in first.iter_mut().enumerate() {
            let longest = members[member][0].seconds() * ALTERNATIVE_TIME;
            let others = (1..members[member].len()).filter(|k| members[member][*k].seconds() <= longest);
            let other = |k: usize| Some(Unit { map: Some(written(member, k)), ..units(k)?.swap_remove(member) });
            unit.alternatives = others.filter_map(other).collect();
            unit.map = Some(written(member, 0));
        }
        first
    }

    /// What stands beside the map of a member: the first one has the groups of all.
    fn heading(&self, member: usize, partition: &Partition, is_alone: bool) -> String {
        match member {
            0 => line(self.lawful.kernel(), partition) + if is_alone { ALONE } else { "" },
            _ => String::new(),
        }
    }

    /// The series that was found earlier, and whether there is no single map beside it.
    fn kept_series(&self, key: &str, effort: Effort<'_>) -> Option<(Vec<Unit>, bool)> {
        if self.which != Which::Default {
            return None;
        }
        let texts = |k: usize| (effort.kept)(&link::member_key(key, k + 1));
        let first = texts(0)?;
        let partition = read_line(self.lawful.kernel(), &first)?;
        let series = split(self.tree, self.lawful.kernel(), &partition)?;
        let member = |(k, member): (usize, &Member)| {
            let text = texts(k)?;
            let map = kept(&member.tree, &member.lawful, Which::Default, &text)?;
            let schedule = compile(member.lawful.kernel(), &map, Target::Gpu).ok()?;
            Some((schedule, speed_in(&text)?, text))
        };
        let found = series.members.iter().enumerate().map(member).collect::<Option<Vec<_>>>()?;
        let programs: Vec<(&Schedule, Speed)> = found.iter().map(|(schedule, speed, _)| (schedule, *speed)).collect();
        let launch = effort.machine.timing.launch;
        let mut units = emit::members(self.tree, self.lawful.kernel(), &series, &programs, launch);
        units.iter_mut().zip(&found).for_each(|(unit, (_, _, text))| unit.map = Some(text.clone()));
        Some((units, first.lines().any(|line| line == ALONE.trim_end_matches('\n'))))
    }
}

/// Stands beside the groups of a series that runs for all sizes.
const ALONE: &str = "    // no map does all in one launch\n";

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
