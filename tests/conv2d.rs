//! 2-D convolution: valid and same, along rows and along columns of the filter, in two halves, and in half precision.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/conv2d.rs"]
mod kernels;

use kernels::*;
use systolic::f16;
use systolic::ndarray::Array2;
use systolic_tests::{Data, Real, border, check, sizes};

/// Every offset into a filter of `P` by `Q`, row by row.
fn by_rows<const P: usize, const Q: usize>() -> Vec<(usize, usize)> {
    (0..P).flat_map(|p| (0..Q).map(move |q| (p, q))).collect()
}

/// Every offset into a filter of `P` by `Q`, column by column.
fn by_columns<const P: usize, const Q: usize>() -> Vec<(usize, usize)> {
    (0..Q).flat_map(|q| (0..P).map(move |p| (p, q))).collect()
}

/// `z[r, c] = Σ x(r + p, c + q) · w[p, q]` over the offsets in their order.
fn convolve<T: Real, const P: usize, const Q: usize>(
    shape: (usize, usize),
    w: &[[T; Q]; P],
    offsets: &[(usize, usize)],
    x: impl Fn(i64, i64) -> T,
) -> Array2<T> {
    Array2::from_shape_fn(shape, |(r, c)| {
        offsets.iter().fold(T::ZERO, |sum, &(p, q)| x((r + p) as i64, (c + q) as i64).fma(w[p][q], sum))
    })
}

/// The same for an input that is larger than the output by the filter size minus one.
fn valid<T: Real, const P: usize, const Q: usize>(
    x: &Array2<T>,
    w: &[[T; Q]; P],
    offsets: &[(usize, usize)],
) -> Array2<T> {
    let shape = (x.nrows() + 1 - P, x.ncols() + 1 - Q);
    convolve(shape, w, offsets, |r, c| x[[r as usize, c as usize]])
}

/// Input and filter for an output of `r` by `c`.
fn inputs<T: systolic_tests::Sample, const P: usize, const Q: usize>(r: usize, c: usize) -> (Array2<T>, [[T; Q]; P]) {
    let mut data = Data::new((1000 * r + c) as u64);
    (data.array((r + P - 1, c + Q - 1)), data.table())
}

#[test]
fn along_rows() {
    let mut planes = sizes::plane(&[8], &[32, 128]);
    planes.push((101, 223));
    for (r, c) in planes {
        let (x, w) = inputs::<f32, 3, 3>(r, c);
        let wanted = valid(&x, &w, &by_rows::<3, 3>());
        check!(conv2d::<f32, 3, 3>(&x, &w), wanted);
        check!(conv2d_rows::<f32, 3, 3>(&x, &w), wanted);
        check!(conv2d_fbs::<f32, 3, 3>(&x, &w), wanted);
        let (x, w) = inputs::<f64, 3, 3>(r, c);
        let wanted = valid(&x, &w, &by_rows::<3, 3>());
        check!(conv2d::<f64, 3, 3>(&x, &w), wanted);
        check!(conv2d_rows::<f64, 3, 3>(&x, &w), wanted);
        check!(conv2d_fbs::<f64, 3, 3>(&x, &w), wanted);
    }
}

#[test]
fn down_columns() {
    let mut planes = sizes::plane(&[4], &[28]);
    planes.push((101, 113));
    for (r, c) in planes {
        let (x, w) = inputs(r, c);
        let wanted = valid(&x, &w, &by_columns::<3, 3>());
        check!(conv2d_columns::<3, 3>(&x, &w), wanted);
        check!(conv2d_columns_sbm::<3, 3>(&x, &w), wanted);
        check!(conv2d_columns_ssam::<3, 3>(&x, &w), wanted);
    }
}

/// Compares one "same" convolution for one filter; `$at` maps an index to one inside an axis.
macro_rules! same {
    ($kernel:ident, $p:tt, $q:tt, $sizes:expr, $outside:expr, $at:expr) => {
        for (r, c) in $sizes {
            let mut data = Data::new((1000 * r + c) as u64);
            let x = data.array::<f32, _>((r, c));
            let w = data.table::<f32, $p, $q>();
            let at: fn(i64, usize) -> Option<usize> = $at;
            let wanted =
                convolve((r, c), &w, &by_rows::<$p, $q>(), |i, j| match (at(i - $p / 2, r), at(j - $q / 2, c)) {
                    (Some(i), Some(j)) => x[[i, j]],
                    _ => $outside,
                });
            check!($kernel::<$p, $q>(&x, &w), wanted);
        }
    };
}

