//! The hyperbolic functions.

use super::pair::Pair;
use super::powers::{exp_less_one, half_exp};
use super::real::{Real, polynomial};

/// sinh(x): a polynomial below 1, and half of e^x less half of e^-x from there on.
#[inline(always)]
pub fn sinh<F: Real>(x: F) -> F {
    let a = x.abs();
    let z = a * a;
    let near = (a * z).fma(polynomial(F::SINH, z), a);
    let half = half_exp(a);
    let far = half.high + (half.low - F::of(0.25) / half.high);
    let value = if a < F::of(1.0) { near } else { far };
    value.negative_if(x.is_negative())
}

/// cosh(x), the sum of half of e^x and half of e^-x.
#[inline(always)]
pub fn cosh<F: Real>(x: F) -> F {
    let half = half_exp(x.abs());
    half.high + (half.low + F::of(0.25) / half.high)
}

/// tanh(x) = u / (u + 2) with u = e^2x - 1.
#[inline(always)]
pub fn tanh<F: Real>(x: F) -> F {
    let a = x.abs();
    let a = if a > F::TANH_MOST { F::TANH_MOST } else { a };
    let u = exp_less_one(a + a);
    let sum = Pair::sum(u.high, F::of(2.0));
    let value = u.over(Pair { high: sum.high, low: sum.low + u.low });
    value.negative_if(x.is_negative())
}
