//! Integers: all pairs of the 8-bit types, and edge and random values of the others.

use crate::support::{Random, edges};
use systolic_arith::{BinaryOp, CompareOp, Type, UnaryOp, Value, ops};

/// The result of an operation on exact integers, not yet truncated to the width.
fn expected(op: BinaryOp, ty: Type, a: i128, b: i128) -> i128 {
    let width = ty.bits() as i128;
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div if b == 0 => 0,
        BinaryOp::Div => {
            let magnitude = a.abs() / b.abs();
            if (a < 0) == (b < 0) { magnitude } else { -magnitude }
        }
        BinaryOp::Rem if b == 0 => 0,
        BinaryOp::Rem => {
            let magnitude = a.abs() - a.abs() / b.abs() * b.abs();
            if a < 0 { -magnitude } else { magnitude }
        }
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => (a | b) - (a & b),
        BinaryOp::Shl => a.wrapping_mul(1 << (((b % width) + width) % width)),
        BinaryOp::Shr => a.div_euclid(1 << (((b % width) + width) % width)),
        BinaryOp::Min => [a, b][(b < a) as usize],
        BinaryOp::Max => [a, b][(b > a) as usize],
        BinaryOp::Pow => unreachable!("integers have no powers"),
    }
}

/// An integer value as a number.
fn number(value: Value) -> i128 {
    let bits = value.bits() as i128;
    let width = value.ty().bits();
    if value.ty().is_signed() && bits >> (width - 1) == 1 { bits - (1 << width) } else { bits }
}

fn check(op: BinaryOp, a: Value, b: Value) {
    let ty = a.ty();
    let found = Value::binary(op, a, b).unwrap();
    let exact = expected(op, ty, number(a), number(b));
    let mask = (1_i128 << ty.bits()) - 1;
    assert_eq!(found.ty(), ty);
    assert_eq!(found.bits() as i128, exact & mask, "{op} {ty}: {a} {b}");
}

fn check_unary(a: Value) {
    let ty = a.ty();
    let mask = (1_i128 << ty.bits()) - 1;
    for (op, exact) in [(UnaryOp::Neg, -number(a)), (UnaryOp::Abs, number(a).abs()), (UnaryOp::Not, -1 - number(a))] {
        let found = Value::unary(op, a).unwrap();
        assert_eq!(found.bits() as i128, exact & mask, "{op} {ty}: {a}");
    }
}

fn check_compare(a: Value, b: Value) {
    let order = number(a).cmp(&number(b));
    for (op, holds) in [
        (CompareOp::Eq, order.is_eq()),
        (CompareOp::Ne, order.is_ne()),
        (CompareOp::Lt, order.is_lt()),
        (CompareOp::Le, order.is_le()),
        (CompareOp::Gt, order.is_gt()),
        (CompareOp::Ge, order.is_ge()),
    ] {
        assert_eq!(Value::compare(op, a, b), Some(holds));
    }
}

fn integers() -> impl Iterator<Item = Type> {
    Type::ALL.into_iter().filter(|ty| ty.is_integer())
}

#[test]
fn all_pairs_of_bytes() {
    for ty in [Type::I8, Type::U8] {
        for a in 0..256 {
            let a = Value::from_bits(ty, a);
            check_unary(a);
            for b in 0..256 {
                let b = Value::from_bits(ty, b);
                check_compare(a, b);
                for op in BinaryOp::ALL.into_iter().filter(|op| *op != BinaryOp::Pow) {
                    check(op, a, b);
                }
            }
        }
    }
}

#[test]
fn edges_and_random_values() {
    let mut random = Random(1);
    for ty in integers() {
        let mut values = edges(ty);
        values.extend((0..60).map(|_| random.bits() >> random.below(64)));
        for &a in &values {
            let a = Value::from_bits(ty, a);
            check_unary(a);
            for &b in &values {
                let b = Value::from_bits(ty, b);
                check_compare(a, b);
                for op in BinaryOp::ALL.into_iter().filter(|op| *op != BinaryOp::Pow) {
                    check(op, a, b);
                }
                let sum = number(a).wrapping_mul(number(b)).wrapping_add(number(a));
                let mask = (1_i128 << ty.bits()) - 1;
                assert_eq!(Value::fma(a, b, a).unwrap().bits() as i128, sum & mask);
            }
        }
    }
}

#[test]
fn shift_counts_of_every_type() {
    for ty in integers() {
        for count_type in integers() {
            for a in edges(ty) {
                for count in edges(count_type) {
                    let (a, count) = (Value::from_bits(ty, a), Value::from_bits(count_type, count));
                    check(BinaryOp::Shl, a, count);
                    check(BinaryOp::Shr, a, count);
                }
            }
        }
    }
    assert_eq!(ops::shl(1_u8, -1_i64), 0x80);
    assert_eq!(ops::shr(i32::MIN, 63_u64), -1);
    assert_eq!(ops::shl(3_i16, 16_u8), 3);
}

#[test]
fn the_cases_that_trap_elsewhere() {
    assert_eq!(ops::div(i32::MIN, -1), i32::MIN);
    assert_eq!(ops::rem(i32::MIN, -1), 0);
    assert_eq!(ops::div(7_i64, 0), 0);
    assert_eq!(ops::rem(7_u16, 0), 0);
    assert_eq!(ops::div(-7, 2), -3);
    assert_eq!(ops::rem(-7, 2), -1);
    assert_eq!(ops::abs(i8::MIN), i8::MIN);
    assert_eq!(ops::neg(i64::MIN), i64::MIN);
    assert_eq!(ops::neg(1_u8), 255);
    assert_eq!(ops::add(u64::MAX, 1), 0);
}
