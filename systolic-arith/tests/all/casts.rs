//! Casts between every pair of types, checked by exact integers and tables.

use crate::support::{Format, Random, edges};
use systolic_arith::{CastTo, Scalar, Type, Value, bf16, f16, ops};

/// A float truncated and clamped to a range of integers.
fn saturated(x: f64, low: i128, high: i128) -> i128 {
    if x.is_nan() {
        0
    } else if x >= high as f64 {
        // If f64 rounds the limit up, smaller floats still fit.
        high
    } else if x <= low as f64 {
        low
    } else {
        x.trunc() as i128
    }
}

fn range(ty: Type) -> (i128, i128) {
    let width = ty.bits();
    match ty.is_signed() {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    }
}

/// The exact value of an integer or `bool`, or the exact float.
enum Exact {
    Integer(i128),
    Float(f64),
}

fn exact(value: Value, half: &Format, brain: &Format) -> Exact {
    let small = |format: &Format, bits: u16| match format.is_nan(bits) {
        true => f64::NAN,
        false => format.value(bits),
    };
    match value {
        Value::F16(x) => Exact::Float(small(half, x.to_bits())),
        Value::Bf16(x) => Exact::Float(small(brain, x.to_bits())),
        Value::F32(x) => Exact::Float(x as f64),
        Value::F64(x) => Exact::Float(x),
        Value::I8(x) => Exact::Integer(x as i128),
        Value::I16(x) => Exact::Integer(x as i128),
        Value::I32(x) => Exact::Integer(x as i128),
        Value::I64(x) => Exact::Integer(x as i128),
        Value::U8(x) => Exact::Integer(x as i128),
        Value::U16(x) => Exact::Integer(x as i128),
        Value::U32(x) => Exact::Integer(x as i128),
        Value::U64(x) => Exact::Integer(x as i128),
        Value::Bool(x) => Exact::Integer(x as i128),
    }
}

/// Rounds an integer to `digits` binary digits, to nearest even.
fn nearest(x: i128, digits: u32) -> f64 {
    let magnitude = x.unsigned_abs();
    let spare = (128 - magnitude.leading_zeros()).saturating_sub(digits);
    let spacing = 1_u128 << spare;
    let (below, rest) = (magnitude / spacing, magnitude % spacing);
    let up = 2 * rest > spacing || (2 * rest == spacing && below % 2 == 1);
    let rounded = ((below + up as u128) * spacing) as f64;
    if x < 0 { -rounded } else { rounded }
}

fn check(value: Value, half: &Format, brain: &Format) {
    for ty in Type::ALL {
        let found = value.cast(ty);
        let allowed = match (value.ty(), ty) {
            (Type::Bool, Type::Bool) => true,
            (Type::Bool, _) => ty.is_integer(),
            (_, Type::Bool) => false,
            _ => true,
        };
        assert_eq!(found.is_some(), allowed, "{} as {ty}", value.ty());
        let Some(found) = found else { continue };
        assert_eq!(found.ty(), ty);
        let wide = match exact(value, half, brain) {
            _ if ty == Type::Bool => {
                assert_eq!(found.bits(), value.bits());
                continue;
            }
            Exact::Integer(x) if ty.is_integer() => {
                let mask = (1_i128 << ty.bits()) - 1;
                assert_eq!(found.bits() as i128, x & mask, "{value} as {ty}");
                continue;
            }
            Exact::Float(x) if ty.is_integer() => {
                let (low, high) = range(ty);
                let mask = (1_i128 << ty.bits()) - 1;
                assert_eq!(found.bits() as i128, saturated(x, low, high) & mask, "{value} as {ty}");
                continue;
            }
            Exact::Integer(x) => match ty {
                Type::F32 => nearest(x, 24),
                Type::F64 => nearest(x, 53),
                Type::F16 => nearest(x, 11),
                _ => nearest(x, 8),
            },
            Exact::Float(x) => x,
        };
        let good = match found {
            Value::F16(y) => half.is_rounded(y.to_bits(), wide),
            Value::Bf16(y) => brain.is_rounded(y.to_bits(), wide),
            Value::F32(y) => y.to_bits() == (wide as f32).to_bits() || (y.is_nan() && wide.is_nan()),
            Value::F64(y) => y.to_bits() == wide.to_bits() || (y.is_nan() && wide.is_nan()),
            _ => false,
        };
        assert!(good, "{value} as {ty} is {found}");
    }
}

#[test]
fn every_pair_of_types() {
    let (half, brain) = (Format::f16(), Format::bf16());
    let mut random = Random(11);
    for ty in Type::ALL {
        let mut bits = edges(ty);
        bits.extend((0..1500).map(|_| random.bits()));
        bits.extend((0..1500).map(|_| random.bits() >> random.below(64)));
        for bits in bits {
            check(Value::from_bits(ty, bits), &half, &brain);
        }
    }
    // Floats near the limits of the integer types.
    for ty in Type::ALL.into_iter().filter(|ty| ty.is_integer()) {
        for end in [range(ty).0, range(ty).1] {
            for offset in [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5] {
                check(Value::F64(end as f64 + offset), &half, &brain);
                check(Value::F32(end as f32 + offset as f32), &half, &brain);
            }
        }
    }
}

#[test]
fn all_16_bit_floats() {
    let (half, brain) = (Format::f16(), Format::bf16());
    for bits in 0..=u16::MAX {
        check(Value::F16(f16::from_bits(bits)), &half, &brain);
        check(Value::Bf16(bf16::from_bits(bits)), &half, &brain);
    }
}

/// Integers next to a tie: conversion through f32 or f64 would round twice.
#[test]
fn integers_round_once() {
    let to = |x: i64| (ops::cast::<_, f32>(x), ops::cast::<_, f16>(x), ops::cast::<_, bf16>(x));
    assert_eq!(to(2049).1.to_f32(), 2048.0);
    assert_eq!(to(2051).1.to_f32(), 2052.0);
    assert_eq!(to(65519).1.to_f32(), 65504.0);
    assert_eq!(to(65520).1.to_f32(), f32::INFINITY);
    // Above the tie of bf16 by less than f32 and f64 can represent.
    let tie = (1_i64 << 62) + (1 << 54);
    assert_eq!(to(tie).2.to_f32(), 2_f32.powi(62));
    assert_eq!(to(tie + 1).2.to_f32(), 2_f32.powi(62) + 2_f32.powi(55));
    assert_eq!(to(-tie - 1).2.to_f32(), -2_f32.powi(62) - 2_f32.powi(55));
    let tie = (1_i64 << 62) + (1 << 38);
    assert_eq!(to(tie).0, 2_f32.powi(62));
    assert_eq!(to(tie + 1).0, 2_f32.powi(62) + 2_f32.powi(39));
    assert_eq!(ops::cast::<_, f32>(u64::MAX), 2_f32.powi(64));
    assert_eq!(ops::cast::<_, bf16>(u64::MAX).to_f32(), 2_f32.powi(64));
    assert_eq!(ops::cast::<bool, i64>(true), 1);
}

/// The generic form, as generated code uses it.
#[test]
fn indices_become_values() {
    fn index<T: Scalar>(i: i64) -> T
    where
        i64: CastTo<T>,
    {
        ops::cast(i)
    }
    assert_eq!(index::<f32>(3), 3.0);
    assert_eq!(index::<u8>(-1), 255);
    assert!(Value::from_i64(3, Type::F16).unwrap().same_bits(Value::F16(f16::from_bits(0x4200))));
    assert!(Value::from_i64(3, Type::Bool).is_none());
}
