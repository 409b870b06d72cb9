//! Operations of integers: they wrap, and a division by zero gives zero.
use crate::kernels::*;
use crate::operands::{LARGE, SIZES, map1, map2, map3, operands};
use systolic::ndarray::Array1;
use systolic_tests::check;

macro_rules! integers_case {
    ($t:ident, $n:expr) => {
        let [a, b] = operands::<$t, 2>($n);
        let wanted = (
            map2(&a, &b, $t::wrapping_add),
            map2(&a, &b, $t::wrapping_sub),
            map2(&a, &b, $t::wrapping_mul),
            map2(&a, &b, |a, b| if b == 0 { 0 } else { a.wrapping_div(b) }),
            map2(&a, &b, |a, b| if b == 0 { 0 } else { a.wrapping_rem(b) }),
        );
        check!(integers::<$t>(&a, &b), wanted);
    };
}

#[test]
fn integers_wrap_and_divide_by_zero() {
    for_types!(integers_case: i32 i8 i16 i64 u8 u16 u32 u64);
}

macro_rules! signed_case {
    ($t:ident, $n:expr) => {
        let [a] = operands::<$t, 1>($n);
        check!(signed::<$t>(&a), (map1(&a, $t::wrapping_neg), map1(&a, $t::wrapping_abs)));
    };
}

#[test]
fn signed_integers() {
    for_types!(signed_case: i32 i8 i16 i64);
}

macro_rules! extremes_case {
    ($t:ident, $n:expr) => {
        let [a, b, c] = operands::<$t, 3>($n);
        let wanted = (
            map3(&a, &b, &c, |a: $t, b: $t, c: $t| {
                let first = (a / 3).max((b / 5).wrapping_neg()).max(c);
                first.wrapping_add(a.max(b.wrapping_neg()).max(c.wrapping_mul(7)))
            }),
            map3(&a, &b, &c, |a: $t, b: $t, c: $t| (a / 7).min(b.wrapping_neg()).min((c / 3).wrapping_neg())),
            (0..$n)
                .map(|i| {
                    let (a, b, c): ($t, $t, $t) = (a[i], b[i], c[i]);
                    let first = a.max(b.wrapping_neg()).max(c);
                    let second = if i % 2 == 0 { 0 } else { c }.wrapping_sub(b);
                    first.wrapping_sub(a.min(second).min(3))
                })
                .collect::<Array1<_>>(),
        );
        check!(extremes::<$t>(&a, &b, &c), wanted);
    };
}

/// Some versions of nvcc fuse these operations and lose a minus sign.
#[test]
fn extremes_of_negated_integers() {
    for_types!(extremes_case: i32 i8 i64 u32);
}

macro_rules! bits_case {
    ($t:ident, $n:expr) => {
        let [a, b] = operands::<$t, 2>($n);
        let wanted =
            (map2(&a, &b, |a, b| a & b), map2(&a, &b, |a, b| a | b), map2(&a, &b, |a, b| a ^ b), map1(&a, |a| !a));
        check!(bits::<$t>(&a, &b), wanted);
    };
}

#[test]
fn bit_operations() {
    for_types!(bits_case: u32 i8 i16 i32 i64 u8 u16 u64);
}

macro_rules! shifts_case {
    ($t:ident, $n:expr) => {
        shifts_by_case!($t, i8, $n);
        shifts_by_case!($t, u16, $n);
        shifts_by_case!($t, i32, $n);
        shifts_by_case!($t, u64, $n);
    };
}

macro_rules! shifts_by_case {
    ($t:ident, $s:ident, $n:expr) => {
        let ([a], [_, count]) = (operands::<$t, 1>($n), operands::<$s, 2>($n));
        let modulo = |count: $s| i128::from(count).rem_euclid(i128::from($t::BITS)) as u32;
        let wanted = (
            map2(&a, &count, |a, count| a << modulo(count)),
            map2(&a, &count, |a, count| a >> modulo(count)),
            map1(&a, |a| a << 1),
        );
        check!(shifts::<$t, $s>(&a, &count), wanted);
    };
}

#[test]
fn shifts_modulo_the_width() {
    for_types!(shifts_case: i32 i8 i16 i64 u8 u16 u32 u64);
}
