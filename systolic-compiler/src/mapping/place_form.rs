//! Affine forms over places: of sizes, block, warp, lane and time, with rational coefficients, and of remainders of such forms.
//! Where the form of a loop is not a whole number, the place is not an iteration point.
use crate::model::{Int, gcd};
use std::cmp::Ordering;
use std::fmt;

/// A variable of a form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// A run-time size, by number.
    Size(usize),
    /// A block row, by number.
    Block(usize),
    /// The coordinate of a warp row, from 0.
    Warp(usize),
    /// The coordinate of a lane row, from 0. With a fold, this is the lane and not the value of the row.
    Lane(usize),
    /// The register of the fold. It is a constant in every instance of the step.
    Register,
    /// A loop of the program, by number; after the loops, a row that is unrolled, which is a constant in every instance.
    Time(usize),
    /// The remainder of a form modulo a number, never negative.
    Remainder(Box<PlaceForm>, Int),
}

/// (Σ terms + constant) / denominator, as a reduced fraction with a positive denominator.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceForm {
    /// Sorted by atom, without coefficients 0. Forms are short and built often: a list is much faster than a map.
    terms: Vec<(Atom, Int)>,
    constant: Int,
    denominator: Int,
}

impl PlaceForm {
    pub fn constant(value: Int) -> PlaceForm {
        PlaceForm { terms: Vec::new(), constant: value, denominator: 1 }
    }

    pub fn atom(atom: Atom) -> PlaceForm {
        PlaceForm { terms: vec![(atom, 1)], constant: 0, denominator: 1 }
    }

    pub fn terms(&self) -> impl Iterator<Item = (&Atom, Int)> {
        self.terms.iter().map(|(a, c)| (a, *c))
    }

    /// The constant part of the numerator.
    pub fn offset(&self) -> Int {
        self.constant
    }

    pub fn denominator(&self) -> Int {
        self.denominator
    }

    /// Its value, if it is the same whole number at every place.
    pub fn number(&self) -> Option<Int> {
        (self.terms.is_empty() && self.denominator == 1).then_some(self.constant)
    }

    /// Whether it is a whole number at every place and contains no remainder.
    pub fn is_plain(&self) -> bool {
        self.denominator == 1 && !self.terms.iter().any(|(a, _)| matches!(a, Atom::Remainder(..)))
    }

    pub fn plus(&self, by: Int) -> PlaceForm {
        let moved = self.denominator.checked_mul(by).and_then(|by| self.constant.checked_add(by));
        match moved.filter(|_| !self.is_broken()) {
            // The fraction stays reduced.
            Some(constant) => PlaceForm { constant, ..self.clone() },
            None => PlaceForm::broken(),
        }
    }

    pub fn add(&self, other: &PlaceForm) -> PlaceForm {
        self.combine(1, other, 1, 1)
    }

    pub fn sub(&self, other: &PlaceForm) -> PlaceForm {
        self.combine(1, other, -1, 1)
    }

    /// The form times the fraction `by` / `over`.
    pub fn scale(&self, by: Int, over: Int) -> PlaceForm {
        self.combine(by, &PlaceForm::constant(0), 0, over)
    }

    /// (a · self + b · other) / over
    fn combine(&self, a: Int, other: &PlaceForm, b: Int, over: Int) -> PlaceForm {
        self.checked_combine(a, other, b, over).unwrap_or_else(PlaceForm::broken)
    }

    fn checked_combine(&self, a: Int, other: &PlaceForm, b: Int, over: Int) -> Option<PlaceForm> {
        if self.is_broken() || other.is_broken() {
            return None;
        }
        let (mine, theirs) = (a.checked_mul(other.denominator)?, b.checked_mul(self.denominator)?);
        let terms = sum(&self.terms, mine, &other.terms, theirs)?;
        let constant = self.constant.checked_mul(mine)?.checked_add(other.constant.checked_mul(theirs)?)?;
        let denominator = self.denominator.checked_mul(other.denominator)?.checked_mul(over)?;
        Some(reduced(terms, constant, denominator))
    }

    /// The result of a computation that overflowed. Forms computed from it are broken too, so one check at the end suffices.
    pub fn broken() -> PlaceForm {
        PlaceForm { terms: Vec::new(), constant: 0, denominator: 0 }
    }

    pub fn is_broken(&self) -> bool {
        self.denominator == 0 || self.terms.iter().any(|(a, _)| matches!(a, Atom::Remainder(of, _) if of.is_broken()))
    }

    /// The remainder modulo `by`, as a form.
    pub fn remainder(&self, by: Int) -> PlaceForm {
        match self.number() {
            Some(value) => PlaceForm::constant(value.rem_euclid(by)),
            None => PlaceForm::atom(Atom::Remainder(Box::new(self.clone()), by)),
        }
    }

    /// The greatest common divisor of the coefficients; 0 if there are none.
    pub fn divisor(&self) -> Int {
        self.terms.iter().fold(0, |g, (_, c)| gcd(g, *c))
    }

    /// Replaces atoms by forms. An atom whose image is `None` stays.
    pub fn substitute(&self, image: &impl Fn(&Atom) -> Option<PlaceForm>) -> PlaceForm {
        let mut result = PlaceForm::constant(self.constant);
        for (atom, c) in &self.terms {
            let value = match (image(atom), atom) {
                (Some(value), _) => value,
                (None, Atom::Remainder(of, by)) => of.substitute(image).remainder(*by),
                (None, other) => PlaceForm::atom(other.clone()),
            };
            result = result.combine(1, &value, *c, 1);
        }
        result.scale(1, self.denominator)
    }

