//! Operations of floats: each rounds once, and only a sum with a product is fused.
use crate::kernels::*;
use crate::operands::{LARGE, SIZES, map1, map2, map4, operands};
use systolic::{bf16, f16};
use systolic_tests::{Float, check, larger};

/// One operation in the wide type, rounded.
pub fn op2<T: Float>(a: T, b: T, f: impl Fn(T::Wide, T::Wide) -> T::Wide) -> T {
    T::narrow(f(a.wide(), b.wide()))
}

/// A product, rounded.
fn mul<T: Float>(a: T, b: T) -> T {
    op2(a, b, |a, b| a * b)
}

/// A sum, rounded.
fn add<T: Float>(a: T, b: T) -> T {
    op2(a, b, |a, b| a + b)
}

/// `a · b + c` in the wide type, rounded there and once more.
pub fn fma<T: Float>(a: T, b: T, c: T) -> T {
    use systolic_tests::Real;
    T::narrow(a.wide().fma(b.wide(), c.wide()))
}

/// The negated value.
fn neg<T: Float>(a: T) -> T {
    T::narrow(-a.wide())
}

macro_rules! floats_case {
    ($t:ident, $n:expr) => {
        use systolic_tests::Real;
        let [a, b] = operands::<$t, 2>($n);
        let wanted = (
            map2(&a, &b, |a, b| op2(a, b, |a, b| a + b)),
            map2(&a, &b, |a, b| op2(a, b, |a, b| a - b)),
            map2(&a, &b, |a, b| op2(a, b, |a, b| a * b)),
            map2(&a, &b, |a, b| op2(a, b, |a, b| a / b)),
            map2(&a, &b, |a, b| op2(a, b, |a, b| a % b)),
            map1(&a, neg),
            map1(&a, |a| <$t as Float>::narrow(a.wide().magnitude())),
            map1(&a, |a| <$t as Float>::narrow(a.wide().root())),
        );
        check!(floats::<$t>(&a, &b), wanted);
    };
}

#[test]
fn floats_round_every_operation() {
    for n in SIZES {
        {
            floats_case!(f16, n);
        }
        {
            floats_case!(bf16, n);
        }
        {
            floats_case!(f32, n);
        }
        {
            floats_case!(f64, n);
        }
    }
    floats_case!(f32, LARGE);
}

macro_rules! fused_case {
    ($t:ident, $n:expr) => {
        let x = operands::<$t, 4>($n);
        let wanted = (
            map4(&x, |a, b, c, _| fma(a, b, c)),
            map4(&x, |a, b, c, _| fma(b, c, a)),
            map4(&x, |a, b, c, _| fma(a, b, c)),
            map4(&x, |a, b, c, d| fma(c, d, mul(a, b))),
            map4(&x, |a, b, c, d| fma(c, d, fma(b, c, a))),
            map4(&x, |a, b, c, _| fma(a, b, c)),
            map4(&x, |a, b, c, _| fma(neg(a), b, c)),
            map4(&x, |a, b, c, d| fma(mul(a, b), c, d)),
        );
        check!(fused::<$t>(&x[0], &x[1], &x[2], &x[3]), wanted);
    };
}

#[test]
fn sums_with_products_are_fused() {
    for_types!(fused_case: f32 f16 bf16 f64);
}

macro_rules! unfused_case {
    ($t:ident, $n:expr) => {
        let x = operands::<$t, 4>($n);
        let greater = |a: $t, b: $t| op2(a, b, larger);
        let wanted = (
            map4(&x, |a, b, c, _| op2(c, mul(a, b), |a, b| a - b)),
            map4(&x, |a, b, c, _| add(mul(a, b), c)),
            map4(&x, |a, b, c, d| add(d, if a < b { mul(a, b) } else { mul(b, c) })),
            map4(&x, |a, b, c, _| add(neg(mul(a, b)), c)),
            map4(&x, |a, b, c, d| add(op2(mul(a, b), d, |a, b| a / b), c)),
            map4(&x, |a, b, c, d| add(greater(mul(a, b), mul(c, d)), c)),
        );
        check!(unfused::<$t>(&x[0], &x[1], &x[2], &x[3]), wanted);
    };
}

#[test]
fn nothing_else_is_fused() {
    for_types!(unfused_case: f32 f16 bf16 f64);
}
