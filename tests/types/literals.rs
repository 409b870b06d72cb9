//! Literals, and indices, sizes and generics as values.
use crate::casts::ToHalves;
use crate::floats::{fma, op2};
use crate::kernels::*;
use crate::operands::{LARGE, SIZES, map1, operands};
use systolic::ndarray::Array1;
use systolic::{bf16, f16};
use systolic_tests::{Float, check};

macro_rules! integer_literals_case {
    ($t:ident, $n:expr) => {
        let [x] = operands::<$t, 1>($n);
        check!(literals::<$t>(&x), map1(&x, |x| x.wrapping_sub(3).wrapping_mul(2).wrapping_add(1)));
    };
}

macro_rules! float_literals_case {
    ($t:ident, $n:expr) => {
        let [x] = operands::<$t, 1>($n);
        let number = |x: f32| <$t as Float>::narrow(x.into());
        check!(literals::<$t>(&x), map1(&x, |x| fma(op2(x, number(3.0), |a, b| a - b), number(2.0), number(1.0))));
    };
}

#[test]
fn integer_literals_take_any_type() {
    for_types!(integer_literals_case: i32 i8 i16 i64 u8 u16 u32 u64);
    for_types!(float_literals_case: f32 f16 bf16 f64);
}

#[test]
fn literals_of_every_form() {
    for n in SIZES {
        let [x] = operands::<i8, 1>(n);
        let wanted = (
            map1(&x, |x| x.wrapping_add(i8::MIN)),
            map1(&x, |x| i64::from(x).wrapping_add(i64::MIN)),
            map1(&x, |x| (x as u64).wrapping_add(u64::MAX)),
            map1(&x, |x| i32::from(x) * 1000),
            map1(&x, |x| x as u8 ^ 0xa5),
            map1(&x, |x| f32::from(x) * 1.5e-7),
            map1(&x, |x| f64::from(x) - 0.1),
        );
        check!(extreme_literals(&x), wanted);
    }
}

macro_rules! indices_case {
    ($t:ident, $cast:expr, $sizes:expr) => {
        for n in $sizes {
            let cast: fn(i64) -> $t = $cast;
            let wanted = (
                (0..n).map(|i| cast(i as i64 - 1)).collect(),
                Array1::from_elem(n, cast(n as i64)),
                Array1::from_elem(n, cast(7)),
            );
            check!(indices::<$t, 3>(n), wanted);
        }
    };
}

#[test]
fn indices_sizes_and_generics_become_values() {
    indices_case!(i8, |x| x as i8, SIZES);
    indices_case!(i16, |x| x as i16, SIZES);
    indices_case!(i32, |x| x as i32, SIZES);
    indices_case!(i64, |x| x, SIZES);
    indices_case!(u8, |x| x as u8, SIZES);
    indices_case!(u16, |x| x as u16, SIZES);
    indices_case!(u32, |x| x as u32, SIZES);
    indices_case!(u64, |x| x as u64, SIZES);
    indices_case!(f16, ToHalves::to_half, SIZES);
    indices_case!(bf16, ToHalves::to_brain, SIZES);
    indices_case!(f32, |x| x as f32, SIZES);
    indices_case!(f64, |x| x as f64, SIZES);
    indices_case!(f16, ToHalves::to_half, [LARGE]);
}
