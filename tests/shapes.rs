//! Ranks, sizes, bounds and constants of every form.
// ndarray's slices are macros that contain unsafe code, so it cannot be forbidden here.
#![deny(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/shapes.rs"]
mod kernels;

use kernels::*;
use systolic::ndarray::{Array1, Array2, Axis, concatenate as join, s};
use systolic_tests::{Data, check, sizes};

/// Sizes of one axis, one of them large.
fn lines() -> Vec<usize> {
    let mut lines = sizes::line(&[32]);
    lines.push(100_003);
    lines
}

/// Sizes of two axes, one pair of them large.
fn planes() -> Vec<(usize, usize)> {
    let mut planes = sizes::plane(&[32], &[32]);
    planes.push((311, 331));
    planes
}

#[test]
fn one_dimension() {
    for n in lines() {
        let x = Data::new(n as u64).array::<i64, _>(n);
        check!(backwards(&x), x.slice(s![..;-1]).to_owned());
    }
}

#[test]
fn two_dimensions() {
    for (r, c) in planes() {
        let x = Data::new((1000 * r + c) as u64).array::<u8, _>((r, c));
        check!(transpose(&x), x.t().to_owned());
    }
}

#[test]
fn three_dimensions() {
    for shape in [(1, 1, 1), (1, 2, 3), (5, 1, 7), (13, 3, 1), (31, 2, 33), (47, 43, 53)] {
        let x = Data::new(shape.0 as u64).array::<f64, _>(shape);
        check!(rotate(&x), x.view().permuted_axes([2, 0, 1]).to_owned());
    }
}

#[test]
fn four_dimensions() {
    for shape in [(1, 1, 1, 1), (1, 2, 3, 5), (5, 1, 7, 2), (13, 3, 1, 1), (2, 2, 31, 3), (17, 13, 19, 29)] {
        let x = Data::new(shape.0 as u64).array::<i32, _>(shape);
        check!(permute(&x), x.view().reversed_axes().to_owned());
    }
}

#[test]
fn several_outputs() {
    for (r, c) in planes() {
        let x = Data::new((1000 * r + c) as u64).array::<i32, _>((r, c));
        let mut running = x.mapv(i64::from);
        running.accumulate_axis_inplace(Axis(1), |before, x| *x += before);
        let wanted = (
            x.map_axis(Axis(1), |row| *row.iter().min().unwrap()),
            x.map_axis(Axis(1), |row| *row.iter().max().unwrap()),
            running.column(c - 1).to_owned(),
            running,
        );
        check!(statistics(&x), wanted);
    }
}

#[test]
fn sizes_with_coefficients() {
    for n in lines() {
        let mut data = Data::new(n as u64);
        let both = data.array::<i32, _>(2 * n);
        let (even, odd) = (both.slice(s![..;2]).to_owned(), both.slice(s![1..;2]).to_owned());
        check!(interleave(&even, &odd), both);
        check!(deinterleave(&both), (even, odd));

        let x = data.array::<i32, _>(3 * n + 1);
        check!(thirds(&x), (x.slice(s![..3 * n;3]).to_owned(), x.slice(s![3 * n..]).to_owned()));

        let x = data.array::<i32, _>(n);
        let wanted = Array1::from_shape_fn(3 * n - 2, |i| match i % 3 {
            0 => x[i / 3],
            1 => 0,
            _ => x[i / 3 + 1].wrapping_neg(),
        });
        check!(spread(&x), wanted);
    }
}

#[test]
fn sums_of_sizes() {
    for (n, m) in planes() {
        let mut data = Data::new((1000 * n + m) as u64);
        let (first, second) = (data.array::<i32, _>(n), data.array::<i32, _>(m));
        let both = join![Axis(0), first, second];
        check!(concatenate(&first, &second), both);
        check!(split(&both, &first), (first.mapv(|x| x.wrapping_add(x)), second));
    }
}

#[test]
fn sizes_as_parameters() {
    for (times, n) in planes() {
        let mut data = Data::new((1000 * times + n) as u64);
        let x = data.array::<f32, _>(n);
        check!(repeat(&x, times), Array2::from_shape_fn((times, n), |(_, i)| x[i]));
        let a = 1.0 + data.one::<f32>() / 16.0;
        check!(iterate(&x, a, times), x.mapv(|x| (0..times).fold(x, |x, _| a * x)));
    }
    for n in lines() {
        check!(naturals(n), Array1::from_iter(0..n as u32));
        check!(evens(), Array1::from_iter((0..5).map(|i| 2 * i)));
    }
}

