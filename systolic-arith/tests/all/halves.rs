//! The 16-bit floats, compared with tables of all their values.

use crate::support::{Format, Random, edges, fused};
use systolic_arith::{Float, Number, Type, bf16, elementary, f16, ops};

#[test]
fn widening_is_exact() {
    let (half, brain) = (Format::f16(), Format::bf16());
    for bits in 0..=u16::MAX {
        let (a, b) = (f16::from_bits(bits), bf16::from_bits(bits));
        for wide in [ops::cast::<_, f64>(a), ops::cast::<_, f32>(a) as f64] {
            match half.is_nan(bits) {
                true => assert!(wide.is_nan()),
                false => assert_eq!(wide.to_bits(), half.value(bits).to_bits()),
            }
        }
        for wide in [ops::cast::<_, f64>(b), ops::cast::<_, f32>(b) as f64] {
            match brain.is_nan(bits) {
                true => assert!(wide.is_nan()),
                false => assert_eq!(wide.to_bits(), brain.value(bits).to_bits()),
            }
        }
    }
}

#[test]
fn narrowing_rounds_once() {
    let mut random = Random(2);
    let (half, brain) = (Format::f16(), Format::bf16());
    let check = |x: f64| {
        assert!(half.is_rounded(ops::cast::<_, f16>(x).to_bits(), x), "{x:e}");
        assert!(brain.is_rounded(ops::cast::<_, bf16>(x).to_bits(), x), "{x:e}");
        let single = x as f32;
        assert!(half.is_rounded(ops::cast::<_, f16>(single).to_bits(), single as f64));
        assert!(brain.is_rounded(ops::cast::<_, bf16>(single).to_bits(), single as f64));
    };
    for format in [&half, &brain] {
        for bits in format.finite() {
            // Every tie and its neighbours, in f32 and in f64, where a conversion through f32 would fail.
            let middle = format.midpoint(bits);
            let single = (middle as f32).to_bits();
            for x in [
                middle,
                f64::from_bits(middle.to_bits() + 1),
                f64::from_bits(middle.to_bits() - 1),
                f32::from_bits(single + 1) as f64,
                f32::from_bits(single.saturating_sub(1)) as f64,
                format.value(bits),
            ] {
                check(x);
                check(-x);
            }
        }
    }
    for bits in edges(Type::F64) {
        check(f64::from_bits(bits));
    }
    for _ in 0..300_000 {
        check(random.single() as f64);
        check(random.single() as f64 * (1.0 + random.unit() * 1e-7));
        check(f64::from_bits(random.bits()));
    }
}

/// The operations compared with the exact results; where `f64` has to round, that does no harm.
#[test]
fn f16_operations_round_the_exact_result() {
    let format = Format::f16();
    let mut random = Random(3);
    let special: Vec<u16> = edges(Type::F16).into_iter().map(|bits| bits as u16).collect();
    let mut pairs: Vec<(u16, u16)> = Vec::new();
    for &a in &special {
        pairs.extend(special.iter().map(|&b| (a, b)));
    }
    pairs.extend((0..300_000).map(|_| (random.bits() as u16, random.bits() as u16)));
    for (a, b) in pairs {
        let (x, y) = (f16::from_bits(a), f16::from_bits(b));
        let (u, v): (f64, f64) = (ops::cast(x), ops::cast(y));
        for (found, exact) in [
            (ops::add(x, y), u + v),
            (ops::sub(x, y), u - v),
            (ops::mul(x, y), u * v),
            (ops::div(x, y), u / v),
            (ops::rem(x, y), u % v),
            (ops::sqrt(x), u.sqrt()),
        ] {
            assert!(format.is_rounded(found.to_bits(), exact), "{u} {v}: {found} for {exact}");
        }
        assert_eq!(ops::lt(x, y), u < v);
        assert_eq!(ops::le(x, y), u <= v);
        assert_eq!(ops::eq(x, y), u == v);
    }
}

/// Compares each operation with its result in `f32`, rounded once more.
fn check_by_rule<T: Float>(format: &Format, widen: fn(T) -> f32, seed: u64) {
    let mut random = Random(seed);
    let special = edges(T::TYPE);
    for round in 0..150_000 {
        let mut operand = || match round % 4 {
            0 => special[random.below(special.len() as u64) as usize],
            _ => random.bits() & 0xffff,
        };
        let (a, b, c) = (T::of_bits(operand()), T::of_bits(operand()), T::of_bits(operand()));
        let (u, v, w) = (widen(a), widen(b), widen(c));
        for (found, exact) in [
            (a.add(b), u + v),
            (a.sub(b), u - v),
            (a.mul(b), u * v),
            (a.div(b), u / v),
            (a.rem(b), u % v),
            (a.fma(b, c), fused(u, v, w)),
            (a.sqrt(), u.sqrt()),
            (a.exp(), elementary::single::exp(u)),
            (a.ln(), elementary::single::ln(u)),
            (Number::neg(a), -u),
            (a.abs(), u.abs()),
        ] {
            assert!(format.is_rounded(found.bits() as u16, exact as f64), "{a:?} {b:?} {c:?}");
        }
    }
}

#[test]
fn operations_go_through_f32() {
    check_by_rule::<f16>(&Format::f16(), ops::cast::<f16, f32>, 4);
    check_by_rule::<bf16>(&Format::bf16(), ops::cast::<bf16, f32>, 5);
}
