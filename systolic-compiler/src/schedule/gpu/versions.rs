//! Versions: for which blocks the innermost loop is specialised, and what is known there.
//!
//! ```text
//! before                                     after
//!
//! v = load x[32 b + lane]                    where 32 b + 31 <= N - 1        interior version
//!     if N - 1 - 32 b - lane >= 0                v = load x[32 b + lane]
//!                                            elsewhere                       boundary version
//!                                                v = load x[32 b + lane] if N - 1 - 32 b - lane >= 0
//! ```
//!
//! In an interior block every lane lies inside the arrays, so that comparisons of lanes with sizes are decided. Most blocks are
//! interior at all times. Some are boundary blocks along the axis of the lanes only, some along other axes only; each kind gets
//! a version where that decides more comparisons than the other versions do.
use super::alone::alone;
use super::{skip, whole_rows};
use crate::mapping::{Atom, PlaceForm};
use crate::model::Int;
use crate::optimise::without_implied;
use crate::planted::planted;
use crate::program::{Condition, Frame, Program, at_extreme, level_of_form, range};
use crate::schedule::Version;
use crate::schedule::sample::Sample;
use crate::schedule::sections::{cut, is_of_place};
use crate::schedule::specialise::Facts;
use crate::sorted;
use crate::sorted::SortedMap;
use crate::target::tuning;
use std::collections::HashSet;

/// A version that may be written.
pub struct Candidate {
    /// The blocks that may run it: a condition on sizes and blocks.
    pub when: Condition,
    /// The comparisons that are decided there.
    pub facts: Facts,
}

/// The interior versions, the most specialised first. The boundary version is not among them.
#[derive(Default)]
pub struct Candidates {
    /// The versions.
    pub interior: Vec<Candidate>,
    /// Comparisons that only the first version decides. The others apply the border of the array, which is correct for every
    /// index.
    pub left: HashSet<Condition>,
}

/// Which comparisons with sizes or blocks a version decides.
#[derive(Clone, Copy)]
struct Decides {
    /// Also those that depend on time, for all times.
    times: bool,
    /// Also those that depend on the lane.
    lanes: bool,
}

impl Decides {
    fn has(self, form: &PlaceForm) -> bool {
        let of_lanes = form.mentions(&|a| matches!(a, Atom::Lane(_)));
        is_of_place(form) && (self.times || level_of_form(form) == 0) && (self.lanes || !of_lanes)
    }
}

/// The versions of the innermost loop, cut into sections. A version whose steady state equals that of a later one is dropped; its
/// blocks run the later one. This keeps the code within the instruction cache. If `is_complete`, there is also one for blocks that
/// need no rows.
pub fn versions(program: &Program, is_complete: bool) -> Vec<Version> {
    let boundary = Candidate { when: Condition::True, facts: Facts::new() };
    let Candidates { interior, left } = candidates(program);
    // With several versions, one more would be too much code.
    let alone = if is_complete && interior.is_empty() { alone(program) } else { None };
    let has_interior = !interior.is_empty();
    let cut = |program: &Program, Candidate { when, facts }: Candidate| {
        let is_whole = skip::serves(program, &facts, &left);
        cut(program, when, facts, &left, is_whole)
    };
    let alone = alone.map(|(when, alone)| cut(&alone, Candidate { when, facts: Facts::new() }));
    let others = interior.into_iter().chain([boundary]).map(|candidate| cut(program, candidate));
    let all: Vec<(Version, usize)> = alone.into_iter().chain(others).collect();
    let steady = |k: usize| &all[k].0.sections[all[k].1].step;
    let replaces = |later: usize, k: usize| !whole_rows::is_required(&all[k].0.when) && steady(later) == steady(k);
    let last = all.len() - 1;
    let is_boundary_only = has_interior && !(0..last).any(|k| replaces(last, k));
    let is_dropped = |k: usize| (k + 1..all.len()).any(|later| replaces(later, k));
    let kept: Vec<usize> = (0..all.len()).filter(|k| !is_dropped(*k)).collect();
    let mut versions: Vec<Version> = kept.into_iter().map(|k| all[k].0.clone()).collect();
    if let Some(boundary) = versions.last_mut().filter(|_| is_boundary_only) {
        boundary.sections.iter_mut().for_each(|section| section.at_edge = true);
    }
    versions
}