    /// With a form in place of one atom.
    pub fn replaced(&self, atom: &Atom, by: &PlaceForm) -> PlaceForm {
        let terms = self.terms.iter().filter(|(a, _)| a != atom).cloned().collect();
        let rest = PlaceForm { terms, ..*self };
        match self.denominator {
            1 => rest.combine(1, by, self.coefficient(atom), 1),
            denominator => {
                let rest = reduced(rest.terms, rest.constant, denominator);
                rest.add(&by.scale(self.coefficient(atom), denominator))
            }
        }
    }

    /// Its value at a place; `None` if that is not a whole number.
    pub fn value(&self, at: &impl Fn(&Atom) -> Int) -> Option<Int> {
        let mut total = self.constant;
        for (atom, c) in &self.terms {
            let value = match atom {
                Atom::Remainder(of, by) => of.value(at)?.rem_euclid(*by),
                other => at(other),
            };
            total += c * value;
        }
        match self.denominator {
            // Most forms have none, and a division of 128 bits is slow.
            1 => Some(total),
            0 => None,
            by => (total % by == 0).then(|| total / by),
        }
    }

    /// Visits every atom that is not a remainder, also inside remainders.
    pub fn each_atom(&self, visit: &mut impl FnMut(&Atom)) {
        for (atom, _) in &self.terms {
            match atom {
                Atom::Remainder(of, _) => of.each_atom(visit),
                plain => visit(plain),
            }
        }
    }

    /// Visits the form and the forms inside its remainders, and the moduli as constants.
    pub fn each_nested(&self, visit: &mut impl FnMut(&PlaceForm)) {
        visit(self);
        for (atom, _) in &self.terms {
            if let Atom::Remainder(of, by) = atom {
                of.each_nested(visit);
                visit(&PlaceForm::constant(*by));
            }
        }
    }

    /// Whether it contains such an atom, also inside remainders. Remainders themselves are not tested.
    pub fn mentions(&self, is_meant: &impl Fn(&Atom) -> bool) -> bool {
        let mut found = false;
        self.each_atom(&mut |a| found |= is_meant(a));
        found
    }

    /// The coefficient of an atom in the numerator.
    pub fn coefficient(&self, atom: &Atom) -> Int {
        self.terms.iter().find(|(a, _)| a == atom).map_or(0, |(_, c)| *c)
    }
}

/// a · one + b · other, sorted, without terms that are 0; `None` on overflow.
fn sum(one: &[(Atom, Int)], a: Int, other: &[(Atom, Int)], b: Int) -> Option<Vec<(Atom, Int)>> {
    let mut terms = Vec::with_capacity(one.len() + other.len());
    let (mut mine, mut theirs) = (one.iter().peekable(), other.iter().peekable());
    loop {
        let next = match (mine.peek(), theirs.peek()) {
            (Some((x, _)), Some((y, _))) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return Some(terms),
        };
        let first = if next != Ordering::Greater { mine.next() } else { None };
        let second = if next != Ordering::Less { theirs.next() } else { None };
        let part = |term: Option<&(Atom, Int)>, factor: Int| term.map_or(Some(0), |(_, c)| c.checked_mul(factor));
        let c = part(first, a)?.checked_add(part(second, b)?)?;
        if let Some((atom, _)) = first.or(second).filter(|_| c != 0) {
            terms.push((atom.clone(), c));
        }
    }
}

fn reduced(mut terms: Vec<(Atom, Int)>, constant: Int, denominator: Int) -> PlaceForm {
    if denominator == 1 {
        return PlaceForm { terms, constant, denominator };
    }
    let common = terms.iter().fold(gcd(constant, denominator), |g, (_, c)| gcd(g, *c)).max(1);
    if common == 1 && denominator > 0 {
        return PlaceForm { terms, constant, denominator };
    }
    let common = if denominator < 0 { -common } else { common };
    terms.iter_mut().for_each(|(_, c)| *c /= common);
    PlaceForm { terms, constant: constant / common, denominator: denominator / common }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Size(k) => write!(f, "size{k}"),
            Atom::Block(k) => write!(f, "block{k}"),
            Atom::Warp(k) => write!(f, "warp{k}"),
            Atom::Lane(k) => write!(f, "lane{k}"),
            Atom::Register => f.write_str("register"),
            Atom::Time(k) => write!(f, "t{k}"),
            Atom::Remainder(of, by) => write!(f, "({of} mod {by})"),
        }
    }
}

impl fmt::Display for PlaceForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (atom, c) in &self.terms {
            let sign = match (text.is_empty(), *c < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            if c.abs() != 1 {
                text.push_str(&format!("{} ", c.abs()));
            }
            text.push_str(&atom.to_string());
        }
        if self.constant != 0 || text.is_empty() {
            let sign = match (text.is_empty(), self.constant < 0) {
                (true, _) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            let value = if text.is_empty() { self.constant } else { self.constant.abs() };
            text.push_str(&format!("{sign}{value}"));
        }
        if self.denominator == 1 { f.write_str(&text) } else { write!(f, "({text}) / {}", self.denominator) }
    }
}
