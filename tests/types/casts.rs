//! Conversions between element types.
use crate::kernels::*;
use crate::operands::{LARGE, SIZES, map1, operands};
use systolic::ndarray::{Array1, array};
use systolic::{bf16, f16};
use systolic_tests::arithmetic::{brain, brain_of_integer, half, half_of_integer};
use systolic_tests::{Data, check};

/// A conversion of a number to the two types that Rust's `as` does not know.
pub trait ToHalves: Copy {
    fn to_half(self) -> f16;
    fn to_brain(self) -> bf16;
}

macro_rules! integers_to_halves {
    ($($t:ident)+) => {$(
        impl ToHalves for $t {
            fn to_half(self) -> f16 {
                half_of_integer(i128::from(self))
            }

            fn to_brain(self) -> bf16 {
                brain_of_integer(i128::from(self))
            }
        }
    )+};
}

macro_rules! floats_to_halves {
    ($($t:ident)+) => {$(
        impl ToHalves for $t {
            fn to_half(self) -> f16 {
                half(f64::from(self))
            }

            fn to_brain(self) -> bf16 {
                brain(f64::from(self))
            }
        }
    )+};
}

integers_to_halves!(i8 i16 i32 i64 u8 u16 u32 u64);
floats_to_halves!(f16 bf16 f32 f64);

macro_rules! casts_case {
    ($t:ident, $wide:ident, $n:expr) => {
        let [x] = operands::<$t, 1>($n);
        let wanted = (
            map1(&x, |x| $wide::from(x) as i8),
            map1(&x, |x| $wide::from(x) as i16),
            map1(&x, |x| $wide::from(x) as i32),
            map1(&x, |x| $wide::from(x) as i64),
            map1(&x, |x| $wide::from(x) as u8),
            map1(&x, |x| $wide::from(x) as u16),
            map1(&x, |x| $wide::from(x) as u32),
            map1(&x, |x| $wide::from(x) as u64),
            map1(&x, ToHalves::to_half),
            map1(&x, ToHalves::to_brain),
            map1(&x, |x| $wide::from(x) as f32),
            map1(&x, |x| $wide::from(x) as f64),
        );
        check!(casts::<$t>(&x), wanted);
    };
}

#[test]
fn casts_among_numbers() {
    for n in SIZES {
        casts_case!(i8, i8, n);
        casts_case!(i16, i16, n);
        casts_case!(i32, i32, n);
        casts_case!(i64, i64, n);
        casts_case!(u8, u8, n);
        casts_case!(u16, u16, n);
        casts_case!(u32, u32, n);
        casts_case!(u64, u64, n);
        casts_case!(f16, f32, n);
        casts_case!(bf16, f32, n);
        casts_case!(f32, f32, n);
        casts_case!(f64, f64, n);
    }
    casts_case!(f64, f64, LARGE);
}

#[test]
fn casts_round_once() {
    // Above the midpoint between two halves by less than a single can represent.
    let x =
        array![1.0 + 0.5f64.powi(11) + 0.5f64.powi(40), 65519.999999, 65520.0, 0.5f64.powi(25), 0.5f64.powi(25) * 1.1];
    let wanted = [0x3c01, 0x7bff, 0x7c00, 0x0000, 0x0001].map(f16::from_bits);
    assert_eq!(casts::<f64>::reference(&x).unwrap().8, Array1::from(wanted.to_vec()));
    // The same for an integer that a single would first round to the midpoint.
    let x = array![(1i64 << 40) + (1 << 32) + 1, (1 << 40) + (1 << 32), i64::MAX];
    let wanted = [0x5381, 0x5380, 0x5f00].map(bf16::from_bits);
    assert_eq!(casts::<i64>::reference(&x).unwrap().9, Array1::from(wanted.to_vec()));
}

#[test]
fn casts_of_truth_values() {
    for n in SIZES.into_iter().chain([LARGE]) {
        let x = Data::new(n as u64).array::<bool, _>(n);
        let wanted = (
            map1(&x, i8::from),
            map1(&x, i16::from),
            map1(&x, i32::from),
            map1(&x, i64::from),
            map1(&x, u8::from),
            map1(&x, u16::from),
            map1(&x, u32::from),
            map1(&x, u64::from),
        );
        check!(casts_of_truth(&x), wanted);
    }
}
