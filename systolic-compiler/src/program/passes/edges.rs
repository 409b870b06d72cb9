//! Blocks that no edge touches: there, what lanes compare with sizes holds in all of them, or in none.
use super::super::{Condition, Frame, Program};
use super::given::Facts;
use super::imply::without_implied;
use super::levels::of_form;
use super::split::{Sample, end};
use crate::mapping::{Atom, Index, Target};
use crate::model::Int;
use crate::planted::planted;
use std::collections::{BTreeMap, HashSet};

/// Bodies longer than this are not written twice.
const LONGEST_BODY: usize = 4000;

/// Which blocks, by sizes and blocks alone, and what is known there.
pub struct Inner {
    pub when: Condition,
    pub facts: Facts,
}

/// On a CPU a comparison serves a row of lanes.
pub fn inner(program: &Program) -> Option<Inner> {
    if program.target != Target::Gpu || program.values.len() > LONGEST_BODY {
        return None;
    }
    let (frame, middle) = (&program.frame, Sample::new(&program.frame));
    let mut facts = Facts::new();
    // Of forms that differ by a number the least says all.
    let mut least: BTreeMap<Index, Int> = BTreeMap::new();
    let mut undecided = HashSet::new();
    for Compared { form, lanes } in comparisons(program) {
        let some = Frame { lanes: vec![lanes.1 - lanes.0 + 1], ..frame.clone() };
        let (frame, from) = if frame.lanes.len() == 1 { (&some, lanes.0) } else { (frame, 0) };
        let at = form.plus(from * form.coefficient(&Atom::Lane(0)));
        let (Some(low), Some(high)) = (end(frame, &at, false), end(frame, &at, true)) else { continue };
        let (asked, holds) = if middle.form(&low) >= 0 {
            (low.plus(Int::from(planted(48))), true)
        } else if middle.form(&high) < 0 {
            (high.scale(-1, 1).plus(-1), false)
        } else {
            undecided.insert(form);
            continue;
        };
        let comparison = Condition::AtLeast(form.clone());
        if facts.get(&comparison).is_some_and(|before| *before != holds) {
            undecided.insert(form);
            continue;
        }
        facts.insert(comparison, holds);
        let offset = least.entry(asked.plus(-asked.offset())).or_insert(asked.offset());
        *offset = asked.offset().min(*offset);
    }
    facts.retain(|c, _| !matches!(c, Condition::AtLeast(form) if undecided.contains(form)));
    let asked = least.into_iter().map(|(form, offset)| Condition::AtLeast(form.plus(offset)));
    let when = without_implied(frame, &Condition::all(asked));
    (when != Condition::True).then_some(Inner { when, facts })
}

/// A form that is compared, and the lanes where that counts.
#[derive(PartialEq, Eq, Hash)]
struct Compared {
    form: Index,
    lanes: (Int, Int),
}

/// Forms of sizes or blocks, but not of time, that the innermost loop compares, each once for the same lanes.
fn comparisons(program: &Program) -> Vec<Compared> {
    let innermost = program.frame.loops.len();
    let all = (0, program.frame.lanes.last().map_or(0, |n| n - 1));
    let mut found = HashSet::new();
    let mut note = |condition: &Condition| each(condition, all, &mut found);
    program.values.iter().filter(|m| m.level == innermost).for_each(|m| {
        m.operation.condition().into_iter().for_each(&mut note);
        // Where nothing is loaded it does not matter where it lies.
        note(&m.needed);
        note(&m.needed.clone().and(m.inside.clone()));
    });
    program.stores.iter().for_each(|s| note(&s.condition));
    let mut found: Vec<Compared> = found.into_iter().collect();
    found.sort_by(|a, b| (&a.form, a.lanes).cmp(&(&b.form, b.lanes)));
    found
}

fn each(condition: &Condition, lanes: (Int, Int), found: &mut HashSet<Compared>) {
    match condition {
        Condition::All(parts) => {
            let some = parts.iter().fold(lanes, |lanes, part| within(part, lanes));
            let some = if some.0 <= some.1 { some } else { lanes };
            parts.iter().for_each(|part| each(part, some, found));
        }
        Condition::AtLeast(form) => {
            let fixed = form.denominator() == 1 && of_form(form) == 0;
            if fixed && form.mentions(&|a| matches!(a, Atom::Size(_) | Atom::Block(_))) {
                found.insert(Compared { form: form.clone(), lanes });
            }
        }
        other => other.each(&mut |c| {
            if let Condition::AtLeast(_) = c {
                each(c, lanes, found);
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
