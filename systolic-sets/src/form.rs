//! Affine forms, the terms of conditions.

use crate::Int;
use std::ops::{Add, Mul, Neg, Sub};

/// The affine form Σ coefs\[k\]·x_k + constant. It is dense over the dimensions of its space; missing coefficients are
/// zero.
///
/// Every function here returns forms without trailing zero coefficients, so that `==` is equality of forms.
/// [`Form::new`] removes trailing zeros from any list of coefficients.
///
/// The arithmetic does not fail: a coefficient that overflows becomes `Int::MAX` and stays there, and the solver gives
/// up on a form that contains `Int::MAX`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Form {
    pub coefs: Vec<Int>,
    pub constant: Int,
}

impl Form {
    /// The form with these coefficients.
    pub fn new(coefs: Vec<Int>, constant: Int) -> Form {
        let mut form = Form { coefs, constant };
        form.trim();
        form
    }

    /// The form that is c everywhere.
    pub fn constant(c: Int) -> Form {
        Form { coefs: Vec::new(), constant: c }
    }

    /// The form x_k.
    pub fn var(k: usize) -> Form {
        let mut coefs = vec![0; k];
        coefs.push(1);
        Form { coefs, constant: 0 }
    }

    /// The coefficient of x_k.
    pub fn coef(&self, k: usize) -> Int {
        match self.coefs.get(k) {
            Some(c) => *c,
            None => 0,
        }
    }

    /// Whether the form mentions no dimension.
    pub fn is_constant(&self) -> bool {
        self.coefs.iter().all(|c| *c == 0)
    }

    /// Whether it mentions one of the dimensions that are meant.
    pub fn mentions(&self, is_meant: &impl Fn(usize) -> bool) -> bool {
        self.coefs.iter().enumerate().any(|(k, c)| *c != 0 && is_meant(k))
    }

    /// The highest dimension mentioned, plus one.
    pub fn dims(&self) -> usize {
        let mut dims = self.coefs.len();
        while dims > 0 && self.coefs[dims - 1] == 0 {
            dims -= 1;
        }
        dims
    }

    /// The sum of two forms.
    pub fn add(&self, other: &Form) -> Form {
        let mut sum = self.clone();
        sum.add_scaled(1, other);
        sum.trim();
        sum
    }

    /// The difference of two forms.
    pub fn sub(&self, other: &Form) -> Form {
        let mut difference = self.clone();
        difference.add_scaled(-1, other);
        difference.trim();
        difference
    }

    /// The form with the opposite sign.
    pub fn neg(&self) -> Form {
        self.scale(-1)
    }

    /// The form times a number.
    pub fn scale(&self, by: Int) -> Form {
        let coefs = self.coefs.iter().map(|c| product(*c, by)).collect();
        Form::new(coefs, product(self.constant, by))
    }

    /// The form plus a number.
    pub fn plus(&self, c: Int) -> Form {
        Form { coefs: self.coefs.clone(), constant: sum(self.constant, c) }
    }

    /// The value at a point; missing coordinates are zero. Returns `None` on overflow.
    pub fn eval(&self, point: &[Int]) -> Option<Int> {
        let mut total = self.constant;
        if total == Int::MAX {
            return None;
        }
        let shared = self.coefs.len().min(point.len());
        let (coefs, point) = (&self.coefs[..], point);
        let mut k = 0;
        while k < shared {
            let c = coefs[k];
            if c == Int::MAX {
                return None;
            }
            if c != 0 {
                total = total.checked_add(c.checked_mul(point[k])?)?;
            }
            k += 1;
        }
        Some(total)
    }

    /// The form after substituting images\[k\] for x_k. Dimensions without an image become zero.
    pub fn substitute(&self, images: &[Form]) -> Form {
        let mut result = Form::constant(self.constant);
        for (c, image) in self.coefs.iter().zip(images) {
            if *c != 0 {
                result.add_scaled(*c, image);
            }
        }
        result.trim();
        result
    }

    fn add_scaled(&mut self, by: Int, other: &Form) {
        if self.coefs.len() < other.coefs.len() {
            self.coefs.resize(other.coefs.len(), 0);
        }
        for (mine, theirs) in self.coefs.iter_mut().zip(&other.coefs) {
            if *theirs != 0 {
                *mine = sum(*mine, product(*theirs, by));
            }
        }
        self.constant = sum(self.constant, product(other.constant, by));
    }

    fn trim(&mut self) {
        let dims = self.dims();
        self.coefs.truncate(dims);
    }
}

/// Overflow gives `Int::MAX` and stays there, so that a wrong form is never taken for a valid one.
fn sum(a: Int, b: Int) -> Int {
    if a == Int::MAX || b == Int::MAX {
        return Int::MAX;
    }
    match a.checked_add(b) {
        Some(c) => c,
        None => Int::MAX,
    }
}

fn product(a: Int, b: Int) -> Int {
    if a == Int::MAX || b == Int::MAX {
        return Int::MAX;
    }
    match a.checked_mul(b) {
        Some(c) => c,
        None => Int::MAX,
    }
}

macro_rules! binary {
    ($trait:ident, $method:ident) => {
        impl $trait<&Form> for &Form {
            type Output = Form;
            fn $method(self, other: &Form) -> Form {
                Form::$method(self, other)
            }
        }
        impl $trait<Form> for &Form {
            type Output = Form;
            fn $method(self, other: Form) -> Form {
                Form::$method(self, &other)
            }
        }
        impl $trait<&Form> for Form {
            type Output = Form;
            fn $method(self, other: &Form) -> Form {
                Form::$method(&self, other)
            }
        }
        impl $trait<Form> for Form {
            type Output = Form;
            fn $method(self, other: Form) -> Form {
                Form::$method(&self, &other)
            }
        }
    };
}

binary!(Add, add);
binary!(Sub, sub);

impl Neg for &Form {
    type Output = Form;
    fn neg(self) -> Form {
        Form::neg(self)
    }
}

impl Neg for Form {
    type Output = Form;
    fn neg(self) -> Form {
        Form::neg(&self)
    }
}

impl Mul<Int> for &Form {
    type Output = Form;
    fn mul(self, by: Int) -> Form {
        self.scale(by)
    }
}

impl Mul<Int> for Form {
    type Output = Form;
    fn mul(self, by: Int) -> Form {
        self.scale(by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_equal_when_their_values_are() {
        let x = Form::var(1);
        assert_eq!(&x - &x, Form::constant(0));
        assert_eq!((&x * 3 + Form::constant(2)).sub(&x.scale(3)), Form::constant(2));
        assert_eq!(x.coef(7), 0);
    }

    #[test]
    fn substitution_composes() {
        let form = Form::var(0) * 2 - Form::var(1).plus(1);
        let images = [Form::var(2).plus(5), Form::var(0) * 3];
        let point = [7, 0, 4];
        let inner: Vec<Int> = images.iter().map(|f| f.eval(&point).unwrap_or(0)).collect();
        assert_eq!(form.substitute(&images).eval(&point), form.eval(&inner));
    }

    #[test]
    fn overflow_is_never_forgotten() {
        let huge = Form::constant(Int::MAX - 1).plus(5);
        assert_eq!(huge.plus(-10).neg().eval(&[]), None);
        assert_eq!(huge.scale(0).eval(&[]), None);
    }
}
