//! Conditions on a place: comparisons of forms, joined by and, or, not. A comparison is false where its form is not an
//! integer.
use crate::mapping::{Atom, PlaceForm};
use crate::model::{Form, Formula, Int};
use std::collections::HashSet;
use std::fmt;

/// A predicate on a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// The form is at least 0.
    AtLeast(PlaceForm),
    /// The form is 0.
    Zero(PlaceForm),
    /// The form is `is` modulo `modulus`.
    Remainder { form: PlaceForm, modulus: Int, is: Int },
    /// All parts hold.
    All(Vec<Condition>),
    /// At least one part holds.
    Any(Vec<Condition>),
    /// The inner condition does not hold.
    Not(Box<Condition>),
}

impl Condition {
    /// The condition of a formula whose dimensions are given as forms of the place. `decide` may replace each comparison.
    pub fn of(formula: &Formula, dims: &[PlaceForm], decide: &impl Fn(Condition) -> Condition) -> Condition {
        let form = |f: &Form| {
            let mut result = PlaceForm::constant(f.constant);
            for (k, c) in f.coefs.iter().enumerate().filter(|(_, c)| **c != 0) {
                result = result.add(&dims[k].scale(*c, 1));
            }
            result
        };
        match formula {
            Formula::True => Condition::True,
            Formula::False => Condition::False,
            Formula::AtLeast(f) => decide(Condition::AtLeast(form(f))),
            Formula::Zero(f) => decide(Condition::Zero(form(f))),
            Formula::Remainder { form: f, modulus, is } => {
                decide(Condition::Remainder { form: form(f), modulus: *modulus, is: *is })
            }
            Formula::All(parts) => Condition::all(parts.iter().map(|p| Condition::of(p, dims, decide))),
            Formula::Any(parts) => Condition::any(parts.iter().map(|p| Condition::of(p, dims, decide))),
            Formula::Not(inner) => Condition::of(inner, dims, decide).negate(),
        }
    }

    /// The conjunction of some conditions, flattened, without duplicates and constants.
    pub fn all(parts: impl IntoIterator<Item = Condition>) -> Condition {
        let mut flat: Vec<Condition> = Vec::new();
        for part in parts {
            match part {
                Condition::True => {}
                Condition::False => return Condition::False,
                Condition::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        let mut flat = distinct(flat);
        match flat.len() {
            0 => Condition::True,
            1 => flat.remove(0),
            _ => Condition::All(flat),
        }
    }

    /// The disjunction of some conditions, flattened, without duplicates and constants.
    pub fn any(parts: impl IntoIterator<Item = Condition>) -> Condition {
        let mut flat: Vec<Condition> = Vec::new();
        for part in parts {
            match part {
                Condition::False => {}
                Condition::True => return Condition::True,
                Condition::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        let mut flat = distinct(flat);
        match flat.len() {
            0 => Condition::False,
            1 => flat.remove(0),
            _ => Condition::Any(flat),
        }
    }

    /// Both.
    pub fn and(self, other: Condition) -> Condition {
        Condition::all([self, other])
    }

    /// At least one of both.
    pub fn or(self, other: Condition) -> Condition {
        Condition::any([self, other])
    }

    /// The opposite.
    pub fn negate(self) -> Condition {
        match self {
            Condition::True => Condition::False,
            Condition::False => Condition::True,
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }

    /// Whether it holds at a place.
    pub fn holds(&self, at: &impl Fn(&Atom) -> Int) -> bool {
        match self {
            Condition::True => true,
            Condition::False => false,
            Condition::AtLeast(form) => form.value(at).is_some_and(|v| v >= 0),
            Condition::Zero(form) => form.value(at) == Some(0),
            Condition::Remainder { form, modulus, is } => form.value(at).is_some_and(|v| v.rem_euclid(*modulus) == *is),
            Condition::All(parts) => parts.iter().all(|p| p.holds(at)),
            Condition::Any(parts) => parts.iter().any(|p| p.holds(at)),
            Condition::Not(inner) => !inner.holds(at),
        }
    }

    /// The condition with every comparison replaced.
    pub fn map(&self, one: &mut impl FnMut(&Condition) -> Condition) -> Condition {
        match self {
            Condition::True | Condition::False => self.clone(),
            Condition::All(parts) => Condition::all(parts.iter().map(|p| p.map(one)).collect::<Vec<_>>()),
            Condition::Any(parts) => Condition::any(parts.iter().map(|p| p.map(one)).collect::<Vec<_>>()),
            Condition::Not(inner) => inner.map(one).negate(),
            comparison => one(comparison),
        }
    }

    /// Visits the comparisons.
    pub fn each(&self, visit: &mut impl FnMut(&Condition)) {
        match self {
            Condition::True | Condition::False => {}
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|p| p.each(visit)),
            Condition::Not(inner) => inner.each(visit),
            comparison => visit(comparison),
        }
    }

    /// Visits the forms that are compared.
    pub fn each_form(&self, visit: &mut impl FnMut(&PlaceForm)) {
        self.each(&mut |comparison| {
            if let Condition::AtLeast(form) | Condition::Zero(form) | Condition::Remainder { form, .. } = comparison {
                visit(form);
            }
        });
    }

    /// Whether a form that it compares mentions an atom.
    pub fn mentions(&self, is_meant: &impl Fn(&Atom) -> bool) -> bool {
        let mut found = false;
        self.each_form(&mut |form| found |= form.mentions(is_meant));
        found
    }
}

/// Removes duplicates and keeps the order. A chain of `else if` gives lists of hundreds, hence the set.
fn distinct(mut list: Vec<Condition>) -> Vec<Condition> {
    if list.len() > 1 {
        let mut seen = HashSet::with_capacity(list.len());
        let mut is_new: Vec<bool> = list.iter().map(|condition| seen.insert(condition)).collect();
        is_new.reverse();
        list.retain(|_| is_new.pop().unwrap_or(true));
    }
    list
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined =
            |parts: &[Condition], word: &str| parts.iter().map(|p| p.to_string()).collect::<Vec<_>>().join(word);
        match self {
            Condition::True => f.write_str("always"),
            Condition::False => f.write_str("never"),
            Condition::AtLeast(form) => write!(f, "{form} >= 0"),
            Condition::Zero(form) => write!(f, "{form} == 0"),
            Condition::Remainder { form, modulus, is } => write!(f, "{form} % {modulus} == {is}"),
            Condition::All(parts) => write!(f, "({})", joined(parts, " and ")),
            Condition::Any(parts) => write!(f, "({})", joined(parts, " or ")),
            Condition::Not(inner) => write!(f, "not {inner}"),
        }
    }
}