#[test]
fn same_with_every_border() {
    let (planes, folded) = (sizes::plane(&[8], &[32]), sizes::plane(&[8], &[128]));
    same!(conv2d_same, 3, 3, planes.clone(), 0.0, |i, n| Some(border::clamp(i, n)));
    same!(conv2d_same, 4, 3, planes.clone(), 0.0, |i, n| Some(border::clamp(i, n)));
    same!(conv2d_same_folded, 3, 3, folded.clone(), 0.0, |i, n| Some(border::clamp(i, n)));
    same!(conv2d_same_folded, 4, 3, folded, 0.0, |i, n| Some(border::clamp(i, n)));
    same!(conv2d_same_zero, 4, 3, planes.clone(), 0.0, border::inside);
    same!(conv2d_same_reflect, 4, 3, planes.clone(), 0.0, |i, n| Some(border::reflect(i, n)));
    same!(conv2d_same_wrap, 4, 3, planes.clone(), 0.0, |i, n| Some(border::wrap(i, n)));
    same!(conv2d_same_constant, 4, 3, planes, -0.5, border::inside);
}

#[test]
fn same_with_every_border_large() {
    same!(conv2d_same, 4, 3, [(89, 97)], 0.0, |i, n| Some(border::clamp(i, n)));
    same!(conv2d_same_folded, 4, 3, [(43, 307)], 0.0, |i, n| Some(border::clamp(i, n)));
    same!(conv2d_same_zero, 4, 3, [(89, 97)], 0.0, border::inside);
    same!(conv2d_same_reflect, 4, 3, [(89, 97)], 0.0, |i, n| Some(border::reflect(i, n)));
    same!(conv2d_same_wrap, 4, 3, [(89, 97)], 0.0, |i, n| Some(border::wrap(i, n)));
    same!(conv2d_same_constant, 4, 3, [(89, 97)], -0.5, border::inside);
}

#[test]
fn half_precision_with_single_sums() {
    let mut planes = sizes::plane(&[8], &[64]);
    planes.push((101, 113));
    for (r, c) in planes {
        let (x, w) = inputs::<f16, 3, 3>(r, c);
        let wanted = valid(&x.mapv(f32::from), &w.map(|row| row.map(f32::from)), &by_rows::<3, 3>());
        check!(conv2d_f16::<3, 3>(&x, &w), wanted.mapv(f16::from_f32));
    }
}

#[test]
fn in_halves() {
    let halves: Vec<_> =
        by_rows::<5, 3>().into_iter().chain(by_rows::<5, 2>().into_iter().map(|(p, q)| (p, q + 3))).collect();
    let mut planes = sizes::plane(&[4], &[32]);
    planes.push((59, 61));
    for (r, c) in planes {
        let (x, w) = inputs::<f32, 5, 5>(r, c);
        check!(conv2d_halves::<5, 5, 3>(&x, &w), valid(&x, &w, &halves));
    }
}

/// Compares the filter of one size.
macro_rules! filter {
    ($p:tt, $q:tt, $sizes:expr) => {
        for (r, c) in $sizes {
            let (x, w) = inputs::<f32, $p, $q>(r, c);
            check!(conv2d_filters::<$p, $q>(&x, &w), valid(&x, &w, &by_rows::<$p, $q>()));
        }
    };
}

#[test]
fn filters_small_large_and_oblong() {
    let small = sizes::plane(&[], &[32]);
    let large = [(1, 1), (2, 3), (1, 31), (1, 32), (1, 33), (7, 5)];
    filter!(2, 2, small.clone());
    filter!(2, 7, small.clone());
    filter!(2, 20, small);
    filter!(2, 20, [(61, 67)]);
    filter!(20, 2, large);
    filter!(20, 7, large);
    filter!(20, 20, large);
    filter!(20, 20, [(13, 23)]);
}