/// The interior versions of a program.
fn candidates(program: &Program) -> Candidates {
    let mut candidates = Candidates::default();
    if program.values.len() > tuning::TWO_VERSIONS {
        return candidates;
    }
    let Candidates { interior, left } = &mut candidates;
    let at_any_lane = Decides { times: false, lanes: true };
    // A long step skips what it does not need, so that one loop serves all times.
    let skips = |c: &Candidate| !program.frame.loops.is_empty() && skip::serves(program, &c.facts, left);
    if let Some(candidate) = candidate(program, at_any_lane, left).filter(skips) {
        interior.push(candidate);
        return candidates;
    }
    let (always, along_others) = (Decides { times: true, ..at_any_lane }, Decides { times: true, lanes: false });
    let is_short = program.values.len() <= tuning::THREE_VERSIONS;
    if is_short && forms_of_values(program, left).iter().any(|form| level_of_form(form) > 0) {
        interior.extend(candidate(program, always, left));
    }
    // Few blocks lie at the ends of the other axes. There, applying the border costs less than another version.
    if let Some(first) = interior.first() {
        *left = of_outer_borders(program);
        left.retain(|c| first.facts.contains_key(c));
    }
    let is_worth = is_short && forms_of_values(program, left).iter().any(|form| along_others.has(form));
    let second = candidate(program, at_any_lane, left);
    let third = match whole_rows::condition(program).filter(|_| is_short && second.is_some()) {
        Some(when) => Some(Candidate { when, facts: Facts::new() }),
        None => is_worth.then(|| candidate(program, along_others, left)).flatten(),
    };
    for version in second.into_iter().chain(third) {
        if interior.iter().all(|before| before.when != version.when) {
            interior.push(version);
        }
    }
    candidates
}

/// The forms of sizes or blocks that instructions of the innermost loop compare, except in comparisons that are left to borders.
fn forms_of_values(program: &Program, left: &HashSet<Condition>) -> HashSet<PlaceForm> {
    let innermost = program.frame.loops.len();
    let mut found = HashSet::new();
    let mut note = |form: &PlaceForm| {
        if is_of_place(form) {
            found.insert(form.clone());
        }
    };
    let mut each = |c: &Condition| {
        if !left.contains(c) {
            c.each_form(&mut note);
        }
    };
    let lines = program.values.iter().filter(|m| m.level == innermost);
    lines.for_each(|m| m.conditions().for_each(|c| c.each(&mut each)));
    found
}

/// The comparisons that only say whether a border must be applied along an axis other than the last.
fn of_outer_borders(program: &Program) -> HashSet<Condition> {
    let innermost = program.frame.loops.len();
    let (mut outer, mut others) = (HashSet::new(), HashSet::new());
    let note = |condition: &Condition, found: &mut HashSet<Condition>| {
        condition.each(&mut |c| {
            found.insert(c.clone());
        });
    };
    for inst in program.values.iter().filter(|m| m.level == innermost) {
        let (last, axes) = inst.inside.split_last().unzip();
        axes.into_iter().flatten().for_each(|c| note(c, &mut outer));
        let rest = inst.operation.condition().into_iter().chain([&inst.needed]).chain(last);
        rest.for_each(|c| note(c, &mut others));
    }
    program.stores.iter().for_each(|s| note(&s.condition, &mut others));
    &outer - &others
}

/// The version in which these comparisons have the value that they have in the middle of the program; `None` if that is so in
/// all blocks.
fn candidate(program: &Program, decides: Decides, left: &HashSet<Condition>) -> Option<Candidate> {
    let (frame, middle) = (&program.frame, Sample::new(&program.frame));
    let mut facts = Facts::new();
    // Of forms that differ by a constant only the least is required: it implies the others.
    let mut required: SortedMap<PlaceForm, Int> = SortedMap::new();
    let mut undecided = HashSet::new();
    let is_left = |c: &Compared| left.contains(&comparison(c.form.clone(), c.zero));
    for Compared { form, lanes, zero } in comparisons(program, decides).into_iter().filter(|c| !is_left(c)) {
        let some = Frame { lanes: vec![lanes.1 - lanes.0 + 1], ..frame.clone() };
        let (frame, from) = if frame.lanes.len() == 1 { (&some, lanes.0) } else { (frame, 0) };
        let at = form.plus(from * form.coefficient(&Atom::Lane(0)));
        let (low, high) = (at_any_time(frame, &at, false), at_any_time(frame, &at, true));
        let (Some(low), Some(high)) = (low, high) else { continue };
        // In all lanes above 0 (or at least 0), or in all lanes below.
        let above = low.plus(-Int::from(zero));
        let (least, holds) = if middle.form(&above) >= 0 {
            (above.plus(Int::from(planted(48))), !zero)
        } else if middle.form(&high) < 0 {
            (high.scale(-1, 1).plus(-1), false)
        } else {
            undecided.insert(comparison(form, zero));
            continue;
        };
        let comparison = comparison(form, zero);
        if facts.get(&comparison).is_some_and(|before| *before != holds) {
            undecided.insert(comparison);
            continue;
        }
        facts.insert(comparison, holds);
        let offset = required.or_insert(least.plus(-least.offset()), least.offset());
        *offset = least.offset().min(*offset);
    }
    facts.retain(|c, _| !undecided.contains(c));
    let required = required.into_iter().skip(usize::from(planted(66)));
    let required = required.map(|(form, offset)| Condition::AtLeast(form.plus(offset)));
    let when = without_implied(frame, &Condition::all(required));
    (when != Condition::True).then_some(Candidate { when, facts })
}

