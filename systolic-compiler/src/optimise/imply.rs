//! Of comparisons that must all hold, those that another one implies are left out; of conditions of which one must hold,
//! those that imply another.
use crate::planted::planted;
use crate::program::{Condition, Frame, Program, never_negative};
use crate::target::effort;
use std::collections::{BTreeSet, HashMap};

pub fn imply(program: &mut Program) {
    let mut known: HashMap<Condition, Condition> = HashMap::new();
    program.each_condition(&mut |frame, condition| {
        if let Condition::All(_) = condition {
            let shorter = known.entry(condition.clone()).or_insert_with_key(|c| without_implied(frame, c));
            *condition = shorter.clone();
        }
        if let Condition::Any(parts) = condition {
            *condition = absorbed(parts);
        }
    });
}

/// a or (a and b) is a.
fn absorbed(parts: &[Condition]) -> Condition {
    let sets: Vec<BTreeSet<&Condition>> = parts.iter().map(conjuncts).collect();
    let adds = |k: &usize| {
        let within = |other: usize| sets[other].is_subset(&sets[*k]) && (sets[other] != sets[*k] || other < *k);
        parts.len() > effort::IMPLIED_ALTERNATIVES || !(0..sets.len()).any(|other| other != *k && within(other))
    };
    Condition::any((0..parts.len()).filter(adds).map(|k| parts[k].clone()).collect::<Vec<_>>())
}

fn conjuncts(condition: &Condition) -> BTreeSet<&Condition> {
    match condition {
        Condition::All(parts) => parts.iter().collect(),
        one => BTreeSet::from([one]),
    }
}

/// What must hold together, without what the rest implies.
pub fn without_implied(frame: &Frame, condition: &Condition) -> Condition {
    let Condition::All(parts) = condition else { return condition.clone() };
    if parts.len() > effort::IMPLIED_CONDITIONS {
        return condition.clone();
    }
    Condition::all(without(parts.clone(), |part, other| implies(frame, other, part)))
}

/// Conditions without those that another one makes needless, one after the other: of two that do so to each other one stays.
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

/// What is left to ask where something is known.
pub fn given(frame: &Frame, condition: &Condition, known: &Condition) -> Condition {
    let known = conjuncts(known);
    let is_open = |part: &&Condition| !known.iter().any(|k| settles(frame, k, part));
    Condition::all(conjuncts(condition).into_iter().filter(is_open).cloned())
}

/// Whether a condition holds by one that does: it is that one or implied by it, or has such a one to choose.
fn settles(frame: &Frame, known: &Condition, condition: &Condition) -> bool {
    let one = |part: &Condition| part == known || implies(frame, known, part);
    one(condition) || matches!(condition, Condition::Any(parts) if parts.iter().any(one))
}

/// Whether a comparison holds wherever a condition does.
pub fn implied(frame: &Frame, condition: &Condition, comparison: &Condition) -> bool {
    match condition {
        Condition::False => true,
        Condition::All(parts) => parts.iter().any(|part| implied(frame, part, comparison)),
        Condition::Any(parts) => parts.iter().all(|part| implied(frame, part, comparison)),
        one => one == comparison || implies(frame, one, comparison),
    }
}

/// What some conditions have in common, and the rest of each.
pub fn in_common(conditions: Vec<Condition>) -> (Condition, Vec<Condition>) {
    let sets: Vec<BTreeSet<&Condition>> = conditions.iter().map(conjuncts).collect();
    let Some((first, others)) = sets.split_first() else { return (Condition::True, Vec::new()) };
    let common: BTreeSet<&Condition> =
        first.iter().filter(|c| others.iter().all(|set| set.contains(**c))).copied().collect();
    let rest = |set: &BTreeSet<&Condition>| Condition::all(set.difference(&common).map(|c| (*c).clone()));
    (Condition::all(common.iter().map(|c| (*c).clone())), sets.iter().map(rest).collect())
}

/// What holds where one of some conditions does, without those that imply another.
pub fn any_of(frame: &Frame, conditions: Vec<Condition>) -> Condition {
    Condition::any(without(conditions, |part, other| implies(frame, part, other)))
}

/// a ≥ 0 and b − a ≥ 0 give b ≥ 0; a = 0 likewise.
fn implies(frame: &Frame, a: &Condition, b: &Condition) -> bool {
    let (Condition::AtLeast(from) | Condition::Zero(from), Condition::AtLeast(to)) = (a, b) else { return false };
    let whole = from.denominator() == 1 && to.denominator() == 1;
    let less_than =
        |sign| never_negative(frame, &to.sub(&from.scale(sign, 1)).scale(if planted(35) { -1 } else { 1 }, 1));
    whole && (less_than(1) || (matches!(a, Condition::Zero(_)) && less_than(-1)))
}
