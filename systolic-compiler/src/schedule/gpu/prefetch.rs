//! Prefetching: issues the loads of a step some steps before their use, so that the step does not wait for memory.
//!
//! ```text
//! before                          after, with distance 2 and unroll factor 2
//!
//! for t in 0..=99                 a = load x[0]; b = load x[1]
//!     v = load x[t]               for t in 0..=99 by 2
//!     store out[t] = f(v)             v = a; a = load x[min(t + 2, 99)]; store out[t] = f(v)
//!                                     w = b; b = load x[min(t + 3, 99)]; store out[t + 1] = f(w)
//! ```
//!
//! Unrolling by the distance gives every copy of the step registers of its own, so that no loaded value moves from register to
//! register. A section that loads the same as the one before continues with its loads: memory is waited for once. Only for a
//! GPU; on a CPU the hardware prefetches.
use crate::mapping::Target;
use crate::model::Int;
use crate::planted::planted;
use crate::program::{Condition, Operation, Program, ValueId, is_load_from_memory, range};
use crate::schedule::{Line, Past, Prefetch, Section, Step, Version, Wide};
use crate::target::tuning::PrefetchWay;
use crate::target::{GPU, tuning};
use std::collections::HashSet;

/// A load as it is issued.
#[derive(Clone, Copy, Debug)]
pub enum Access<'s> {
    /// One element.
    One(&'s Line),
    /// Neighbours, by one access.
    Wide(&'s Wide),
}

/// The loads from memory of a step. A wide access stands where the first of its lines does.
pub fn accesses<'s>(program: &Program, step: &'s Step) -> Vec<Access<'s>> {
    let mut found = Vec::new();
    for (n, line) in
        step.lines.iter().enumerate().filter(|(_, line)| is_load_from_memory(program, &line.inst.operation))
    {
        match step.wide_load(n) {
            None => found.push(Access::One(line)),
            Some(wide) if wide.members.iter().min() == Some(&n) => found.push(Access::Wide(wide)),
            Some(_) => {}
        }
    }
    found
}

impl Step {
    /// The wide access that loads line `n`.
    pub fn wide_load(&self, n: usize) -> Option<&Wide> {
        self.wide_loads.iter().find(|wide| wide.members.contains(&n))
    }
}

