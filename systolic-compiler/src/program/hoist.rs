//! Conditions that no inner loop changes, under names: each is evaluated once, where its outermost loop opens.
use super::passes::of_condition;
use super::{Condition, Made, Program};
use std::collections::BTreeMap;

/// A condition that is evaluated before an inner loop.
#[derive(Clone, Debug)]
pub struct Named {
    pub condition: Condition,
    /// In how many of the loops it lies.
    pub level: usize,
}

/// The conditions of a program that are evaluated before they are used.
#[derive(Clone, Debug, Default)]
pub struct Hoisted {
    pub named: Vec<Named>,
    numbers: BTreeMap<Condition, usize>,
}

/// A condition where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    True,
    False,
    /// One that was evaluated before, by number.
    Named(usize),
    /// One that is evaluated here.
    Here(Condition),
    All(Vec<Use>),
    Any(Vec<Use>),
    Not(Box<Use>),
}

impl Hoisted {
    /// `needs`: whether it is asked under which conditions loads are needed. `keeps`: conditions that must be evaluated
    /// where they are used.
    pub fn new(program: &Program, needs: bool, keeps: &impl Fn(&Condition) -> bool) -> Hoisted {
        let mut hoisted = Hoisted::default();
        let innermost = program.frame.loops.len();
        let mut note = |made: &Made, level: usize| {
            let need = needs.then_some(&made.needed);
            made.operation.condition().into_iter().chain(need).for_each(|c| hoisted.name(c, level, keeps));
        };
        for made in program.values.iter().filter(|m| m.level < innermost) {
            note(made, made.level);
        }
        let steps = || program.pieces.iter().map(|p| &p.step);
        steps().flat_map(|s| &s.lines).for_each(|line| note(&line.made, innermost));
        steps().flat_map(|s| &s.stores).for_each(|s| hoisted.name(&s.condition, innermost, keeps));
        let wide = steps().flat_map(|s| s.wide_loads.iter().chain(&s.wide_stores));
        wide.flat_map(|w| [&w.when, &w.wanted]).for_each(|c| hoisted.name(c, innermost, keeps));
        hoisted
    }

    fn name(&mut self, condition: &Condition, used: usize, keeps: &impl Fn(&Condition) -> bool) {
        for part in by_level(condition) {
            let level = of_condition(&part);
            match &part {
                Condition::True | Condition::False => {}
                _ if level < used && !keeps(&part) => {
                    self.numbers.entry(part).or_insert_with_key(|condition| {
                        self.named.push(Named { condition: condition.clone(), level });
                        self.named.len() - 1
                    });
                }
                Condition::All(parts) | Condition::Any(parts) if parts.len() > 1 => {
                    parts.iter().for_each(|p| self.name(p, used, keeps));
                }
                Condition::Not(inner) => self.name(inner, used, keeps),
                _ => {}
            }
        }
    }

    /// A condition as it is used.
    pub fn usage(&self, condition: &Condition) -> Use {
        let parts = by_level(condition);
        if parts.len() > 1 {
            return Use::All(parts.iter().map(|p| self.usage_of(p)).collect());
        }
        self.usage_of(condition)
    }

    fn usage_of(&self, condition: &Condition) -> Use {
        if let Some(number) = self.numbers.get(condition) {
            return Use::Named(*number);
        }
        match condition {
            Condition::True => Use::True,
            Condition::False => Use::False,
            Condition::All(parts) => Use::All(parts.iter().map(|p| self.usage(p)).collect()),
            Condition::Any(parts) => Use::Any(parts.iter().map(|p| self.usage(p)).collect()),
            Condition::Not(inner) => Use::Not(Box::new(self.usage(inner))),
            other => Use::Here(other.clone()),
        }
    }
}

impl Use {
    /// How many comparisons are evaluated here.
    pub fn evaluated(&self) -> usize {
        match self {
            Use::True | Use::False | Use::Named(_) => 0,
            Use::Here(_) => 1,
            Use::All(parts) | Use::Any(parts) => parts.iter().map(Use::evaluated).sum(),
            Use::Not(inner) => inner.evaluated(),
        }
    }
}

impl std::fmt::Display for Use {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let joined = |parts: &[Use], word: &str| parts.iter().map(|p| p.to_string()).collect::<Vec<_>>().join(word);
        match self {
            Use::True => f.write_str("always"),
            Use::False => f.write_str("never"),
            Use::Named(k) => write!(f, "m{k}"),
            Use::Here(condition) => write!(f, "{condition}"),
            Use::All(parts) => write!(f, "({})", joined(parts, " and ")),
            Use::Any(parts) => write!(f, "({})", joined(parts, " or ")),
            Use::Not(inner) => write!(f, "not {inner}"),
        }
    }
}

/// What must hold together, by the loop in which it changes: one condition a level, the outermost first.
fn by_level(condition: &Condition) -> Vec<Condition> {
    let Condition::All(parts) = condition else { return vec![condition.clone()] };
    let mut levels: BTreeMap<usize, Vec<Condition>> = BTreeMap::new();
    for part in parts {
        levels.entry(of_condition(part)).or_default().push(part.clone());
    }
    levels.into_values().map(Condition::all).collect()
}
