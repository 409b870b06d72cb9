//! Sections: cuts the innermost loop of every version where comparisons of the time become decided.
//!
//! ```text
//! before                                   after
//!
//! for t in 0..=N + 31                      for t in 0..=30                prologue
//!     v = load x[t - lane]                     v = load x[t - lane] if t - lane >= 0
//!         if t - lane >= 0                 for t in 31..=N - 1            steady state: nothing is compared
//!         and N - 1 - t + lane >= 0            v = load x[t - lane]
//!                                          for t in N..=N + 31            epilogue
//!                                              v = load x[t - lane] if N - 1 - t + lane >= 0
//! ```
//!
//! Comparisons with sizes or blocks are decided later in boundary blocks than in others, comparisons with numbers at the same time
//! in all. The first kind gets a prologue of its own, the boundary prologue, which most blocks skip.
use super::region::{Region, regions};
use super::sample::Sample;
use super::specialise::{Facts, specialise};
use super::{Section, Version, is_heavy};
use crate::mapping::{Atom, Bound, PlaceForm, Target};
use crate::model::Int;
use crate::planted::planted;
use crate::program::{Condition, Program, level_of_form};
use crate::target::tuning;
use std::collections::HashSet;

/// The only version of a program for a CPU, cut into sections.
pub fn sections(program: &Program) -> Vec<Version> {
    let (version, _) = cut(program, Condition::True, Facts::new(), &HashSet::new(), false);
    vec![version]
}

/// A comparison and the region around the middle time in which it is decided.
type Decided = (Condition, Region);

/// Cuts the loop of the version that runs `when` and there knows some facts. Comparisons in `left` are left to the borders of their
/// arrays. If `is_whole`, the loop stays one section. Returns also which section is the steady state.
pub fn cut(
    program: &Program,
    when: Condition,
    mut known: Facts,
    left: &HashSet<Condition>,
    is_whole: bool,
) -> (Version, usize) {
    known.extend(left.iter().filter(|_| planted(67)).map(|c| (c.clone(), true)));
    let section = |low: Bound, high: Bound, facts: &Facts| {
        let facts = known.iter().chain(facts).map(|(c, holds)| (c.clone(), *holds)).collect();
        Section::new(low, high, specialise(program, &facts))
    };
    let single = |low: Bound, high: Bound| {
        let sections = vec![section(low, high, &Facts::new())];
        (Version { when: when.clone(), sections }, 0)
    };
    let Some(inner) = program.frame.loops.last() else { return single(Bound::number(0), Bound::number(0)) };
    let (frame, middle) = (&program.frame, Sample::new(&program.frame));
    let is_open = |c: &Condition| !known.contains_key(c) && !left.contains(c);
    let comparisons: Vec<Condition> = timed_comparisons(program).into_iter().filter(is_open).collect();
    let around_middle = |c: &Condition| regions(frame, c).into_iter().find(|r| middle.is_in(r));
    let steady: Vec<Decided> = comparisons.iter().filter_map(|c| Some((c.clone(), around_middle(c)?))).collect();
    let long = program.values.len() > tuning::SPLIT_OPERATIONS || program.target == Target::Cpu && is_heavy(program);
    if steady.is_empty() || long || is_whole {
        return single(inner.first().clone(), inner.last().clone());
    }
    // On a CPU there is one version, and every block may be a boundary block.
    let at_edges = |c: &Condition| program.target == Target::Cpu || is_placed(c);
    let last_steady = last_time(&steady);
    let steady_facts: Facts = facts_of(&steady);
    let (placed, numbers): (Vec<_>, Vec<_>) = steady.into_iter().partition(|(c, _)| at_edges(c));
    // The comparisons that are decided from one time to another, where both are numbers.
    let decided = |low: &Bound, high: &Bound| -> Facts {
        let (Some(low), Some(high)) = (low.constant(), high.constant()) else { return Facts::new() };
        let always = |c: &Condition| regions(frame, c).into_iter().find(|r| r.covers(low, high)).map(|r| r.holds);
        comparisons.iter().filter_map(|c| Some((c.clone(), always(c)?))).collect()
    };
    let (low, high) = (inner.first(), inner.last());
    let mut sections = Vec::new();
    let mut start = low.clone();
    if let Some(first) = first_time(&placed) {
        let last = first.plus(-1);
        if !is_empty(&start, &last) {
            let facts = decided(&start, &last);
            let end = least([Some(high), Some(&last)]).unwrap_or(last);
            sections.push(Section { at_edge: true, ..section(start.clone(), end, &facts) });
        }
        start = greatest(start, first);
    }
    // In a boundary block the steady state may end before the prologue does.
    let ends = last_steady.as_ref().filter(|_| !placed.is_empty());
    let after_boundary = start.clone();
    if let Some(first) = first_time(&numbers) {
        let last = first.plus(-1);
        if !is_empty(low, &last) {
            let mut facts: Facts = facts_of(&placed);
            facts.extend(decided(low, &last));
            let end = least([Some(high), Some(&last), ends]).unwrap_or(last);
            sections.push(section(start.clone(), end, &facts));
        }
        let begins = least([Some(&first), ends.map(|last| last.plus(1)).as_ref()]).unwrap_or(first);
        start = greatest(start, begins);
    }
    let epilogue_start = if placed.is_empty() { start.clone() } else { after_boundary };
    let end = least([Some(high), last_steady.as_ref()]).unwrap_or(high.clone());
    let steady = sections.len();
    sections.push(section(start, end, &steady_facts));
    if let Some(last) = &last_steady {
        let first = last.plus(1);
        if !is_empty(&first, high) {
            let facts = if planted(65) { steady_facts } else { decided(&first, high) };
            let start = greatest(epilogue_start, first);
            sections.push(Section { at_edge: !placed.is_empty(), ..section(start, high.clone(), &facts) });
        }
    }
    (Version { when: when.clone(), sections }, steady)
}

