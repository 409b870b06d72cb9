//! Every border, up to three elements outside, on arrays as small as one element.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/borders.rs"]
mod kernels;

use kernels::*;
use systolic::ndarray::{Array1, Array2, Array4};
use systolic_tests::border::{clamp, inside, reflect, symmetric, wrap};
use systolic_tests::{Data, check, sizes};

/// Maps an index to an element of an axis, if there is one.
type Meaning = fn(i64, usize) -> Option<usize>;

/// For every element, those up to three away; `outside` if there is none.
fn line<T: Copy>(x: &Array1<T>, outside: T, at: Meaning) -> Array2<T> {
    let n = x.len();
    Array2::from_shape_fn((n, 7), |(i, k)| at((i + k) as i64 - 3, n).map_or(outside, |i| x[i]))
}

/// The same along two axes, each on its own.
fn plane<T: Copy>(x: &Array2<T>, outside: T, at: Meaning) -> Array4<T> {
    let (rows, columns) = x.dim();
    Array4::from_shape_fn((rows, columns, 7, 7), |(r, c, p, q)| {
        match (at((r + p) as i64 - 3, rows), at((c + q) as i64 - 3, columns)) {
            (Some(r), Some(c)) => x[[r, c]],
            _ => outside,
        }
    })
}

/// Compares the kernels of one border for one element type, at all sizes and at a large one.
macro_rules! border {
    ($line:ident, $plane:ident, $t:ident, ($($argument:expr)?), $outside:expr, $at:expr) => {{
        let at: Meaning = $at;
        for n in sizes::line(&[32]).into_iter().chain([14_293]) {
            let x = Data::new(n as u64).array::<$t, _>(n);
            check!($line::<$t>(&x $(, $argument)?), line(&x, $outside, at));
        }
        for (r, c) in sizes::plane(&[4], &[32]).into_iter().chain([(43, 53)]) {
            let x = Data::new((1000 * r + c) as u64).array::<$t, _>((r, c));
            check!($plane::<$t>(&x $(, $argument)?), plane(&x, $outside, at));
        }
    }};
}

#[test]
fn zero() {
    border!(zero_line, zero_plane, f32, (), 0.0, inside);
    border!(zero_line, zero_plane, u8, (), 0, inside);
}

#[test]
fn nearest() {
    border!(clamp_line, clamp_plane, f32, (), 0.0, |i, n| Some(clamp(i, n)));
    border!(clamp_line, clamp_plane, u8, (), 0, |i, n| Some(clamp(i, n)));
}

#[test]
fn mirrored() {
    border!(reflect_line, reflect_plane, f32, (), 0.0, |i, n| Some(reflect(i, n)));
    border!(reflect_line, reflect_plane, u8, (), 0, |i, n| Some(reflect(i, n)));
}

#[test]
fn mirrored_with_the_edge() {
    border!(symmetric_line, symmetric_plane, f32, (), 0.0, |i, n| Some(symmetric(i, n)));
    border!(symmetric_line, symmetric_plane, u8, (), 0, |i, n| Some(symmetric(i, n)));
}

#[test]
fn repeated() {
    border!(wrap_line, wrap_plane, f32, (), 0.0, |i, n| Some(wrap(i, n)));
    border!(wrap_line, wrap_plane, u8, (), 0, |i, n| Some(wrap(i, n)));
}

#[test]
fn literal() {
    border!(literal_line, literal_plane, f32, (), 7.0, inside);
    border!(literal_line, literal_plane, u8, (), 7, inside);
}

#[test]
fn scalar() {
    border!(scalar_line, scalar_plane, f32, (-0.0), -0.0, inside);
    border!(scalar_line, scalar_plane, f32, (1.5), 1.5, inside);
    border!(scalar_line, scalar_plane, u8, (255), 255, inside);
}

#[test]
fn mirror_image_by_the_definition() {
    // −1 reads 1, n reads n − 2, the period is 2n − 2, and an axis of one element always reads that element.
    let x = Array1::from(vec![10u8, 11, 12, 13]);
    let y = reflect_line::<u8>::reference(&x).unwrap();
    assert_eq!(y.row(0).to_vec(), [13, 12, 11, 10, 11, 12, 13]);
    assert_eq!(y.row(3).to_vec(), [10, 11, 12, 13, 12, 11, 10]);
    let y = reflect_line::<u8>::reference(&[10, 11]).unwrap();
    assert_eq!(y.row(0).to_vec(), [11, 10, 11, 10, 11, 10, 11]);
    let y = reflect_line::<u8>::reference(&[10]).unwrap();
    assert_eq!(y.row(0).to_vec(), [10; 7]);
}

