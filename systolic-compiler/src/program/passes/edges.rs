//! Blocks that no edge touches: there, what lanes compare with sizes holds in all of them, or in none. Most of them are
//! touched by none at any time; some only at the ends of the lanes, some only at others.
use super::super::{Condition, Frame, Program};
use super::given::Facts;
use super::groups;
use super::imply::without_implied;
use super::least::range;
use super::levels::of_form;
use super::split::{Sample, end};
use super::whole;
use crate::mapping::{Atom, Index, Target};
use crate::model::Int;
use crate::planted::planted;
use crate::target::tuning;
use std::collections::{BTreeMap, HashSet};

/// Which blocks, by sizes and blocks alone, and what is known there.
pub struct Inner {
    pub when: Condition,
    pub facts: Facts,
}

/// The blocks away from edges, where more is known first.
#[derive(Default)]
pub struct Versions {
    pub inner: Vec<Inner>,
    /// Comparisons that only the first asks: elsewhere a border leads back by itself.
    pub left: HashSet<Condition>,
}

/// Which comparisons with sizes or blocks are asked.
#[derive(Clone, Copy)]
struct Asked {
    /// Those of times too, for all of them.
    times: bool,
    /// Those of lanes too.
    lanes: bool,
}

impl Asked {
    fn has(self, form: &Index) -> bool {
        let of_lanes = form.mentions(&|a| matches!(a, Atom::Lane(_)));
        is_of_place(form) && (self.times || of_form(form) == 0) && (self.lanes || !of_lanes)
    }
}

pub fn is_of_place(form: &Index) -> bool {
    form.mentions(&|a| matches!(a, Atom::Size(_) | Atom::Block(_)))
}

/// Away from all edges at all times, away from those of the lanes, away from all others or in whole rows: each where it says more
/// than the rest. On a CPU a comparison serves a row of lanes.
pub fn versions(program: &Program) -> Versions {
    let mut versions = Versions::default();
    if program.target != Target::Gpu || program.values.len() > tuning::TWO_VERSIONS {
        return versions;
    }
    let Versions { inner, left } = &mut versions;
    let plain = Asked { times: false, lanes: true };
    // One loop serves long steps at all times.
    let serves = |away: &Inner| !program.frame.loops.is_empty() && groups::serve(program, &away.facts, left);
    if let Some(away) = known(program, plain, left).filter(serves) {
        inner.push(away);
        return versions;
    }
    let (always, along) = (Asked { times: true, ..plain }, Asked { times: true, lanes: false });
    let is_short = program.values.len() <= tuning::THREE_VERSIONS;
    if is_short && values_ask(program, left).iter().any(|form| of_form(form) > 0) {
        inner.extend(known(program, always, left));
    }
    // Few blocks are left at edges of other axes than the last: there a border is cheaper than a version.
    if let Some(first) = inner.first() {
        *left = of_outer_borders(program);
        left.retain(|c| first.facts.contains_key(c));
    }
    let is_worth = is_short && values_ask(program, left).iter().any(|form| along.has(form));
    let away = known(program, plain, left);
    let more = match whole::rows(program).filter(|_| is_short && away.is_some()) {
        Some(when) => Some(Inner { when, facts: Facts::new() }),
        None => is_worth.then(|| known(program, along, left)).flatten(),
    };
    for version in away.into_iter().chain(more) {
        if inner.iter().all(|before| before.when != version.when) {
            inner.push(version);
        }
    }
    versions
}

