//! Conditions on integer points: builds them, negates them, and evaluates them at a point.

use crate::{Form, Int};

/// A condition on integer points.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Formula {
    /// True at every point.
    True,
    /// True at no point.
    False,
    /// form ≥ 0.
    AtLeast(Form),
    /// form = 0.
    Zero(Form),
    /// form mod modulus = is. The remainder is never negative, so an `is` outside 0..modulus holds nowhere. The solver
    /// gives up if the modulus is below 1.
    Remainder { form: Form, modulus: Int, is: Int },
    /// All of these hold; true for an empty list.
    All(Vec<Formula>),
    /// At least one of these holds; false for an empty list.
    Any(Vec<Formula>),
    /// This does not hold.
    Not(Box<Formula>),
}

impl Formula {
    /// a ≥ b.
    pub fn at_least(a: &Form, b: &Form) -> Formula {
        at_least_zero(a.sub(b))
    }

    /// a ≤ b.
    pub fn at_most(a: &Form, b: &Form) -> Formula {
        at_least_zero(b.sub(a))
    }

    /// a < b.
    pub fn less(a: &Form, b: &Form) -> Formula {
        at_least_zero(b.sub(a).plus(-1))
    }

    /// a > b.
    pub fn greater(a: &Form, b: &Form) -> Formula {
        at_least_zero(a.sub(b).plus(-1))
    }

    /// a = b.
    pub fn equal(a: &Form, b: &Form) -> Formula {
        let form = a.sub(b);
        if form.is_constant() && form.constant != Int::MAX {
            return if form.constant == 0 { Formula::True } else { Formula::False };
        }
        Formula::Zero(form)
    }

    /// a ≠ b, written as a > b or a < b.
    pub fn differs(a: &Form, b: &Form) -> Formula {
        Formula::greater(a, b).or(Formula::less(a, b))
    }

    /// low ≤ x < high.
    pub fn within(x: &Form, low: &Form, high: &Form) -> Formula {
        Formula::at_least(x, low).and(Formula::less(x, high))
    }

    /// The conjunction of both conditions.
    pub fn and(self, other: Formula) -> Formula {
        match (self, other) {
            (Formula::False, _) | (_, Formula::False) => Formula::False,
            (Formula::True, f) | (f, Formula::True) => f,
            (Formula::All(mut a), Formula::All(b)) => {
                a.extend(b);
                Formula::All(a)
            }
            (Formula::All(mut a), b) => {
                a.push(b);
                Formula::All(a)
            }
            (a, Formula::All(mut b)) => {
                b.insert(0, a);
                Formula::All(b)
            }
            (a, b) => Formula::All(vec![a, b]),
        }
    }

    /// The disjunction of both conditions.
    pub fn or(self, other: Formula) -> Formula {
        match (self, other) {
            (Formula::True, _) | (_, Formula::True) => Formula::True,
            (Formula::False, f) | (f, Formula::False) => f,
            (Formula::Any(mut a), Formula::Any(b)) => {
                a.extend(b);
                Formula::Any(a)
            }
            (Formula::Any(mut a), b) => {
                a.push(b);
                Formula::Any(a)
            }
            (a, Formula::Any(mut b)) => {
                b.insert(0, a);
                Formula::Any(b)
            }
            (a, b) => Formula::Any(vec![a, b]),
        }
    }

