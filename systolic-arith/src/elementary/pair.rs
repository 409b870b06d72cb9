//! Unevaluated sums of two floats, with about twice the digits of one.

use super::real::Real;

/// `high + low`, where `low` is at most about the last place of `high`.
#[derive(Clone, Copy)]
pub struct Pair<F> {
    pub high: F,
    pub low: F,
}

impl<F: Real> Pair<F> {
    /// The exact sum.
    #[inline(always)]
    pub fn sum(a: F, b: F) -> Pair<F> {
        let high = a + b;
        let back = high - a;
        Pair { high, low: (a - (high - back)) + (b - back) }
    }

    /// The exact sum, where `a` is 0 or `b` is not greater than `a` in magnitude.
    #[inline(always)]
    pub fn ordered_sum(a: F, b: F) -> Pair<F> {
        let high = a + b;
        Pair { high, low: b - (high - a) }
    }

    /// The exact product.
    #[inline(always)]
    pub fn product(a: F, b: F) -> Pair<F> {
        let high = a * b;
        Pair { high, low: a.fma(b, -high) }
    }

    /// The sum, where the other pair is smaller or this one 0.
    #[inline(always)]
    pub fn plus(self, other: Pair<F>) -> Pair<F> {
        let sum = Pair::ordered_sum(self.high, other.high);
        Pair::ordered_sum(sum.high, sum.low + (self.low + other.low))
    }

    /// The product.
    #[inline(always)]
    pub fn times(self, other: Pair<F>) -> Pair<F> {
        let product = Pair::product(self.high, other.high);
        let low = self.high.fma(other.low, self.low.fma(other.high, product.low));
        Pair::ordered_sum(product.high, low)
    }

    /// The quotient, rounded to one float.
    #[inline(always)]
    pub fn over(self, other: Pair<F>) -> F {
        let quotient = self.high / other.high;
        let rest = (-quotient).fma(other.high, self.high) + self.low;
        quotient + (-quotient).fma(other.low, rest) / other.high
    }
}
