//! Every border, up to three elements outside of arrays as small as one.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/borders.rs"]
mod kernels;

use kernels::*;
use systolic::ndarray::{Array1, Array2, Array4};
use systolic_tests::border::{clamp, inside, reflect, wrap};
use systolic_tests::{Data, check, sizes};

/// Which element of an axis an index means, if any.
type Meaning = fn(i64, usize) -> Option<usize>;

/// Every element up to three away from every element, `outside` where there is none.
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

/// Compares the kernels of one border for one element type, at all sizes and a large one.
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
    // −1 reads 1, n reads n − 2, the period is 2n − 2, an axis of one element reads it.
    let x = Array1::from(vec![10u8, 11, 12, 13]);
    let y = reflect_line::<u8>::reference(&x).unwrap();
    assert_eq!(y.row(0).to_vec(), [13, 12, 11, 10, 11, 12, 13]);
    assert_eq!(y.row(3).to_vec(), [10, 11, 12, 13, 12, 11, 10]);
    let y = reflect_line::<u8>::reference(&[10, 11]).unwrap();
    assert_eq!(y.row(0).to_vec(), [11, 10, 11, 10, 11, 10, 11]);
    let y = reflect_line::<u8>::reference(&[10]).unwrap();
    assert_eq!(y.row(0).to_vec(), [10; 7]);
}
