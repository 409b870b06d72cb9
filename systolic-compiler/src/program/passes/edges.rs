//! Blocks that no edge touches: there, what lanes compare with sizes holds in all of them, or in none. Most of them are
//! touched by none at any time either.
use super::super::{Condition, Frame, Program};
use super::given::Facts;
use super::imply::without_implied;
use super::least::range;
use super::levels::of_form;
use super::split::{Sample, end};
use crate::mapping::{Atom, Index, Target};
use crate::model::Int;
use crate::planted::planted;
use std::collections::{BTreeMap, HashSet};

/// Bodies longer than this are not written twice, or thrice.
const LONGEST_BODY: usize = 4000;
const LONGEST_THRICE: usize = 2500;

/// Which blocks, by sizes and blocks alone, and what is known there.
pub struct Inner {
    pub when: Condition,
    pub facts: Facts,
}

/// Those where the most is known first. On a CPU a comparison serves a row of lanes.
pub fn inner(program: &Program) -> Vec<Inner> {
    if program.target != Target::Gpu || program.values.len() > LONGEST_BODY {
        return Vec::new();
    }
    let plain = known(program, false);
    let always = || known(program, true).filter(|i| plain.as_ref().is_none_or(|p| p.when != i.when));
    let always = if program.values.len() <= LONGEST_THRICE && values_ask(program) { always() } else { None };
    always.into_iter().chain(plain).collect()
}

/// Whether values depend on how a time compares with sizes or blocks.
fn values_ask(program: &Program) -> bool {
    let innermost = program.frame.loops.len();
    let timed = |form: &Index| of_form(form) > 0 && is_of_place(form);
    let mut asked = false;
    let mut note = |c: &Condition| c.each_form(&mut |form| asked |= timed(form));
    program.values.iter().filter(|m| m.level == innermost).for_each(|m| m.conditions().for_each(&mut note));
    asked
}

fn is_of_place(form: &Index) -> bool {
    form.mentions(&|a| matches!(a, Atom::Size(_) | Atom::Block(_)))
}

/// What is known away from edges, by comparisons without time or by those of all times.
fn known(program: &Program, always: bool) -> Option<Inner> {
    let (frame, middle) = (&program.frame, Sample::new(&program.frame));
    let mut facts = Facts::new();
    // Of forms that differ by a number the least says all.
    let mut least: BTreeMap<Index, Int> = BTreeMap::new();
    let mut undecided = HashSet::new();
    for Compared { form, lanes, zero } in comparisons(program, always) {
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

/// Forms of sizes or blocks, of times too or not, that the innermost loop compares, each once for the same lanes.
fn comparisons(program: &Program, always: bool) -> Vec<Compared> {
    let innermost = program.frame.loops.len();
    let all = (0, program.frame.lanes.last().map_or(0, |n| n - 1));
    let mut found = HashSet::new();
    let mut note = |condition: &Condition| each(condition, all, always, &mut found);
    program.values.iter().filter(|m| m.level == innermost).for_each(|m| {
        m.operation.condition().into_iter().for_each(&mut note);
        // Where nothing is loaded it does not matter where it lies.
        note(&m.needed);
        note(&m.needed.clone().and(m.inside.clone()));
    });
    program.stores.iter().for_each(|s| note(&s.condition));
    let mut found: Vec<Compared> = found.into_iter().collect();
    found.sort();
    found
}

fn each(condition: &Condition, lanes: (Int, Int), always: bool, found: &mut HashSet<Compared>) {
    match condition {
        Condition::All(parts) => {
            let some = parts.iter().fold(lanes, |lanes, part| within(part, lanes));
            let some = if some.0 <= some.1 { some } else { lanes };
            parts.iter().for_each(|part| each(part, some, always, found));
        }
        Condition::AtLeast(form) | Condition::Zero(form) => {
            let fixed = form.denominator() == 1 && (always || of_form(form) == 0);
            if fixed && is_of_place(form) {
                let zero = matches!(condition, Condition::Zero(_));
                found.insert(Compared { form: form.clone(), lanes, zero });
            }
        }
        other => other.each(&mut |c| {
            if let Condition::AtLeast(_) | Condition::Zero(_) = c {
                each(c, lanes, always, found);
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
