//! Guards, conditions and the precedence of operators.
use crate::kernels::*;
use crate::operands::{LARGE, SIZES, map2, map3, operands};
use systolic::ndarray::Array1;
use systolic_tests::{Data, check};

#[test]
fn guards_and_values() {
    for n in SIZES.into_iter().chain([LARGE]) {
        let x = Data::new(n as u64).array::<i32, _>(n).mapv(|x| x % 10);
        for s in [-3, 2, 3, 40] {
            let at = |f: &dyn Fn(usize) -> i32| (0..n).map(f).collect::<Array1<i32>>();
            let wanted = (
                at(&|i| if i == 0 || i + 1 == n { x[i] } else { 0 }),
                at(&|i| {
                    if i % 3 == 1 || (i % 3 == 2 && i >= 4) { x[i] } else { -1 }
                }),
                at(&|i| {
                    if (i as i64 - 5).rem_euclid(4) == 3 { x[i] } else { 7 }
                }),
                at(&|i| if s > 2 && i < 3 { x[i] } else { s }),
                at(&|i| {
                    if (i as i32) < s {
                        1
                    } else if x[i] >= s {
                        2
                    } else {
                        3
                    }
                }),
                at(&|i| {
                    if i > 0 && (x[i - 1] < x[i] || i == 5) { x[i - 1] } else { x[i] }
                }),
            );
            check!(conditions(&x, s), wanted);
        }
    }
}

#[test]
fn operators_bind_as_in_rust() {
    for n in SIZES.into_iter().chain([LARGE]) {
        let [a, b, c] = operands::<i32, 3>(n);
        let quotient = |a: i32, b: i32| if b == 0 { 0 } else { a.wrapping_div(b) };
        let wanted = (
            map3(&a, &b, &c, |a, b, c| {
                a.wrapping_sub(b).wrapping_sub(c).wrapping_add(a.wrapping_mul(b)).wrapping_sub(c)
            }),
            map3(&a, &b, &c, |a, b, c| (quotient(a, b).wrapping_mul(c) % 1000).wrapping_add(a)),
            map3(&a, &b, &c, |a, b, c| a | (b ^ (c & (a << 4)) ^ ((!b) >> 2))),
            map2(&a, &b, |a, b| (a & 1) == (b & 1)),
            map3(&a, &b, &c, |a, b, c| a < b || (b < c && c < a) || (a != b && c.wrapping_add(1) > b)),
            map3(&a, &b, &c, |a, b, c| i64::from(a.wrapping_neg()) * i64::from(b) - i64::from(c)),
        );
        check!(precedence(&a, &b, &c), wanted);
    }
}