#[test]
fn mirror_image_with_the_edge_by_the_definition() {
    // −1 reads 0, n reads n − 1, the period is 2n, and an axis of one element always reads that element.
    let x = Array1::from(vec![10u8, 11, 12, 13]);
    let y = symmetric_line::<u8>::reference(&x).unwrap();
    assert_eq!(y.row(0).to_vec(), [12, 11, 10, 10, 11, 12, 13]);
    assert_eq!(y.row(3).to_vec(), [10, 11, 12, 13, 13, 12, 11]);
    let y = symmetric_line::<u8>::reference(&[10, 11]).unwrap();
    assert_eq!(y.row(0).to_vec(), [11, 11, 10, 10, 11, 11, 10]);
    let y = symmetric_line::<u8>::reference(&[10]).unwrap();
    assert_eq!(y.row(0).to_vec(), [10; 7]);
    let y = symmetric_far::<u8>::reference(&[10, 11, 12]).unwrap();
    // From −40 to 40 in steps of 5, at a period of 6.
    assert_eq!(y.row(0).to_vec(), [12, 11, 10, 10, 11, 12, 12, 11, 10, 10, 11, 12, 12, 11, 10, 10, 11]);
}

#[test]
fn several_periods_away() {
    for n in sizes::line(&[32]).into_iter().chain([4_099]) {
        let x = Data::new(n as u64).array::<f32, _>(n);
        let far = |i: usize, k: usize| symmetric(3 * i as i64 + 5 * k as i64 - 40, n);
        check!(symmetric_far::<f32>(&x), Array2::from_shape_fn((n, 17), |(i, k)| x[far(i, k)]));
        let x = Data::new(n as u64).array::<u8, _>(n);
        check!(symmetric_far::<u8>(&x), Array2::from_shape_fn((n, 17), |(i, k)| x[far(i, k)]));
    }
}

#[test]
fn a_filter_also_folded() {
    for (r, c) in sizes::plane(&[8], &[32, 128]).into_iter().chain([(43, 307)]) {
        let mut data = Data::new((1000 * r + c) as u64);
        let (x, w) = (data.array::<u8, _>((r, c)), data.table::<u8, 5, 3>());
        let wanted = Array2::from_shape_fn((r, c), |(i, j)| {
            let at = |p: usize, q: usize| x[[symmetric((i + p) as i64 - 2, r), symmetric((j + q) as i64 - 1, c)]];
            let products = (0..15).map(|k| at(k / 3, k % 3).wrapping_mul(w[k / 3][k % 3]));
            products.fold(0, u8::wrapping_add)
        });
        check!(symmetric_filter::<u8>(&x, &w), wanted);
        check!(symmetric_filter_folded::<u8>(&x, &w), wanted);
        let (x, w) = (data.array::<f32, _>((r, c)), data.table::<f32, 5, 3>());
        let wanted = Array2::from_shape_fn((r, c), |(i, j)| {
            let at = |p: usize, q: usize| x[[symmetric((i + p) as i64 - 2, r), symmetric((j + q) as i64 - 1, c)]];
            (0..15).fold(0.0f32, |sum, k| at(k / 3, k % 3).mul_add(w[k / 3][k % 3], sum))
        });
        check!(symmetric_filter::<f32>(&x, &w), wanted);
        check!(symmetric_filter_folded::<f32>(&x, &w), wanted);
    }
}

/// `steps` of smoothing a line that is extended on both sides by as many elements of its mirror image.
fn smoothed(x: &Array1<i32>, steps: usize) -> Array1<i32> {
    let (n, more) = (x.len(), steps as i64);
    let mut line: Vec<i32> = (-more..n as i64 + more).map(|i| x[symmetric(i, n)]).collect();
    for _ in 0..steps {
        let sum = |of: &[i32]| of[0].wrapping_add(of[1].wrapping_mul(2)).wrapping_add(of[2]);
        line = line.windows(3).map(sum).collect();
    }
    Array1::from(line)
}

#[test]
fn fused_steps_also_folded() {
    for n in sizes::line(&[16, 118, 124]).into_iter().chain([4_099]) {
        let x = Data::new(n as u64).array::<i32, _>(n);
        check!(symmetric_steps::<2>(&x), smoothed(&x, 2));
        check!(symmetric_steps::<5>(&x), smoothed(&x, 5));
        check!(symmetric_steps_folded::<2>(&x), smoothed(&x, 2));
        check!(symmetric_steps_folded::<5>(&x), smoothed(&x, 5));
    }
}