#[test]
fn sizes_under_conditions() {
    for (r, c) in [(4, 3), (8, 5), (12, 31), (4, 32), (32, 33), (320, 331)] {
        let x = Data::new((1000 * r + c) as u64).array::<i32, _>((r, c));
        let wanted = Array2::from_shape_fn((r, c), |(i, j)| {
            x[[i, 2]].wrapping_add(if i % 4 == 3 { x[[i, j]] } else { x[[i + 1, j]] })
        });
        check!(quarters(&x), wanted);
    }
    for (n, m) in [(1, 1), (2, 1), (5, 3), (31, 31), (33, 32), (40, 33), (100_019, 100_003)] {
        let mut data = Data::new((1000 * n + m) as u64);
        let (long, short) = (data.array::<i32, _>(n), data.array::<i32, _>(m));
        check!(shorter(&long, &short), Array1::from_shape_fn(m, |i| long[i].wrapping_add(short[i])));
    }
}

#[test]
fn generics_under_conditions() {
    for n in lines() {
        let mut data = Data::new(n as u64);
        let (x, w2, w3) = (data.array::<i32, _>(n), data.table::<i32, 2, 2>(), data.table::<i32, 3, 3>());
        check!(squares::<2, 2>(&x, &w2), x.mapv(|x| x.wrapping_mul(w2[1][1]).wrapping_add(w2[0][1])));
        check!(squares::<3, 3>(&x, &w3), x.mapv(|x| x.wrapping_mul(w3[2][2]).wrapping_add(w3[0][2])));
    }
}

#[test]
fn triangles() {
    for n in sizes::line(&[32]).into_iter().chain([449]) {
        let x = Data::new(n as u64).array::<i64, _>(n);
        let sum = |from: usize, to: usize| x.slice(s![from..to]).iter().fold(0i64, |sum, x| sum.wrapping_add(*x));
        check!(prefixes(&x), Array1::from_shape_fn(n, |i| sum(0, i + 1)));
        check!(suffixes(&x), Array1::from_shape_fn(n, |i| sum(i, n)));
    }
}

#[test]
fn bands() {
    for n in sizes::line(&[32]).into_iter().chain([33_343]) {
        let x = Data::new(n as u64).array::<i32, _>(n);
        let wanted = Array1::from_shape_fn(n, |i| {
            x.slice(s![i.saturating_sub(1)..(i + 2).min(n)]).iter().fold(0i32, |sum, x| sum.wrapping_add(*x))
        });
        check!(band(&x), wanted);
    }
}

/// A filter around every point, zeros outside.
fn around(x: &Array1<f32>, w: &[f32]) -> Array1<f32> {
    let middle = w.len() / 2;
    let at = |i: usize, k: usize| (i + k).checked_sub(middle).and_then(|i| x.get(i)).copied().unwrap_or(0.0);
    Array1::from_shape_fn(x.len(), |i| w.iter().enumerate().fold(0.0, |sum, (k, &w)| at(i, k).mul_add(w, sum)))
}

#[test]
fn loops_from_below_zero() {
    for n in sizes::line(&[32]).into_iter().chain([33_343]) {
        let mut data = Data::new(n as u64);
        let (x, w1, w3) = (data.array::<f32, _>(n), data.row::<f32, 3>(), data.row::<f32, 7>());
        check!(centred::<1>(&x, &w1), around(&x, &w1));
        check!(centred::<3>(&x, &w3), around(&x, &w3));
    }
    for n in lines() {
        let mut data = Data::new(n as u64);
        let (x, a) = (data.array::<f32, _>(n), data.one::<f32>());
        let mut state = (0..4).fold(1.0, |state, _| 0.5f32.mul_add(state, a));
        let wanted = x.mapv(|x| {
            state = 0.5f32.mul_add(state, a);
            state * x
        });
        check!(warm_up(&x, a), wanted);
    }
}

#[test]
fn constants_of_the_body() {
    for n in sizes::line(&[32]).into_iter().chain([16_673]) {
        let x = Data::new(n as u64).array::<i32, _>(n);
        let y =
            x.mapv(|x| [1, -2, 3, 40, 50, -60].into_iter().fold(-7i32, |sum, k| x.wrapping_mul(k).wrapping_add(sum)));
        let z = x.mapv(|x| 1e-3 + (-0.5 + (0.25 + 1e-3 * x as f32)));
        check!(constants(&x), (y, z));
    }
}

#[test]
fn what_nothing_uses() {
    for n in lines() {
        let mut data = Data::new(n as u64);
        let (x, ignored) = (data.array::<f32, _>(n), data.array::<f32, _>((3, 2)));
        check!(unused(&x, &ignored, &[1.0, 2.0], 3.0, 5), x);
    }
}

#[test]
fn dimensions_without_sizes() {
    let grid = Data::new(1).array::<i32, _>((4, 3));
    check!(fixed(&grid), grid.flatten().to_owned());
}
