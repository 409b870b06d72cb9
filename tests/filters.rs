//! Scans and recursive filters along both axes, through the maps that the compiler finds, against plain loops and SciPy.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/filters.rs"]
mod kernels;

use kernels::*;
use systolic::Cpu;
use systolic::ndarray::{Array1, Array2, Axis};
use systolic_tests::{Data, check, sizes};

/// The sizes of a plane around lanes of 32, and one of many tiles.
fn planes() -> Vec<(usize, usize)> {
    let mut planes = sizes::plane(&[32], &[32]);
    planes.extend([(131, 67), (64, 250)]);
    planes
}

/// Filters every line along an axis: an element from the old one and the last two new ones.
fn walk<T: Copy + Default>(x: &Array2<T>, axis: usize, next: impl Fn(T, T, T) -> T) -> Array2<T> {
    let mut y = x.clone();
    for mut line in y.lanes_mut(Axis(axis)) {
        let (mut one, mut two) = (T::default(), T::default());
        for element in &mut line {
            *element = next(*element, one, two);
            (one, two) = (*element, one);
        }
    }
    y
}

#[test]
fn sums() {
    for (r, c) in planes() {
        let x = Data::new((1000 * r + c) as u64).array::<f32, _>((r, c));
        let add = |x: f32, one: f32, _: f32| x + one;
        check!(scans(&x), (walk(&x, 1, add), walk(&x, 0, add)));
        let x = x.mapv(f64::from);
        let add = |x: f64, one: f64, _: f64| x + one;
        check!(areas(&x), walk(&walk(&x, 1, add), 0, add));
    }
}

#[test]
fn filters_of_both_orders_along_both_axes() {
    for (r, c) in planes() {
        let mut data = Data::new((1000 * r + c) as u64);
        let x = data.array::<f32, _>((r, c));
        let [a, a1, a2] = data.row::<f32, 3>();
        let first = |x: f32, one: f32, _: f32| a.mul_add(one, x);
        check!(rows1(&x, a), walk(&x, 1, first));
        check!(columns1(&x, a), walk(&x, 0, first));
        let second = |x: f32, one: f32, two: f32| a2.mul_add(two, a1.mul_add(one, x));
        check!(rows2(&x, a1, a2), walk(&x, 1, second));
        check!(columns2(&x, a1, a2), walk(&x, 0, second));
        check!(plane2(&x, a1, a2), walk(&walk(&x, 1, second), 0, second));
    }
}

/// `scipy.signal.lfilter` in doubles along both axes; ours rounds to `f32` after every operation.
#[test]
fn as_scipy_filters() {
    let text = include_str!("fixtures/filters.txt");
    let rows: Vec<Vec<f32>> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect())
        .collect();
    // The coefficients, then as many rows of the input as of each result.
    let (a1, a2) = (rows[0][0], rows[0][1]);
    let (height, width) = ((rows.len() - 1) / 6, rows[1].len());
    let part = |at: usize| {
        let all: Array1<f32> = rows[1 + at * height..1 + (at + 1) * height].iter().flatten().copied().collect();
        all.into_shape_with_order((height, width)).unwrap()
    };
    let x = part(0);
    let found = [
        rows1::run(&Cpu, &x, a1),
        columns1::run(&Cpu, &x, a1),
        rows2::run(&Cpu, &x, a1, a2),
        columns2::run(&Cpu, &x, a1, a2),
        plane2::run(&Cpu, &x, a1, a2),
    ];
    for (at, found) in found.into_iter().enumerate() {
        let (found, wanted) = (found.unwrap(), part(at + 1));
        let most = wanted.iter().fold(0f32, |most, x| most.max(x.abs()));
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!((found - wanted).abs() <= 4e-6 * most, "filter {at}: {found} {wanted}");
        }
    }
}

#[test]
fn planes_without_elements() {
    for shape in [(0, 0), (0, 5), (5, 0)] {
        let x = Array2::<f32>::zeros(shape);
        check!(rows1(&x, 0.5), x);
        check!(columns2(&x, 0.5, 0.5), x);
        check!(plane2(&x, 0.5, 0.5), x);
        check!(scans(&x), (x.clone(), x.clone()));
    }
}
