//! Powers and logarithms.

use super::pair::Pair;
use super::real::{Real, polynomial};

/// e to the power of `x`.
#[inline(always)]
pub fn exp<F: Real>(x: F) -> F {
    let x = limited(x, F::EXP_RANGE);
    let (shifted, r) = without_ln_2(x);
    let p = F::of(1.0) + (r * r).fma(polynomial(F::EXP, r), r);
    p.scaled(shifted)
}

/// Half of e to the power of `x`, as a pair, for `x` from 0 on.
#[inline(always)]
pub fn half_exp<F: Real>(x: F) -> Pair<F> {
    let x = if x > F::HALF_EXP_MOST { F::HALF_EXP_MOST } else { x };
    let (shifted, r) = without_ln_2(x);
    let p = Pair::ordered_sum(F::of(1.0), (r * r).fma(polynomial(F::EXP, r), r));
    let shifted = shifted - F::of(1.0);
    Pair { high: p.high.scaled(shifted), low: p.low.scaled(shifted) }
}

/// e to the power of `x` less 1, as a pair, for `x` from 0 to 40 or so.
#[inline(always)]
pub fn exp_less_one<F: Real>(x: F) -> Pair<F> {
    let (shifted, r) = without_ln_2(x);
    let q = Pair::ordered_sum(r, r * r * polynomial(F::EXP, r));
    let sum = Pair::ordered_sum(F::of(1.0).scaled(shifted) - F::of(1.0), q.high.scaled(shifted));
    Pair { high: sum.high, low: sum.low + q.low.scaled(shifted) }
}

/// `SHIFT + n` and `x - n ln 2`, for the integer n that makes the second smallest.
#[inline(always)]
fn without_ln_2<F: Real>(x: F) -> (F, F) {
    let shifted = x.fma(F::LOG2_E.high, F::SHIFT);
    let n = shifted - F::SHIFT;
    (shifted, (-n).fma(F::LN_2.low, (-n).fma(F::LN_2.high, x)))
}

/// 2 to the power of `x`.
#[inline(always)]
pub fn exp2<F: Real>(x: F) -> F {
    exp2_of_pair(limited(x, F::EXP2_RANGE), F::of(0.0))
}

/// 2 to the power of `high + low`, for `high` in the range of `exp2`.
#[inline(always)]
fn exp2_of_pair<F: Real>(high: F, low: F) -> F {
    let shifted = high + F::SHIFT;
    let r = high - (shifted - F::SHIFT);
    let t = Pair::product(r, F::LN_2.high);
    let low = low.fma(F::LN_2.high, r.fma(F::LN_2.low, t.low));
    let t = t.high;
    let (square, tail) = (t * t, polynomial(F::EXP, t));
    // e^(t + low) = e^t + low e^t; the first factor of the last product is e^t - 1.
    let correction = square.fma(tail, t).fma(low, low);
    let p = F::of(1.0) + (t + square.fma(tail, correction));
    p.scaled(shifted)
}

/// The number within a range, or NaN. Comparisons instead of `clamp`, so that NaN passes through.
#[inline(always)]
fn limited<F: Real>(x: F, [least, most]: [F; 2]) -> F {
    let x = if x > most { most } else { x };
    if x < least { least } else { x }
}

/// The natural logarithm of `x`.
#[inline(always)]
pub fn ln<F: Real>(x: F) -> F {
    let (m, e) = x.split();
    let y = (m - F::of(1.0)).ln_near_one();
    logarithm(x, e.fma(F::LN_2.high, e.fma(F::LN_2.low, y)))
}

/// The logarithm of `x` to base 2.
#[inline(always)]
pub fn log2<F: Real>(x: F) -> F {
    let (m, e) = x.split();
    let y = (m - F::of(1.0)).ln_near_one();
    logarithm(x, y.fma(F::LOG2_E.high, y.fma(F::LOG2_E.low, e)))
}

/// The result of a logarithm, given that for positive finite arguments.
#[inline(always)]
fn logarithm<F: Real>(x: F, result: F) -> F {
    let zero = F::of(0.0);
    if x > zero && x < F::INFINITY {
        result
    } else if x == zero {
        -F::INFINITY
    } else if x > zero {
        F::INFINITY
    } else {
        F::NAN
    }
}

/// The logarithm to base 2 of a positive finite number, as a pair.
#[inline(always)]
fn log2_pair<F: Real>(x: F) -> Pair<F> {
    let (m, e) = x.split();
    let f = m - F::of(1.0);
    let sum = Pair::sum(m, F::of(1.0));
    let s = f / sum.high;
    let s = Pair { high: s, low: (-s).fma(sum.low, (-s).fma(sum.high, f)) / sum.high };
    // atanh(s) = s + s z (1/3 + z (1/5 + …)), with z = s^2.
    let z = s.times(s);
    let tail = Pair::ordered_sum(F::THIRD.high, z.high * polynomial(F::ATANH, z.high));
    let tail = Pair { high: tail.high, low: tail.low + F::THIRD.low };
    let atanh = s.plus(s.times(z.times(tail)));
    let twice = Pair { high: atanh.high + atanh.high, low: atanh.low + atanh.low };
    Pair { high: e, low: F::of(0.0) }.plus(twice.times(F::LOG2_E))
}

/// `x` to the power of `y`.
#[inline(always)]
pub fn pow<F: Real>(x: F, y: F) -> F {
    let (zero, one) = (F::of(0.0), F::of(1.0));
    let a = x.abs();
    let log = log2_pair(a);
    let by = limited(y, [-F::POW_MOST, F::POW_MOST]);
    let product = Pair::product(by, log.high);
    let high = limited(product.high, F::EXP2_RANGE);
    let low = if high == product.high { by.fma(log.low, product.low) } else { zero };
    let ends = a == zero || a == F::INFINITY;
    let end = if (a == zero) == (y < zero) { F::INFINITY } else { zero };
    let magnitude = if ends { end } else { exp2_of_pair(high, low) };
    let half = y * F::of(0.5);
    let whole = y.trunc() == y;
    let odd = whole && half.trunc() != half;
    let result = magnitude.negative_if(odd && x.is_negative());
    let outside = x < zero && !ends && !whole;
    #[allow(clippy::eq_op)]
    let numbers = x == x && y == y;
    if y == zero || x == one {
        one
    } else if numbers && !outside {
        result
    } else {
        F::NAN
    }
}
