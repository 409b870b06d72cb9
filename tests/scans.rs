//! Scans and recurrences along an axis.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/scans.rs"]
mod kernels;

use kernels::*;
use systolic::ndarray::{Array1, Array2, Axis};
use systolic_tests::{Data, check, larger, sizes};

/// The sizes of a plane with these tiles, and one of 100,000 points.
fn planes(rows: &[usize], columns: &[usize]) -> Vec<(usize, usize)> {
    let mut planes = sizes::plane(rows, columns);
    planes.push((311, 331));
    planes
}

/// Walks along every lane of an axis; each element is computed from the old one and the new ones before it.
fn walk<T: Copy>(x: &Array2<T>, axis: usize, next: impl Fn(T, &[T]) -> T) -> Array2<T> {
    let mut y = x.clone();
    for mut lane in y.lanes_mut(Axis(axis)) {
        let mut made = Vec::with_capacity(lane.len());
        for element in &mut lane {
            *element = next(*element, &made);
            made.push(*element);
        }
    }
    y
}

#[test]
fn sums_along_rows() {
    for (r, c) in planes(&[8, 32], &[128]) {
        let x = Data::new((1000 * r + c) as u64).array::<f32, _>((r, c));
        let wanted = walk(&x, 1, |x, made| x + made.last().unwrap_or(&0.0));
        check!(scan_rows(&x), wanted);
        check!(scan_rows_strips(&x), wanted);
        check!(scan_rows_walked(&x), wanted);
    }
}

#[test]
fn sums_down_columns() {
    for (r, c) in planes(&[], &[128]) {
        let x = Data::new((1000 * r + c) as u64).array::<f32, _>((r, c));
        check!(scan_columns(&x), walk(&x, 0, |x, made| x + made.last().unwrap_or(&0.0)));
    }
}

#[test]
fn summed_area_table() {
    for (r, c) in planes(&[], &[32, 128]) {
        let x = Data::new((1000 * r + c) as u64).array::<i32, _>((r, c));
        let add = |x: i32, made: &[i32]| x.wrapping_add(*made.last().unwrap_or(&0));
        let wanted = walk(&walk(&x, 1, add), 0, add);
        check!(sat(&x), wanted);
        check!(sat_strips(&x), wanted);
    }
}

#[test]
fn summed_area_table_by_definition() {
    let x = Data::new(7).array::<i32, _>((11, 13));
    let wanted = Array2::from_shape_fn((11, 13), |(r, c)| {
        x.indexed_iter().filter(|&((i, j), _)| i <= r && j <= c).fold(0i32, |sum, (_, &x)| sum.wrapping_add(x))
    });
    check!(sat(&x), wanted);
}

#[test]
fn recursive_filters() {
    for (b, n) in planes(&[8, 32], &[128]) {
        let mut data = Data::new((1000 * b + n) as u64);
        let x = data.array::<f32, _>((b, n));
        let [a, a1, a2] = data.row::<f32, 3>();
        let back = |made: &[f32], distance: usize| made.iter().nth_back(distance - 1).copied().unwrap_or(0.0);
        let first = walk(&x, 1, |x, made| a.mul_add(back(made, 1), x));
        check!(iir1(&x, a), first);
        check!(iir1_strips(&x, a), first);
        let second = walk(&x, 1, |x, made| a2.mul_add(back(made, 2), a1.mul_add(back(made, 1), x)));
        check!(iir2(&x, a1, a2), second);
        check!(iir2_strips(&x, a1, a2), second);
        check!(iir2_walked(&x, a1, a2), second);
    }
}

#[test]
fn largest_so_far() {
    for (b, n) in planes(&[8, 32], &[128]) {
        let x = Data::new((1000 * b + n) as u64).array::<f32, _>((b, n));
        let wanted = walk(&x, 1, |x, made| made.last().map_or(x, |&most| larger(most, x)));
        check!(running_max(&x), wanted);
        check!(running_max_strips(&x), wanted);
    }
}

#[test]
fn largest_so_far_passes_over_nans_and_orders_zeros() {
    let x = Array2::from_shape_vec(
        (2, 5),
        vec![f32::NAN, -0.0, 0.0, -0.0, f32::NAN, f32::NEG_INFINITY, -1e-45, f32::NAN, -0.0, f32::INFINITY],
    );
    let wanted = Array2::from_shape_vec(
        (2, 5),
        vec![f32::NAN, -0.0, 0.0, 0.0, 0.0, f32::NEG_INFINITY, -1e-45, -1e-45, -0.0, f32::INFINITY],
    );
    let (x, wanted) = (x.unwrap(), wanted.unwrap());
    check!(running_max(&x), wanted);
    check!(running_max_strips(&x), wanted);
}

#[test]
fn polynomials() {
    let mut pairs = sizes::plane(&[64], &[]);
    pairs.push((3301, 31));
    for (n, k) in pairs {
        let mut data = Data::new((1000 * n + k) as u64);
        let (x, a) = (data.array::<f64, _>(n), data.array::<f64, _>(k));
        let wanted: Array1<f64> =
            x.iter().map(|&x| a.iter().rev().copied().reduce(|sum, a| sum.mul_add(x, a)).unwrap()).collect();
        check!(horner(&x, &a), wanted);
    }
}

#[test]
fn exponential_smoothing() {
    for (b, n) in planes(&[8, 32], &[128]) {
        let mut data = Data::new((1000 * b + n) as u64);
        let x = data.array::<f32, _>((b, n));
        let a = data.one::<f32>().abs();
        let wanted = walk(&x, 1, |x, made| made.last().map_or(x, |&last| (1.0 - a).mul_add(last, a * x)));
        check!(smoothing(&x, a), wanted);
        check!(smoothing_strips(&x, a), wanted);
    }
}