    /// The complement, with negations pushed down to the atoms. Only `Not(Remainder)` keeps a `Not`.
    pub fn negate(&self) -> Formula {
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::AtLeast(form) => at_least_zero(form.neg().plus(-1)),
            Formula::Zero(form) => at_least_zero(form.plus(-1)).or(at_least_zero(form.neg().plus(-1))),
            Formula::Remainder { .. } => Formula::Not(Box::new(self.clone())),
            Formula::All(parts) => parts.iter().fold(Formula::False, |all, part| all.or(part.negate())),
            Formula::Any(parts) => parts.iter().fold(Formula::True, |all, part| all.and(part.negate())),
            Formula::Not(part) => (**part).clone(),
        }
    }

    /// Whether the condition holds at a point; missing coordinates are zero. Returns `None` on overflow or for a
    /// modulus below 1.
    pub fn holds(&self, point: &[Int]) -> Option<bool> {
        match self {
            Formula::True => Some(true),
            Formula::False => Some(false),
            Formula::AtLeast(form) => Some(form.eval(point)? >= 0),
            Formula::Zero(form) => Some(form.eval(point)? == 0),
            Formula::Remainder { form, modulus, is } => {
                if *modulus < 1 {
                    return None;
                }
                Some(form.eval(point)?.checked_rem_euclid(*modulus)? == *is)
            }
            Formula::All(parts) => {
                for part in parts {
                    if !part.holds(point)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Formula::Any(parts) => {
                for part in parts {
                    if part.holds(point)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Formula::Not(part) => Some(!part.holds(point)?),
        }
    }

    /// The condition after substituting images\[k\] for x_k. Dimensions without an image become zero.
    pub fn substitute(&self, images: &[Form]) -> Formula {
        let each = |parts: &[Formula]| parts.iter().map(|p| p.substitute(images)).collect();
        match self {
            Formula::True => Formula::True,
            Formula::False => Formula::False,
            Formula::AtLeast(form) => Formula::AtLeast(form.substitute(images)),
            Formula::Zero(form) => Formula::Zero(form.substitute(images)),
            Formula::Remainder { form, modulus, is } => {
                Formula::Remainder { form: form.substitute(images), modulus: *modulus, is: *is }
            }
            Formula::All(parts) => Formula::All(each(parts)),
            Formula::Any(parts) => Formula::Any(each(parts)),
            Formula::Not(part) => Formula::Not(Box::new(part.substitute(images))),
        }
    }

    /// Whether it mentions one of the dimensions that are meant.
    pub fn mentions(&self, is_meant: &impl Fn(usize) -> bool) -> bool {
        match self {
            Formula::True | Formula::False => false,
            Formula::AtLeast(form) | Formula::Zero(form) | Formula::Remainder { form, .. } => form.mentions(is_meant),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().any(|part| part.mentions(is_meant)),
            Formula::Not(part) => part.mentions(is_meant),
        }
    }

    /// The highest dimension mentioned, plus one.
    pub fn dims(&self) -> usize {
        match self {
            Formula::True | Formula::False => 0,
            Formula::AtLeast(form) | Formula::Zero(form) | Formula::Remainder { form, .. } => form.dims(),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().map(Formula::dims).max().unwrap_or(0),
            Formula::Not(part) => part.dims(),
        }
    }
}

fn at_least_zero(form: Form) -> Formula {
    // Int::MAX stands for an overflow; keep it, so that the solver sees it and gives up.
    if form.is_constant() && form.constant != Int::MAX {
        return if form.constant >= 0 { Formula::True } else { Formula::False };
    }
    Formula::AtLeast(form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connectives_simplify_and_flatten() {
        let x = Form::var(0);
        let (a, b) = (Formula::AtLeast(x.clone()), Formula::Zero(x.clone()));
        assert_eq!(Formula::True.and(a.clone()), a);
        assert_eq!(Formula::False.and(a.clone()), Formula::False);
        assert_eq!(a.clone().and(b.clone()).and(a.clone()), Formula::All(vec![a.clone(), b.clone(), a.clone()]));
        assert_eq!(Formula::differs(&x, &x), Formula::False);
    }

    #[test]
    fn negation_is_the_complement_at_every_point() {
        let x = Form::var(0);
        let formula = Formula::All(vec![
            Formula::within(&x, &Form::constant(-2), &Form::constant(5)),
            Formula::Any(vec![
                Formula::Remainder { form: x.clone(), modulus: 3, is: 1 },
                Formula::Not(Box::new(Formula::Zero(x.plus(-2)))),
            ]),
        ]);
        for at in -9..9 {
            assert_eq!(formula.negate().holds(&[at]), formula.holds(&[at]).map(|h| !h));
        }
    }
}