impl<'s> Access<'s> {
    /// The lines that it loads, in the order of memory.
    pub fn lines(&self, step: &'s Step) -> Vec<&'s Line> {
        match self {
            Access::One(line) => vec![line],
            Access::Wide(wide) => wide.members.iter().map(|n| &step.lines[*n]).collect(),
        }
    }
}

/// Decides how every section loads.
pub fn prefetch(program: &Program, versions: &mut [Version]) {
    if program.target != Target::Gpu {
        return;
    }
    for (k, version) in versions.iter_mut().enumerate() {
        if !program.frame.loops.is_empty() {
            // In a wavefront most blocks run the sections in which lanes begin and end.
            let everywhere = program.wavefront && k == 0;
            version.sections.iter_mut().for_each(|section| choose_distance(program, section, everywhere));
            start_early(program, &mut version.sections);
        }
        for section in &mut version.sections {
            section.prefetch.loads_first = loads_first(program, section, k == 0);
            section.prefetch.early = early(program, &section.step);
            section.prefetch_64 = nearer(&section.prefetch);
        }
        find_continued(program, &mut version.sections, |section| &mut section.prefetch);
        find_continued(program, &mut version.sections, |section| &mut section.prefetch_64);
    }
}

/// Sets the distance and the unroll factor of a section: those that the map asks for with `ahead`, or the best that fit.
/// `everywhere`: also for sections at the ends of the loop.
fn choose_distance(program: &Program, section: &mut Section, everywhere: bool) {
    if !is_long(section) {
        return;
    }
    let step = &section.step;
    let alone = step.wide_loads.iter().any(|wide| wide.when != Condition::True);
    let ways = match section.at_edge && !everywhere {
        true if alone => &tuning::PREFETCH_ALONE_AT_EDGES[..],
        true => &tuning::PREFETCH_AT_EDGES[..],
        false => &tuning::PREFETCH_WAYS[..],
    };
    let (loaded, length, carried) = (loaded_words(program, step), instructions(step), program.carried_words() as usize);
    let fits = |way: &&PrefetchWay| {
        let most_words = way.most_words * program.room() / GPU.lane_registers as usize;
        way.unroll * length <= way.longest && carried + (way.distance + 1) * loaded <= most_words
    };
    let way = match program.wishes.ahead {
        Some(0) => None,
        Some(wish) if ways.len() > 1 => Some(wished(wish, length)),
        _ => ways.iter().find(fits).map(|way| (way.distance, way.unroll)),
    };
    if let Some((distance, unroll)) = way.filter(|_| loaded > 0) {
        (section.prefetch.distance, section.prefetch.unroll) = (distance, unroll);
    }
}

/// The distance that the map asks for, unrolled as often, so that no loaded value moves from register to register; not unrolled
/// where that exceeds the instruction cache.
fn wished(ahead: Int, length: usize) -> (usize, usize) {
    let distance = ahead.min(tuning::AHEAD_IN_REGISTERS) as usize;
    (distance, if distance * length <= tuning::UNROLLED_INSTRUCTIONS { distance.max(1) } else { 1 })
}

/// A short section before a long one with the same loads prefetches as far: the long one continues with its loads.
fn start_early(program: &Program, sections: &mut [Section]) {
    for k in (1..sections.len()).rev() {
        let (before, after) = sections.split_at_mut(k);
        let (Some(short), Some(next)) = (before.last_mut(), after.first()) else { continue };
        let same_loads = || load_lines(program, &short.step).eq(load_lines(program, &next.step));
        if short.prefetch.distance == 0 && !is_long(short) && next.step.streams.is_none() && same_loads() {
            short.prefetch.distance = next.prefetch.distance;
        }
    }
}

/// Whether a step without prefetched loads issues all of its loads first. That takes registers. Boundary blocks may use at most
/// half of them, so that they do not limit interior blocks.
fn loads_first(program: &Program, section: &Section, is_first_version: bool) -> bool {
    let half = tuning::FETCHED_WORDS.min(program.room() / 2);
    let most = if is_first_version { tuning::FETCHED_WORDS } else { half };
    loaded_words(program, &section.step) <= most
}

/// The lines that only select among loaded values and send them to other lanes.
fn early(program: &Program, step: &Step) -> Vec<usize> {
    let mut early = Vec::new();
    let mut known: HashSet<ValueId> = HashSet::new();
    for (n, line) in step.lines.iter().enumerate() {
        let operation = &line.inst.operation;
        let sends = matches!(operation, Operation::Select(..) | Operation::Shuffle { .. } | Operation::Rotate { .. });
        let is_ready = |id: &ValueId| known.contains(id) || planted(58);
        if is_load_from_memory(program, operation) {
            known.insert(line.id);
        } else if sends && line.guard == Condition::True && operation.operands().iter().all(is_ready) {
            known.insert(line.id);
            early.push(n);
        }
    }
    early
}

/// The same at a smaller distance: indices of 64 bits take the registers that a larger distance would need.
fn nearer(prefetch: &Prefetch) -> Prefetch {
    if prefetch.distance <= tuning::AHEAD_WITH_64_BITS {
        return prefetch.clone();
    }
    let (distance, unroll) = (tuning::AHEAD_WITH_64_BITS, prefetch.unroll.min(tuning::AHEAD_WITH_64_BITS));
    Prefetch { distance, unroll, ..prefetch.clone() }
}

/// Marks the sections that continue with the loads of the one before: the same loads, as far ahead.
fn find_continued(program: &Program, sections: &mut [Section], of: impl Fn(&mut Section) -> &mut Prefetch) {
    for k in 1..sections.len() {
        let (before, distance) = (of(&mut sections[k - 1]).distance, of(&mut sections[k]).distance);
        let same_loads = || are_alike(program, &sections[k - 1].step, &sections[k].step) || planted(59);
        // Streams load for themselves.
        let is_stream = |section: &Section| section.step.streams.is_some();
        let streams = is_stream(&sections[k - 1]) || is_stream(&sections[k]);
        let continues = distance > 0 && before == distance && !streams && same_loads();
        of(&mut sections[k]).continues = continues;
    }
}

/// Whether two steps issue the same loads into the same values.
fn are_alike(program: &Program, a: &Step, b: &Step) -> bool {
    let of = |step| accesses(program, step).into_iter().map(|access| issued(access, step)).collect::<Vec<_>>();
    of(a) == of(b)
}

/// What decides the code of a load.
#[derive(PartialEq, Eq)]
struct Issued<'s> {
    lines: Vec<LoadedValue<'s>>,
    /// Of a wide access: where it runs, where it is needed, the axes along which the border applies, and the sides.
    wide: Option<(&'s Condition, &'s Condition, &'s [usize], Past)>,
}

/// A value, its load, where it is needed, and along which axes the border applies.
type LoadedValue<'s> = (ValueId, &'s Operation, &'s Condition, Vec<bool>);

fn issued<'s>(access: Access<'s>, step: &'s Step) -> Issued<'s> {
    let value = |line: &'s Line| -> LoadedValue<'s> {
        let inst = &line.inst;
        let applied = (0..inst.inside.len()).map(|axis| inst.leads_back(axis)).collect();
        (line.id, &inst.operation, &inst.needed, applied)
    };
    let wide = match access {
        Access::One(_) => None,
        Access::Wide(wide) => Some((&wide.when, &wide.guard, wide.back.as_slice(), wide.past)),
    };
    Issued { lines: access.lines(step).into_iter().map(value).collect(), wide }
}

fn is_long(section: &Section) -> bool {
    range(&section.low, &section.high).is_none_or(|(low, high)| high - low + 1 >= tuning::PREFETCHED_LOOP)
}

/// Words per lane that a step loads from memory.
fn loaded_words(program: &Program, step: &Step) -> usize {
    load_lines(program, step).map(|l| l.inst.ty.words()).sum()
}

/// The lines that load from memory.
fn load_lines<'s>(program: &Program, step: &'s Step) -> impl Iterator<Item = &'s Line> {
    step.lines.iter().filter(|l| is_load_from_memory(program, &l.inst.operation))
}

fn instructions(step: &Step) -> usize {
    step.operations() + 2 * step.stores.len()
}

impl Section {
    /// How it loads with indices of this width.
    pub fn prefetch(&self, has_64_bits: bool) -> &Prefetch {
        if has_64_bits { &self.prefetch_64 } else { &self.prefetch }
    }
}

impl Prefetch {
    /// Whether every copy of an unrolled loop has slots of its own, so that no loaded value moves: their number is a multiple of
    /// the distance.
    pub fn takes_turns(&self) -> bool {
        self.distance > 0 && self.unroll.is_multiple_of(self.distance)
    }
}