/// Forms of sizes or blocks that values of the innermost loop depend on, but for comparisons that are left to borders.
fn values_ask(program: &Program, left: &HashSet<Condition>) -> HashSet<Index> {
    let innermost = program.frame.loops.len();
    let mut found = HashSet::new();
    let mut note = |form: &Index| {
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

/// Comparisons that say where a border leads back along other axes than the last, and nothing else.
fn of_outer_borders(program: &Program) -> HashSet<Condition> {
    let innermost = program.frame.loops.len();
    let (mut outer, mut others) = (HashSet::new(), HashSet::new());
    let note = |condition: &Condition, found: &mut HashSet<Condition>| {
        condition.each(&mut |c| {
            found.insert(c.clone());
        });
    };
    for made in program.values.iter().filter(|m| m.level == innermost) {
        let (last, axes) = made.inside.split_last().unzip();
        axes.into_iter().flatten().for_each(|c| note(c, &mut outer));
        let rest = made.operation.condition().into_iter().chain([&made.needed]).chain(last);
        rest.for_each(|c| note(c, &mut others));
    }
    program.stores.iter().for_each(|s| note(&s.condition, &mut others));
    &outer - &others
}

/// What is known away from edges, by the comparisons that are asked and not left to borders.
fn known(program: &Program, asked: Asked, left: &HashSet<Condition>) -> Option<Inner> {
    let (frame, middle) = (&program.frame, Sample::new(&program.frame));
    let mut facts = Facts::new();
    // Of forms that differ by a number the least says all.
    let mut least: BTreeMap<Index, Int> = BTreeMap::new();
    let mut undecided = HashSet::new();
    let is_left = |c: &Compared| left.contains(&comparison(c.form.clone(), c.zero));
    for Compared { form, lanes, zero } in comparisons(program, asked).into_iter().filter(|c| !is_left(c)) {
        let some = Frame { lanes: vec![lanes.1 - lanes.0 + 1], ..frame.clone() };
        let (frame, from) = if frame.lanes.len() == 1 { (&some, lanes.0) } else { (frame, 0) };
        let at = form.plus(from * form.coefficient(&Atom::Lane(0)));
        let (low, high) = (at_any_time(frame, &at, false), at_any_time(frame, &at, true));
        let (Some(low), Some(high)) = (low, high) else { continue };
        // Above 0, or from 0 on, in all lanes; or below it in all.
        let above = low.plus(-Int::from(zero));
        let (asked, holds) = if middle.form(&above) >= 0 {
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
        let offset = least.entry(asked.plus(-asked.offset())).or_insert(asked.offset());
        *offset = asked.offset().min(*offset);
    }
    facts.retain(|c, _| !undecided.contains(c));
    let asked = least.into_iter().map(|(form, offset)| Condition::AtLeast(form.plus(offset)));
    let when = without_implied(frame, &Condition::all(asked));
    (when != Condition::True).then_some(Inner { when, facts })
}

/// A form at one end of its lanes and times, where those are numbers.
fn at_any_time(frame: &Frame, form: &Index, greatest: bool) -> Option<Index> {
    let mut form = end(frame, form, greatest)?;
    for (k, row) in frame.loops.iter().enumerate() {
        let c = form.coefficient(&Atom::Time(k));
        if c != 0 {
            let (low, high) = range(&row.low, &row.high)?;
            let time = Index::constant(if (c > 0) == greatest { high } else { low });
            form = form.add(&time.sub(&Index::atom(Atom::Time(k))).scale(c, 1));
        }
    }
    Some(form)
}

/// A form that is compared, the lanes where that counts, and whether it is asked to be 0.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Compared {
    form: Index,
    lanes: (Int, Int),
    zero: bool,
}

fn comparison(form: Index, zero: bool) -> Condition {
    if zero { Condition::Zero(form) } else { Condition::AtLeast(form) }
}

/// Forms that the innermost loop compares, as far as they are asked, each once for the same lanes.
fn comparisons(program: &Program, asked: Asked) -> Vec<Compared> {
    let innermost = program.frame.loops.len();
    let all = (0, program.frame.lanes.last().map_or(0, |n| n - 1));
    let mut found = HashSet::new();
    let mut note = |condition: &Condition| each(condition, all, asked, &mut found);
    program.values.iter().filter(|m| m.level == innermost).for_each(|m| {
        m.operation.condition().into_iter().for_each(&mut note);
        // Where nothing is loaded it does not matter where it lies.
        note(&m.needed);
        note(&m.needed.clone().and(Condition::all(m.inside.iter().cloned())));
    });
    program.stores.iter().for_each(|s| note(&s.condition));
    let mut found: Vec<Compared> = found.into_iter().collect();
    found.sort();
    found
}

fn each(condition: &Condition, lanes: (Int, Int), asked: Asked, found: &mut HashSet<Compared>) {
    match condition {
        Condition::All(parts) => {
            let some = parts.iter().fold(lanes, |lanes, part| within(part, lanes));
            let some = if some.0 <= some.1 { some } else { lanes };
            parts.iter().for_each(|part| each(part, some, asked, found));
        }
        Condition::AtLeast(form) | Condition::Zero(form) => {
            if form.denominator() == 1 && asked.has(form) {
                let zero = matches!(condition, Condition::Zero(_));
                found.insert(Compared { form: form.clone(), lanes, zero });
            }
        }
        other => other.each(&mut |c| {
            if let Condition::AtLeast(_) | Condition::Zero(_) = c {
                each(c, lanes, asked, found);
            }
        }),
    }
}

/// The lanes at which a comparison of the lane alone holds.
fn within(condition: &Condition, (low, high): (Int, Int)) -> (Int, Int) {
    let Condition::AtLeast(form) = condition else { return (low, high) };
    let alone = form.is_plain() && form.terms().all(|(a, _)| *a == Atom::Lane(0));
    match form.coefficient(&Atom::Lane(0)) {
        1 if alone => (low.max(-form.offset()), high),
        -1 if alone => (low, high.min(form.offset())),
        _ => (low, high),
    }
}
