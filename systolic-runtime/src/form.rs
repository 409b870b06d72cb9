//! Affine forms and conditions on them. Emitted code contains them as constants.
use std::fmt::Write;

/// An affine form Σ coefs·dims + constant; its dimensions are the sizes, then the loops. Missing coefficients are zero.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// One coefficient per dimension.
    pub coefs: &'static [i128],
    /// The constant term.
    pub constant: i128,
    /// The same form if it is simple, as most are: every call evaluates some.
    pub(crate) simple: Simple,
}

/// A form with at most one dimension, whose coefficient is 1, and a constant that fits in 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Simple {
    /// A dimension plus a number.
    Plus(usize, i64),
    /// A number.
    Number(i64),
    /// Any other form.
    No,
}

impl Simple {
    const fn of(coefs: &[i128], constant: i128) -> Simple {
        if constant != constant as i64 as i128 {
            return Simple::No;
        }
        let mut simple = Simple::Number(constant as i64);
        let mut k = 0;
        while k < coefs.len() {
            simple = match (coefs[k], simple) {
                (0, _) => simple,
                (1, Simple::Number(plus)) => Simple::Plus(k, plus),
                _ => return Simple::No,
            };
            k += 1;
        }
        simple
    }
}

/// A condition on affine forms.
#[derive(Clone, Copy, Debug)]
pub enum Formula {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// The form is at least 0.
    AtLeast(Form),
    /// The form is 0.
    Zero(Form),
    /// The form modulo a positive number has a given remainder, which is never negative.
    Remainder {
        /// The form.
        form: Form,
        /// The modulus.
        modulus: i128,
        /// The required remainder.
        is: i128,
    },
    /// All of these hold.
    All(&'static [Formula]),
    /// At least one of these holds.
    Any(&'static [Formula]),
    /// This does not hold.
    Not(&'static Formula),
}

impl Form {
    /// Returns the form with these coefficients and this constant.
    pub const fn new(coefs: &'static [i128], constant: i128) -> Form {
        Form { coefs, constant, simple: Simple::of(coefs, constant) }
    }

    /// Returns the coefficient of dimension `k`.
    pub fn coef(&self, k: usize) -> i128 {
        self.coefs.get(k).copied().unwrap_or(0)
    }

    /// Returns the value at `dims`, or `None` on overflow.
    pub fn value(&self, dims: &[i128]) -> Option<i128> {
        let terms = self.coefs.iter().zip(dims);
        terms.into_iter().try_fold(self.constant, |sum, (c, d)| sum.checked_add(c.checked_mul(*d)?))
    }

    /// Returns the least and the greatest value over a box of inclusive ranges, or `None` on overflow.
    pub fn interval(&self, ranges: &[(i128, i128)]) -> Option<(i128, i128)> {
        let mut interval = (self.constant, self.constant);
        for (c, (low, high)) in self.coefs.iter().zip(ranges) {
            let (a, b) = (c.checked_mul(*low)?, c.checked_mul(*high)?);
            interval = (interval.0.checked_add(a.min(b))?, interval.1.checked_add(a.max(b))?);
        }
        Some(interval)
    }

    /// Returns an upper bound on the absolute value of every partial sum over a box of inclusive ranges, or `None` on overflow.
    pub fn magnitude(&self, ranges: &[(i128, i128)]) -> Option<i128> {
        let mut sum = self.constant.checked_abs()?;
        for (c, (low, high)) in self.coefs.iter().zip(ranges) {
            let widest = low.checked_abs()?.max(high.checked_abs()?);
            sum = sum.checked_add(c.checked_abs()?.checked_mul(widest)?)?;
        }
        Some(sum)
    }

    /// Returns the form as text, `2 * C + 3`, with these names of the dimensions.
    pub fn text(&self, names: &[&str]) -> String {
        let mut text = String::new();
        for (c, name) in self.coefs.iter().zip(names).filter(|(c, _)| **c != 0) {
            match (text.is_empty(), *c < 0) {
                (true, true) => text.push('-'),
                (true, false) => {}
                (false, true) => text.push_str(" - "),
                (false, false) => text.push_str(" + "),
            }
            // Writing to a string cannot fail.
            let _ = match c.unsigned_abs() {
                1 => write!(text, "{name}"),
                c => write!(text, "{c} * {name}"),
            };
        }
        let _ = match self.constant {
            k if text.is_empty() => write!(text, "{k}"),
            0 => Ok(()),
            k if k < 0 => write!(text, " - {}", k.unsigned_abs()),
            k => write!(text, " + {k}"),
        };
        text
    }
}

impl Formula {
    /// Returns whether the condition holds at `dims`, or `None` if a form overflows.
    pub fn holds(&self, dims: &[i128]) -> Option<bool> {
        Some(match self {
            Formula::True => true,
            Formula::False => false,
            Formula::AtLeast(form) => form.value(dims)? >= 0,
            Formula::Zero(form) => form.value(dims)? == 0,
            Formula::Remainder { form, modulus, is } => form.value(dims)?.checked_rem_euclid(*modulus)? == *is,
            Formula::All(all) => {
                for f in *all {
                    if !f.holds(dims)? {
                        return Some(false);
                    }
                }
                true
            }
            Formula::Any(any) => {
                for f in *any {
                    if f.holds(dims)? {
                        return Some(true);
                    }
                }
                false
            }
            Formula::Not(f) => !f.holds(dims)?,
        })
    }

    /// Calls `visit` with every form in the condition.
    pub fn forms(&self, visit: &mut impl FnMut(&Form)) {
        match self {
            Formula::True | Formula::False => {}
            Formula::AtLeast(form) | Formula::Zero(form) | Formula::Remainder { form, .. } => visit(form),
            Formula::All(list) | Formula::Any(list) => list.iter().for_each(|f| f.forms(visit)),
            Formula::Not(f) => f.forms(visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(coefs: &'static [i128], constant: i128) -> Form {
        Form::new(coefs, constant)
    }

    #[test]
    fn text_reads_as_written() {
        let check = |f: Form, text: &str| assert_eq!(f.text(&["R", "C"]), text);
        check(form(&[], 0), "0");
        check(form(&[1], 0), "R");
        check(form(&[-1, 2], 3), "-R + 2 * C + 3");
        check(form(&[1, -1], -1), "R - C - 1");
        check(form(&[0, 0], -7), "-7");
    }

    #[test]
    fn intervals_hold_every_value() {
        let f = form(&[2, -3], 1);
        let (low, high) = f.interval(&[(0, 4), (-1, 2)]).unwrap();
        for a in 0..=4 {
            for b in -1..=2 {
                let v = f.value(&[a, b]).unwrap();
                assert!(low <= v && v <= high);
                assert!(v.abs() <= f.magnitude(&[(0, 4), (-1, 2)]).unwrap());
            }
        }
        assert_eq!((low, high), (-5, 12));
    }

    #[test]
    fn overflow_has_no_value() {
        assert_eq!(form(&[i128::MAX], 1).value(&[1]), None);
        assert_eq!(form(&[i128::MAX], 0).value(&[2]), None);
        assert_eq!(Formula::Zero(form(&[i128::MAX], 0)).holds(&[2]), None);
    }

    #[test]
    fn formulas_hold_as_their_words_say() {
        static BOTH: [Formula; 2] = [Formula::True, Formula::False];
        let odd = Formula::Remainder { form: Form::new(&[1], 0), modulus: 2, is: 1 };
        assert_eq!(odd.holds(&[-3]), Some(true));
        assert_eq!(odd.holds(&[4]), Some(false));
        assert_eq!(Formula::All(&BOTH).holds(&[]), Some(false));
        assert_eq!(Formula::Any(&BOTH).holds(&[]), Some(true));
        assert_eq!(Formula::Not(&BOTH[0]).holds(&[]), Some(false));
        assert_eq!(Formula::AtLeast(form(&[1], -2)).holds(&[2]), Some(true));
        assert_eq!(Formula::AtLeast(form(&[1], -2)).holds(&[1]), Some(false));
    }
}
