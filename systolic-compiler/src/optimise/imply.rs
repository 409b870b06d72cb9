//! Removal of implied conditions: from a conjunction those parts that another part implies, from a disjunction those that
//! imply another.
//!
//! ```text
//! before                                              after
//!
//! load x[t0] if (t0 - 3 >= 0 and t0 >= 0)             load x[t0] if t0 - 3 >= 0
//! load y[t0] if (t0 >= 0 or (t0 >= 0 and c == 0))     load y[t0] if t0 >= 0
//! ```
//!
//! Every comparison that is left costs instructions in each step, or a section of the loop. In a conjunction, comparisons of
//! integer forms are compared in pairs. In a disjunction, a part is dropped if it contains all conjuncts of another.
//! Conditions with very many parts stay as they are, since the time would grow with the square of their number.
use crate::mapping::PlaceForm;
use crate::planted::planted;
use crate::program::{Condition, Frame, Program, Ranges};
use crate::sorted::SortedSet;
use crate::target::effort;
use std::collections::HashMap;

/// Shortens the conditions of all values and stores.
pub fn imply(program: &mut Program) {
    let mut known: HashMap<Condition, Condition> = HashMap::new();
    let frame = program.frame.clone();
    let ranges = Ranges::of(&frame);
    program.each_condition(&mut |condition| {
        if let Condition::All(_) = condition {
            let shorter = known.entry(condition.clone()).or_insert_with_key(|c| shortened(&ranges, c));
            *condition = shorter.clone();
        }
        if let Condition::Any(parts) = condition {
            *condition = absorbed(parts);
        }
    });
}

/// A disjunction without the parts that imply another: `a or (a and b)` is `a`.
fn absorbed(parts: &[Condition]) -> Condition {
    let sets: Vec<SortedSet<&Condition>> = parts.iter().map(conjuncts).collect();
    let adds = |k: &usize| {
        let within = |other: usize| sets[other].is_subset(&sets[*k]) && (sets[other] != sets[*k] || other < *k);
        parts.len() > effort::IMPLIED_ALTERNATIVES || !(0..sets.len()).any(|other| other != *k && within(other))
    };
    Condition::any((0..parts.len()).filter(adds).map(|k| parts[k].clone()).collect::<Vec<_>>())
}

/// The parts of a conjunction. Any other condition is its own only part.
fn conjuncts(condition: &Condition) -> SortedSet<&Condition> {
    match condition {
        Condition::All(parts) => parts.iter().collect(),
        one => SortedSet::from([one]),
    }
}

/// A conjunction without the comparisons that another part implies. Other conditions are returned as they are.
pub fn without_implied(frame: &Frame, condition: &Condition) -> Condition {
    shortened(&Ranges::of(frame), condition)
}

fn shortened(ranges: &Ranges<'_>, condition: &Condition) -> Condition {
    let Condition::All(parts) = condition else { return condition.clone() };
    if parts.len() > effort::IMPLIED_CONDITIONS {
        return condition.clone();
    }
    Condition::all(without(parts.clone(), |part, other| implies(ranges, other, part)))
}

/// Conditions without those that another one makes needless. They are removed one at a time: of two that make each other
/// needless, one stays.
fn without(mut parts: Vec<Condition>, is_needless: impl Fn(&Condition, &Condition) -> bool) -> Vec<Condition> {
    let mut k = 0;
    while k < parts.len() {
        if (0..parts.len()).any(|other| other != k && is_needless(&parts[k], &parts[other])) {
            parts.remove(k);
        } else {
            k += 1;
        }
    }
    parts
}

/// The parts of a condition that must still be evaluated where another condition is known to hold.
pub fn given(frame: &Frame, condition: &Condition, known: &Condition) -> Condition {
    let (known, ranges) = (conjuncts(known), Ranges::of(frame));
    let is_open = |part: &&Condition| !known.iter().any(|k| makes_true(&ranges, k, part));
    Condition::all(conjuncts(condition).into_iter().filter(is_open).cloned())
}

/// Whether a known condition makes another one true: they are equal, or it implies the other or one of its alternatives.
fn makes_true(ranges: &Ranges<'_>, known: &Condition, condition: &Condition) -> bool {
    let one = |part: &Condition| part == known || implies(ranges, known, part);
    one(condition) || matches!(condition, Condition::Any(parts) if parts.iter().any(one))
}

/// Whether a comparison holds wherever a condition does.
pub fn implied(frame: &Frame, condition: &Condition, comparison: &Condition) -> bool {
    holds(&Ranges::of(frame), condition, comparison)
}

fn holds(ranges: &Ranges<'_>, condition: &Condition, comparison: &Condition) -> bool {
    match condition {
        Condition::False => true,
        Condition::All(parts) => parts.iter().any(|part| holds(ranges, part, comparison)),
        Condition::Any(parts) => parts.iter().all(|part| holds(ranges, part, comparison)),
        one => one == comparison || implies(ranges, one, comparison),
    }
}

/// The conjuncts that all these conditions have in common, and the rest of each.
pub fn in_common(conditions: Vec<Condition>) -> (Condition, Vec<Condition>) {
    let sets: Vec<SortedSet<&Condition>> = conditions.iter().map(conjuncts).collect();
    let Some((first, others)) = sets.split_first() else { return (Condition::True, Vec::new()) };
    let common: SortedSet<&Condition> =
        first.iter().filter(|c| others.iter().all(|set| set.contains(**c))).copied().collect();
    let rest = |set: &SortedSet<&Condition>| Condition::all(set.difference(&common).map(|c| (*c).clone()));
    (Condition::all(common.iter().map(|c| (*c).clone())), sets.iter().map(rest).collect())
}

/// The disjunction of some conditions, without those that imply another.
pub fn any_of(frame: &Frame, conditions: Vec<Condition>) -> Condition {
    let ranges = Ranges::of(frame);
    Condition::any(without(conditions, |part, other| implies(&ranges, part, other)))
}

/// Whether a comparison implies another: from a ≥ 0 and b − a ≥ 0 follows b ≥ 0. From a = 0 it also follows if b + a ≥ 0.
fn implies(ranges: &Ranges<'_>, a: &Condition, b: &Condition) -> bool {
    let (Condition::AtLeast(from) | Condition::Zero(from), Condition::AtLeast(to)) = (a, b) else { return false };
    let whole = from.denominator() == 1 && to.denominator() == 1;
    let at_least = |difference: PlaceForm| match planted(35) {
        true => ranges.never_negative(&difference.scale(-1, 1)),
        false => ranges.never_negative(&difference),
    };
    whole && (at_least(to.sub(from)) || (matches!(a, Condition::Zero(_)) && at_least(to.add(from))))
}