/// The least or greatest value of a form over all lanes and times, where those have constant bounds.
fn at_any_time(frame: &Frame, form: &PlaceForm, greatest: bool) -> Option<PlaceForm> {
    let mut form = at_extreme(frame, form, greatest)?;
    for (k, row) in frame.loops.iter().enumerate() {
        let c = form.coefficient(&Atom::Time(k));
        if c != 0 {
            let (low, high) = range(&row.low, &row.high)?;
            let time = PlaceForm::constant(if (c > 0) == greatest { high } else { low });
            form = form.add(&time.sub(&PlaceForm::atom(Atom::Time(k))).scale(c, 1));
        }
    }
    Some(form)
}

/// A form that is compared with 0.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Compared {
    form: PlaceForm,
    /// The first and last lane for which the comparison matters.
    lanes: (Int, Int),
    /// Whether it is compared for equality; else for at least 0.
    zero: bool,
}

fn comparison(form: PlaceForm, zero: bool) -> Condition {
    if zero { Condition::Zero(form) } else { Condition::AtLeast(form) }
}

/// The comparisons of the innermost loop that a version decides, each once per range of lanes.
fn comparisons(program: &Program, decides: Decides) -> Vec<Compared> {
    let innermost = program.frame.loops.len();
    let all = (0, program.frame.lanes.last().map_or(0, |n| n - 1));
    let mut found = HashSet::new();
    let mut note = |condition: &Condition| each(condition, all, decides, &mut found);
    program.values.iter().filter(|m| m.level == innermost).for_each(|m| {
        m.operation.condition().into_iter().for_each(&mut note);
        // Where nothing is loaded it does not matter whether the index lies inside. Where it lies outside along another axis it does:
        // the border is applied axis by axis.
        note(&m.needed);
        m.inside.iter().for_each(|along| note(&m.needed.clone().and(along.clone())));
    });
    program.stores.iter().for_each(|s| note(&s.condition));
    let mut found: Vec<Compared> = found.into_iter().collect();
    sorted::sort(&mut found);
    found
}

fn each(condition: &Condition, lanes: (Int, Int), decides: Decides, found: &mut HashSet<Compared>) {
    match condition {
        Condition::All(parts) => {
            let some = parts.iter().fold(lanes, |lanes, part| within(part, lanes));
            let some = if some.0 <= some.1 { some } else { lanes };
            parts.iter().for_each(|part| each(part, some, decides, found));
        }
        Condition::AtLeast(form) | Condition::Zero(form) => {
            if form.denominator() == 1 && decides.has(form) {
                let zero = matches!(condition, Condition::Zero(_));
                found.insert(Compared { form: form.clone(), lanes, zero });
            }
        }
        other => other.each(&mut |c| {
            if let Condition::AtLeast(_) | Condition::Zero(_) = c {
                each(c, lanes, decides, found);
            }
        }),
    }
}

/// The lanes among these in which a comparison of the lane alone holds; all of them for any other comparison.
fn within(condition: &Condition, (low, high): (Int, Int)) -> (Int, Int) {
    let Condition::AtLeast(form) = condition else { return (low, high) };
    let alone = form.is_plain() && form.terms().all(|(a, _)| *a == Atom::Lane(0));
    match form.coefficient(&Atom::Lane(0)) {
        1 if alone => (low.max(-form.offset()), high),
        -1 if alone => (low, high.min(form.offset())),
        _ => (low, high),
    }
}
