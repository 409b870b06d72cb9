//! `f32` and `f64`: fused multiply-add, roots, remainders, and the rules for NaN and the two zeros.

use crate::support::{Random, edges, fused, same};
use systolic_arith::{BinaryOp, CompareOp, Type, UnaryOp, Value, ops};

fn singles(random: &mut Random) -> Vec<f32> {
    let mut values: Vec<f32> = edges(Type::F32).into_iter().map(|bits| f32::from_bits(bits as u32)).collect();
    values.extend((0..40).map(|_| random.single()));
    values
}

#[test]
fn f32_fma_rounds_once() {
    let mut random = Random(6);
    let values = singles(&mut random);
    for &a in &values {
        for &b in &values {
            for &c in &values {
                assert!(same(ops::fma(a, b, c), fused(a, b, c)), "{a:e} {b:e} {c:e}");
            }
        }
    }
    for _ in 0..300_000 {
        let (a, b) = (random.single(), random.single());
        // Near the negated product, where the sum cancels and double rounding would show.
        let c = match random.bits() & 1 {
            0 => random.single(),
            _ => f32::from_bits((-(a * b)).to_bits() ^ (random.bits() & 7) as u32),
        };
        assert!(same(ops::fma(a, b, c), fused(a, b, c)), "{a:e} {b:e} {c:e}");
    }
}

/// On integers that fill `f64`, for which 128 bits hold the exact sum.
#[test]
fn f64_fma_rounds_once() {
    let mut random = Random(7);
    for _ in 0..300_000 {
        let mut operand = || (random.bits() >> 11) as i128 - (1 << 52);
        let (a, b, c) = (operand(), operand(), operand());
        let shift = random.below(70);
        let exact = a * b + (c << shift);
        let found = ops::fma(a as f64, b as f64, c as f64 * (1_u128 << shift) as f64);
        assert_eq!(found.to_bits(), (exact as f64).to_bits());
    }
}

#[test]
fn roots_are_nearest() {
    let mut random = Random(8);
    for x in singles(&mut random) {
        assert!(same(ops::sqrt(x), (x as f64).sqrt() as f32), "{x:e}");
    }
    for _ in 0..200_000 {
        let x = random.single();
        assert!(same(ops::sqrt(x), (x as f64).sqrt() as f32), "{x:e}");
        // m has at most 54 bits, and 26 more places of its root give 53 bits.
        let m = (1 << 52 | random.bits() >> 12) << (random.bits() & 1);
        let exponent = 2 * random.below(400) as i32 - 400;
        let root = ops::sqrt(m as f64 * 2_f64.powi(exponent));
        let places = (root * 2_f64.powi(26 - exponent / 2)) as u128;
        let scaled = (m as u128) << 54;
        assert!((2 * places - 1).pow(2) < scaled && scaled < (2 * places + 1).pow(2), "{m}");
    }
    assert!(ops::sqrt(-1.0_f64).is_nan());
    assert_eq!(ops::sqrt(-0.0_f32).to_bits(), (-0.0_f32).to_bits());
}

/// The remainder, by shifting and subtracting integers.
fn remainder(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() || a.is_infinite() || b == 0.0 {
        return f32::NAN;
    }
    if b.is_infinite() {
        return a;
    }
    let parts = |x: f32| {
        let (field, fraction) = ((x.to_bits() >> 23) & 0xff, x.to_bits() & 0x7f_ffff);
        (fraction as u64 | ((field > 0) as u64) << 23, field.max(1) as i32)
    };
    let ((m, e), (n, d)) = (parts(a), parts(b));
    let mut rest = m;
    if e < d {
        if d - e > 30 || m < n << (d - e) {
            return a;
        }
        rest %= n << (d - e);
    } else {
        rest %= n;
        for _ in d..e {
            rest = rest * 2 % n;
        }
    }
    let magnitude = rest as f64 * 2_f64.powi(e.min(d) - 150);
    (magnitude as f32).copysign(a)
}

#[test]
fn remainders_are_exact() {
    let mut random = Random(9);
    let values = singles(&mut random);
    for &a in &values {
        for &b in &values {
            assert!(same(ops::rem(a, b), remainder(a, b)), "{a:e} {b:e}");
        }
    }
    for _ in 0..50_000 {
        let (a, b) = (random.single(), random.single());
        assert!(same(ops::rem(a, b), remainder(a, b)), "{a:e} {b:e}");
    }
    assert_eq!(ops::rem(5.5_f64, -2.0), 1.5);
    assert_eq!(ops::rem(-5.5_f64, 2.0), -1.5);
}

/// In every float type: if one operand is NaN the result is the other, and −0 is below +0.
#[test]
fn min_and_max() {
    for ty in Type::ALL.into_iter().filter(|ty| ty.is_float()) {
        let values: Vec<Value> = edges(ty).into_iter().map(|bits| Value::from_bits(ty, bits)).collect();
        for &a in &values {
            for &b in &values {
                let (x, y) = (double(a), double(b));
                // total_cmp distinguishes the zeros; NaN is handled before.
                let (low, high) = match (x.is_nan(), y.is_nan()) {
                    (true, _) => (b, b),
                    (_, true) => (a, a),
                    _ if x.total_cmp(&y).is_le() => (a, b),
                    _ => (b, a),
                };
                assert!(Value::binary(BinaryOp::Min, a, b).unwrap().same_bits(low), "{a} {b}");
                assert!(Value::binary(BinaryOp::Max, a, b).unwrap().same_bits(high), "{a} {b}");
                for (op, holds) in [
                    (CompareOp::Eq, x == y),
                    (CompareOp::Ne, x != y),
                    (CompareOp::Lt, x < y),
                    (CompareOp::Le, x <= y),
                    (CompareOp::Gt, x > y),
                    (CompareOp::Ge, x >= y),
                ] {
                    assert_eq!(Value::compare(op, a, b), Some(holds), "{a} {op} {b}");
                }
            }
            let top = 1 << (ty.bits() - 1);
            assert_eq!(Value::unary(UnaryOp::Neg, a).unwrap().bits(), a.bits() ^ top);
            assert_eq!(Value::unary(UnaryOp::Abs, a).unwrap().bits(), a.bits() & !top);
        }
    }
    assert!(ops::min(f32::NAN, f32::NAN).is_nan());
    assert_eq!(ops::max(f64::NAN, -1.0), -1.0);
    assert!(ops::max(-0.0_f32, 0.0).is_sign_positive());
    assert!(ops::min(0.0_f32, -0.0).is_sign_negative());
}

fn double(value: Value) -> f64 {
    match value.cast(Type::F64) {
        Some(Value::F64(x)) => x,
        other => panic!("{other:?}"),
    }
}

/// Compared with Rust's own operators, which follow IEEE.
#[test]
fn the_four_operations() {
    let mut random = Random(10);
    let values = singles(&mut random);
    for &a in &values {
        for &b in &values {
            // f64 holds products exactly, and for the other operations its rounding does no harm.
            let (x, y) = (a as f64, b as f64);
            assert!(same(ops::mul(a, b), (x * y) as f32));
            assert!(same(ops::add(a, b), (x + y) as f32));
            assert!(same(ops::sub(a, b), (x - y) as f32));
            assert!(same(ops::div(a, b), (x / y) as f32));
            let (quotient, rest) = (ops::div(x, y), ops::rem(x, y));
            assert!(quotient.to_bits() == (x / y).to_bits() || (x / y).is_nan());
            assert!(rest.to_bits() == (x % y).to_bits() || (x % y).is_nan());
        }
    }
}
