//! Bounds of the loops of a program, as expressions over sizes, blocks and outer loops.
use super::place_form::{Atom, PlaceForm};
use crate::model::Int;
use crate::planted::planted;
use std::fmt;

/// An expression over sizes, blocks and the times of outer loops, the same for all lanes and warps of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// An affine form.
    Form(PlaceForm),
    /// Σ c · bound.
    Sum(Vec<(Int, Bound)>),
    /// A quotient, rounded down.
    Quotient(Box<Bound>, Int),
    /// The smaller one.
    Least(Box<Bound>, Box<Bound>),
    /// The larger one.
    Greatest(Box<Bound>, Box<Bound>),
}

impl Bound {
    pub fn number(value: Int) -> Bound {
        Bound::Form(PlaceForm::constant(value))
    }

    /// The bound divided by `by`, rounded down.
    pub fn quotient(self, by: Int) -> Bound {
        match self {
            Bound::Form(form) if planted(23) && form.number().is_some() => {
                Bound::number(form.number().unwrap_or_default() / by)
            }
            Bound::Form(form) if form.number().is_some() => {
                Bound::number(form.number().unwrap_or_default().div_euclid(by))
            }
            other if by == 1 => other,
            other => Bound::Quotient(Box::new(other), by),
        }
    }

    /// Σ c · bound, as one form if all terms are forms.
    pub fn sum(terms: Vec<(Int, Bound)>) -> Bound {
        if terms.iter().all(|(_, b)| matches!(b, Bound::Form(_))) {
            let mut total = PlaceForm::constant(0);
            for (c, b) in &terms {
                if let Bound::Form(form) = b {
                    total = total.add(&form.scale(*c, 1));
                }
            }
            return Bound::Form(total);
        }
        Bound::Sum(terms)
    }

    /// Its value, if it is a constant.
    pub fn constant(&self) -> Option<Int> {
        match self {
            Bound::Form(form) => form.number(),
            _ => None,
        }
    }

    /// Visits every form in it, and its factors and divisors as constants.
    pub fn each_form(&self, visit: &mut impl FnMut(&PlaceForm)) {
        match self {
            Bound::Form(form) => form.each_nested(visit),
            Bound::Sum(terms) => terms.iter().for_each(|(c, b)| {
                visit(&PlaceForm::constant(*c));
                b.each_form(visit);
            }),
            Bound::Quotient(of, by) => {
                visit(&PlaceForm::constant(*by));
                of.each_form(visit);
            }
            Bound::Least(a, b) | Bound::Greatest(a, b) => {
                a.each_form(visit);
                b.each_form(visit);
            }
        }
    }

    /// Whether a form in it mentions an atom.
    pub fn mentions(&self, is_meant: &impl Fn(&Atom) -> bool) -> bool {
        let mut found = false;
        self.each_form(&mut |form| found |= form.mentions(is_meant));
        found
    }

    pub fn plus(&self, by: Int) -> Bound {
        match self {
            Bound::Form(form) => Bound::Form(form.plus(by)),
            other => Bound::sum(vec![(1, other.clone()), (1, Bound::number(by))]),
        }
    }

    /// The greatest of the bounds; `None` if there are none.
    pub fn greatest(bounds: impl IntoIterator<Item = Bound>) -> Option<Bound> {
        one_of(bounds, Int::max, Bound::Greatest)
    }

    /// The least of the bounds; `None` if there are none.
    pub fn least(bounds: impl IntoIterator<Item = Bound>) -> Option<Bound> {
        one_of(bounds, Int::min, Bound::Least)
    }

    /// Its value at a place; `None` if a form in it is not a whole number there.
    pub fn value(&self, at: &impl Fn(&Atom) -> Int) -> Option<Int> {
        Some(match self {
            Bound::Form(form) => form.value(at)?,
            Bound::Sum(terms) => terms.iter().try_fold(0, |sum, (c, b)| Some(sum + c * b.value(at)?))?,
            Bound::Quotient(of, by) => of.value(at)?.div_euclid(*by),
            Bound::Least(a, b) => a.value(at)?.min(b.value(at)?),
            Bound::Greatest(a, b) => a.value(at)?.max(b.value(at)?),
        })
    }
}

/// Joins the bounds, after folding all constants into one and dropping duplicates.
fn one_of(
    bounds: impl IntoIterator<Item = Bound>,
    number: fn(Int, Int) -> Int,
    join: fn(Box<Bound>, Box<Bound>) -> Bound,
) -> Option<Bound> {
    let mut constant: Option<Int> = None;
    let mut others: Vec<Bound> = Vec::new();
    for bound in bounds {
        match bound.constant() {
            Some(value) => constant = Some(constant.map_or(value, |c| number(c, value))),
            None if others.contains(&bound) => {}
            None => others.push(bound),
        }
    }
    let all = others.into_iter().chain(constant.map(Bound::number));
    all.reduce(|a, b| join(Box::new(a), Box::new(b)))
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Form(form) => write!(f, "{form}"),
            Bound::Sum(terms) => {
                let each: Vec<String> = terms.iter().map(|(c, b)| format!("{c} * ({b})")).collect();
                f.write_str(&each.join(" + "))
            }
            Bound::Quotient(of, by) => write!(f, "floor(({of}) / {by})"),
            Bound::Least(a, b) => write!(f, "min({a}, {b})"),
            Bound::Greatest(a, b) => write!(f, "max({a}, {b})"),
        }
    }
}