/// What is known where all these comparisons are decided.
fn facts_of(decided: &[Decided]) -> Facts {
    decided.iter().map(|(c, region)| (c.clone(), region.holds != planted(37))).collect()
}

/// The first time at which all these comparisons are decided; `None` if they are from the beginning.
fn first_time(decided: &[Decided]) -> Option<Bound> {
    let first = Bound::greatest(decided.iter().filter_map(|(_, r)| r.low.clone()));
    first.map(|b| b.plus(-Int::from(planted(38))))
}

/// The last time at which all these comparisons are decided; `None` if they are to the end.
fn last_time(decided: &[Decided]) -> Option<Bound> {
    let last = Bound::least(decided.iter().filter_map(|(_, r)| r.high.clone()));
    last.map(|b| b.plus(Int::from(planted(39))))
}

/// The least of those bounds that there are.
fn least<const N: usize>(bounds: [Option<&Bound>; N]) -> Option<Bound> {
    Bound::least(bounds.into_iter().flatten().cloned())
}

fn greatest(a: Bound, b: Bound) -> Bound {
    Bound::greatest([a.clone(), b]).unwrap_or(a)
}

/// Whether a form depends on sizes or blocks.
pub fn is_of_place(form: &PlaceForm) -> bool {
    form.mentions(&|a| matches!(a, Atom::Size(_) | Atom::Block(_)))
}

/// Whether a comparison depends on sizes or blocks.
fn is_placed(condition: &Condition) -> bool {
    let mut placed = false;
    condition.each_form(&mut |form| placed |= is_of_place(form));
    placed
}

/// Whether a range of times is empty whatever the sizes are.
fn is_empty(low: &Bound, high: &Bound) -> bool {
    matches!((low.constant(), high.constant()), (Some(low), Some(high)) if low > high)
}

/// The comparisons of the body that depend on the time of the innermost loop, each once.
fn timed_comparisons(program: &Program) -> Vec<Condition> {
    let innermost = program.frame.loops.len();
    let mut found: Vec<Condition> = Vec::new();
    let mut seen = HashSet::new();
    let mut note = |condition: &Condition| {
        condition.each(&mut |c| {
            let timed = match c {
                Condition::AtLeast(form) | Condition::Zero(form) => level_of_form(form) == innermost,
                _ => false,
            };
            if timed && seen.insert(c.clone()) {
                found.push(c.clone());
            }
        });
    };
    for inst in program.values.iter().filter(|m| m.level == innermost) {
        inst.conditions().for_each(&mut note);
    }
    program.stores.iter().for_each(|s| note(&s.condition));
    found
}
