//! Hoisted conditions: a condition that an inner loop does not change is evaluated once, before that loop, and gets a name.
//!
//! ```text
//! before                                       after
//!
//! for t in 0..=99                              m0 = N - 1 - lane >= 0
//!     v = load x[t, lane] if N - 1 - lane >= 0 for t in 0..=99
//!                                                  v = load x[t, lane] if m0
//! ```
use super::Version;
use crate::mapping::{Atom, Target};
use crate::program::{Condition, Inst, Program, level_of_condition};
use crate::sorted::SortedMap;

/// A condition that is evaluated before an inner loop.
#[derive(Clone, Debug)]
pub struct Named {
    pub condition: Condition,
    /// The number of loops around it.
    pub level: usize,
}

/// The conditions of a program that are evaluated before they are used.
#[derive(Clone, Debug, Default)]
pub struct Hoisted {
    pub named: Vec<Named>,
    numbers: SortedMap<Condition, usize>,
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
    /// The conditions of a program and its versions. On a CPU the runtime checks whether a load lies inside, so the conditions
    /// under which loads are needed are not evaluated; and all warps share the names, so what differs between warps has none.
    pub fn new(program: &Program, versions: &[Version]) -> Hoisted {
        let mut hoisted = Hoisted::default();
        let innermost = program.frame.loops.len();
        let on_gpu = program.target == Target::Gpu;
        let stays = |condition: &Condition| !on_gpu && condition.mentions(&|a| matches!(a, Atom::Warp(_)));
        let mut note = |inst: &Inst, level: usize| {
            let need = on_gpu.then_some(&inst.needed);
            inst.operation.condition().into_iter().chain(need).for_each(|c| hoisted.name(c, level, &stays));
        };
        for inst in program.values.iter().filter(|m| m.level < innermost) {
            note(inst, inst.level);
        }
        let steps = || versions.iter().flat_map(|version| &version.sections).map(|section| &section.step);
        steps().flat_map(|s| &s.lines).for_each(|line| note(&line.inst, innermost));
        steps().flat_map(|s| &s.stores).for_each(|s| hoisted.name(&s.condition, innermost, &stays));
        let wide = steps().flat_map(|s| s.wide_loads.iter().chain(&s.wide_stores));
        wide.flat_map(|w| [&w.when, &w.guard]).for_each(|c| hoisted.name(c, innermost, &stays));
        hoisted
    }

    fn name(&mut self, condition: &Condition, used: usize, stays: &impl Fn(&Condition) -> bool) {
        for part in by_level(condition) {
            let level = level_of_condition(&part);
            match &part {
                Condition::True | Condition::False => {}
                _ if level < used && !stays(&part) => {
                    self.numbers.or_insert_with(part, |condition| {
                        self.named.push(Named { condition: condition.clone(), level });
                        self.named.len() - 1
                    });
                }
                Condition::All(parts) | Condition::Any(parts) if parts.len() > 1 => {
                    parts.iter().for_each(|p| self.name(p, used, stays));
                }
                Condition::Not(inner) => self.name(inner, used, stays),
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

/// The parts of a conjunction by the loop that changes them: one condition per level, the outermost first.
fn by_level(condition: &Condition) -> Vec<Condition> {
    let Condition::All(parts) = condition else { return vec![condition.clone()] };
    let mut levels: SortedMap<usize, Vec<Condition>> = SortedMap::new();
    for part in parts {
        levels.or_default(level_of_condition(part)).push(part.clone());
    }
    levels.into_values().map(Condition::all).collect()
}
