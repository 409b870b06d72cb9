//! Reference for `exp` and `ln` with about 100 bits, by plain series on pairs of floats.

use std::ops::{Add, Mul};

/// The unevaluated sum of two floats, the second much smaller than the first.
#[derive(Clone, Copy, Debug)]
pub struct Pair(pub f64, pub f64);

/// ln 2; the digits past `f64` are those of 0.693147180559945309417232121458176568.
const LN_2: Pair = Pair(std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);

impl Pair {
    /// The exact sum.
    fn sum(a: f64, b: f64) -> Pair {
        let sum = a + b;
        let back = sum - a;
        Pair(sum, (a - (sum - back)) + (b - back))
    }

    /// The exact product.
    fn product(a: f64, b: f64) -> Pair {
        let product = a * b;
        Pair(product, a.mul_add(b, -product))
    }

    /// The quotient: two digits in base 2^53, and a correction.
    pub fn over(self, divisor: Pair) -> Pair {
        let first = self.0 / divisor.0;
        let rest = self + divisor * Pair(-first, 0.0);
        let second = rest.0 / divisor.0;
        let rest = rest + divisor * Pair(-second, 0.0);
        Pair::sum(first, second) + Pair(rest.0 / divisor.0, 0.0)
    }
}

impl Add for Pair {
    type Output = Pair;

    fn add(self, other: Pair) -> Pair {
        let high = Pair::sum(self.0, other.0);
        let low = Pair::sum(self.1, other.1);
        let high = Pair::sum(high.0, high.1 + low.0);
        Pair::sum(high.0, high.1 + low.1)
    }
}

impl Mul for Pair {
    type Output = Pair;

    fn mul(self, other: Pair) -> Pair {
        let high = Pair::product(self.0, other.0);
        Pair::sum(high.0, high.1 + (self.0 * other.1 + self.1 * other.0))
    }
}

/// The result and the power of two by which it is to be multiplied.
pub fn exp(x: f64) -> (Pair, i32) {
    let n = (x / LN_2.0).round();
    let r = Pair(x, 0.0) + LN_2 * Pair(-n, 0.0);
    // By Horner's rule: 1 + r/1 (1 + r/2 (1 + r/3 (…))).
    let mut sum = Pair(1.0, 0.0);
    for k in (1..=24).rev() {
        sum = Pair(1.0, 0.0) + (r * sum).over(Pair(k as f64, 0.0));
    }
    (sum, n as i32)
}

/// The natural logarithm, for positive finite arguments.
pub fn ln(x: f64) -> Pair {
    let (mut m, mut e) = (x, 0.0);
    if m < f64::MIN_POSITIVE {
        m *= 2_f64.powi(60);
        e -= 60.0;
    }
    let field = (m.to_bits() >> 52) as i64 - 1023;
    m = f64::from_bits(m.to_bits().wrapping_sub((field as u64) << 52));
    e += field as f64;
    if m > 1.4 {
        m /= 2.0;
        e += 1.0;
    }
    // ln m = 2 (s + s^3/3 + s^5/5 + …), s = (m - 1) / (m + 1).
    let s = Pair::sum(m, -1.0).over(Pair::sum(m, 1.0));
    let z = s * s;
    let mut sum = Pair(0.0, 0.0);
    for k in (0..24).rev() {
        sum = Pair(2.0, 0.0).over(Pair((2 * k + 1) as f64, 0.0)) + z * sum;
    }
    s * sum + LN_2 * Pair(e, 0.0)
}

/// The distance of `found` from `exact * 2^exponent`, in units of the last place there.
pub fn error(found: f64, exact: Pair, exponent: i32) -> f64 {
    // Scaled to `exact` in two exact steps, because one power of two may be out of range.
    let half = -exponent / 2;
    let found = match found.is_infinite() {
        // The number after the largest float.
        true => 2_f64.powi(1023 - exponent) * 2.0 * found.signum(),
        false => found * power(half) * power(-exponent - half),
    };
    let binade = (exact.0.abs().to_bits() >> 52) as i32 - 1023 + exponent;
    let unit = power(binade.max(-1022) - 52 - exponent);
    ((found - exact.0) - exact.1).abs() / unit
}

/// 2 to a power between -1074 and 1023, exactly.
fn power(exponent: i32) -> f64 {
    match exponent {
        ..-1022 => f64::from_bits(1 << (exponent + 1074).max(0)),
        _ => f64::from_bits(((exponent + 1023) as u64) << 52),
    }
}

/// Compared with digits computed by Python's decimal arithmetic.
#[test]
fn the_reference_is_right() {
    let close = |found: Pair, high: f64, low: f64| {
        let off = ((found.0 - high) + (found.1 - low)).abs() / high.abs();
        assert!(off < 1e-29, "{found:?}: {off:e}");
    };
    assert_eq!(exp(1.0).1, 1);
    close(exp(1.0).0, 1.3591409142295225, 7.228234458646251e-17);
    assert_eq!(exp(-0.3).1, 0);
    close(exp(-0.3).0, 0.7408182206817179, -1.805530505953e-18);
    assert_eq!(exp(100.25).1, 145);
    close(exp(100.25).0, 0.7738778911642261, 9.28256738269415e-18);
    assert_eq!(exp(-745.1).1, -1075);
    close(exp(-745.1).0, 1.0337770169807161, -3.2801478938254484e-17);
    assert_eq!(exp(1e-09).1, 0);
    close(exp(1e-09).0, 1.000000001, -8.224037093664211e-17);
    assert_eq!(exp(709.5).1, 1024);
    close(exp(709.5).0, 0.7537361594354702, -1.0849234726217786e-18);
    close(ln(3.0), 1.0986122886681098, -9.07129723500153e-17);
    close(ln(1.0000000000000002), 2.2204460492503128e-16, 3.649214750845877e-48);
    close(ln(1e-310), -713.8013788281542, -8.592254740270771e-15);
    close(ln(0.7), -0.35667494393873245, 4.82556379937662e-18);
    close(ln(1.5e+308), 709.6016737502742, -9.341641078986696e-15);
    close(ln(0.9999), -0.00010000500033334732, 4.110491732511812e-21);
}
