//! Minima, maxima, comparisons, selections and truth values.
use crate::floats::op2;
use crate::kernels::*;
use crate::operands::{LARGE, SIZES, map1, map2, map3, operands};
use systolic::{bf16, f16};
use systolic_tests::{Data, check, larger, smaller};

/// The smaller and the larger of two elements of any type.
trait Ordered: Copy {
    fn least(self, other: Self) -> Self;
    fn most(self, other: Self) -> Self;
}

macro_rules! ordered_integers {
    ($($t:ident)+) => {$(
        impl Ordered for $t {
            fn least(self, other: Self) -> Self {
                self.min(other)
            }

            fn most(self, other: Self) -> Self {
                self.max(other)
            }
        }
    )+};
}

macro_rules! ordered_floats {
    ($($t:ident)+) => {$(
        impl Ordered for $t {
            fn least(self, other: Self) -> Self {
                op2(self, other, smaller)
            }

            fn most(self, other: Self) -> Self {
                op2(self, other, larger)
            }
        }
    )+};
}

ordered_integers!(i8 i16 i32 i64 u8 u16 u32 u64);
ordered_floats!(f16 bf16 f32 f64);

macro_rules! extrema_case {
    ($t:ident, $n:expr) => {
        let [a, b, c] = operands::<$t, 3>($n);
        let wanted = (
            map2(&a, &b, Ordered::least),
            map2(&a, &b, Ordered::most),
            map3(&a, &b, &c, |a, b, c| a.least(b).least(c)),
            map3(&a, &b, &c, |a, b, c| a.most(b).most(c)),
        );
        check!(extrema::<$t>(&a, &b, &c), wanted);
    };
}

#[test]
fn minima_and_maxima() {
    for_types!(extrema_case: f32 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f64);
}

macro_rules! comparisons_case {
    ($t:ident, $n:expr) => {
        let [a, b] = operands::<$t, 2>($n);
        let wanted = (
            map2(&a, &b, |a, b| a < b),
            map2(&a, &b, |a, b| a <= b),
            map2(&a, &b, |a, b| a > b),
            map2(&a, &b, |a, b| a >= b),
            map2(&a, &b, |a, b| a == b),
            map2(&a, &b, |a, b| a != b),
        );
        check!(comparisons::<$t>(&a, &b), wanted);
    };
}

#[test]
fn comparisons_also_of_nans() {
    for_types!(comparisons_case: f32 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f64);
}

macro_rules! selects_case {
    ($t:ident, $n:expr) => {
        let [a, b, c] = operands::<$t, 3>($n);
        let middle = |a: $t, b: $t, c: $t| {
            let between = a < b && b < c || c < b && b < a;
            if between {
                b
            } else if a != c && a <= b {
                a
            } else {
                c
            }
        };
        let wanted = (
            map2(&a, &b, |a, b| if a <= b { a } else { b }),
            map3(&a, &b, &c, middle),
            (0..$n)
                .map(|i| {
                    if i > 2 && a[i] < b[i] {
                        a[i]
                    } else if i < 2 {
                        b[i]
                    } else {
                        c[i]
                    }
                })
                .collect(),
        );
        check!(selects::<$t>(&a, &b, &c), wanted);
    };
}

#[test]
fn values_select() {
    for_types!(selects_case: f32 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f64);
}

#[test]
fn truth_values() {
    for n in SIZES.into_iter().chain([LARGE]) {
        let mut data = Data::new(n as u64);
        let (a, b) = (data.array::<bool, _>(n), data.array::<bool, _>(n));
        let wanted = (
            map2(&a, &b, |a, b| a && b),
            map2(&a, &b, |a, b| a || b),
            map1(&a, |a| !a),
            map2(&a, &b, |a, b| a == b),
            map2(&a, &b, |a, b| a != b),
            map2(&a, &b, |a, b| i32::from(a) + i32::from(b)),
        );
        check!(truth(&a, &b), wanted);
    }
}
