//! Filters over windows of an image, a signal or a stack of channels.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/windows.rs"]
mod kernels;

use kernels::*;
use systolic::__private::ops;
use systolic::ndarray::{Array1, Array2, Array4};
use systolic_tests::border::{clamp, inside, reflect};
use systolic_tests::{Data, check, larger, sizes};

/// The nearest element.
fn near<T: Copy>(x: &Array2<T>, r: i64, c: i64) -> T {
    x[[clamp(r, x.nrows()), clamp(c, x.ncols())]]
}

/// `Σ x(k) · w[k]`.
fn weigh(w: &[f32], x: impl Fn(usize) -> f32) -> f32 {
    w.iter().enumerate().fold(0.0, |sum, (k, &w)| x(k).mul_add(w, sum))
}

/// `z[r, c] = Σ x(r, c, p, q) · w[p, q]`, row by row of the filter.
fn convolve<const P: usize>(
    shape: (usize, usize),
    w: &[[f32; P]; P],
    x: impl Fn(usize, usize, usize, usize) -> f32,
) -> Array2<f32> {
    Array2::from_shape_fn(shape, |(r, c)| {
        let mut sum = 0f32;
        for (p, row) in w.iter().enumerate() {
            for (q, &w) in row.iter().enumerate() {
                sum = x(r, c, p, q).mul_add(w, sum);
            }
        }
        sum
    })
}

/// Compares the two passes of a filter of one length; the second also with a map that not every length has.
macro_rules! fir {
    ($taps:tt, $sizes:expr $(, $folded:ident)?) => {
        for (r, c) in $sizes {
            let mut data = Data::new((1000 * r + c) as u64);
            let (x, w) = (data.array::<f32, _>((r, c)), data.row::<f32, $taps>());
            let at = |at: usize, k: usize, n| reflect((at + k) as i64 - $taps / 2, n);
            let rows = Array2::from_shape_fn((r, c), |(i, j)| weigh(&w, |k| x[[i, at(j, k, c)]]));
            let columns = Array2::from_shape_fn((r, c), |(i, j)| weigh(&w, |k| x[[at(i, k, r), j]]));
            check!(fir_rows::<$taps>(&x, &w), rows);
            check!(fir_rows_folded::<$taps>(&x, &w), rows);
            check!(fir_columns::<$taps>(&x, &w), columns);
            $(check!($folded::<$taps>(&x, &w), columns);)?
        }
    };
}

#[test]
fn passes_of_a_separable_filter() {
    fir!(3, sizes::plane(&[16], &[32, 128]), fir_columns_folded);
    fir!(3, [(57, 311)], fir_columns_folded);
    fir!(31, sizes::plane(&[16], &[32, 128]));
    fir!(31, [(37, 161)]);
}

#[test]
fn separable_filter() {
    // The tiled loop has two columns more than the result.
    let mut shapes = sizes::plane(&[], &[30, 62]);
    shapes.push((127, 137));
    for (r, c) in shapes {
        let mut data = Data::new((1000 * r + c) as u64);
        let (x, w) = (data.array::<f32, _>((r + 2, c + 2)), data.row::<f32, 3>());
        let columns = Array2::from_shape_fn((r, c + 2), |(i, j)| weigh(&w, |k| x[[i + k, j]]));
        // The row pass starts at the right end of the filter.
        let wanted = Array2::from_shape_fn((r, c), |(i, j)| {
            (0..3).rev().fold(0.0, |sum, k| columns[[i, j + k]].mul_add(w[k], sum))
        });
        check!(separable::<3>(&x, &w), wanted);
    }
}

#[test]
fn motion_estimation() {
    for (ys, xs) in [(1, 1), (1, 2), (2, 1), (2, 3), (3, 2), (1, 5), (4, 7), (1, 31), (1, 32), (1, 33), (2, 67)] {
        let mut data = Data::new((1000 * ys + xs) as u64);
        // Few grey levels, so that several offsets are equally good.
        let old = data.array::<u8, _>((8 * ys, 8 * xs)).mapv(|x| x & 1);
        let now = data.array::<u8, _>((8 * ys, 8 * xs)).mapv(|x| x & 3);
        motion_of(&now, &old);
    }
}

#[test]
fn motion_is_found() {
    let old = Data::new(1).array::<u8, _>((24, 40));
    let now = Array2::from_shape_fn((24, 40), |(r, c)| near(&old, r as i64 + 3, c as i64 - 2));
    motion_of(&now, &old);
    let (sad, best) = motion::<8, 4>::reference(&now, &old).unwrap();
    assert_eq!(sad.sum(), 0);
    assert_eq!(best[[1, 2]], (3 + 4) * 9 + (-2 + 4));
}

/// Compares the motion between two images: the sum of differences of each offset, then the first smallest.
fn motion_of(now: &Array2<u8>, old: &Array2<u8>) {
    let found = Array2::from_shape_fn((now.nrows() / 8, now.ncols() / 8), |(y, x)| {
        let mut best = (i32::MAX, 0);
        for u in 0..9 {
            for v in 0..9 {
                let mut sad = 0;
                for r in 8 * y..8 * y + 8 {
                    for c in 8 * x..8 * x + 8 {
                        let there = near(old, (r + u) as i64 - 4, (c + v) as i64 - 4);
                        sad += i32::from(now[[r, c]].abs_diff(there));
                    }
                }
                if sad < best.0 {
                    best = (sad, (9 * u + v) as i32);
                }
            }
        }
        best
    });
    check!(motion::<8, 4>(now, old), (found.mapv(|(sad, _)| sad), found.mapv(|(_, best)| best)));
}

#[test]
fn bilateral_filter() {
    let mut shapes = sizes::plane(&[], &[32]);
    shapes.push((61, 67));
    for (r, c) in shapes {
        let mut data = Data::new((1000 * r + c) as u64);
        let x = data.array::<f32, _>((r, c));
        let g = data.table::<f32, 5, 5>().map(|row| row.map(f32::abs));
        let k = 3.0 * data.one::<f32>().abs();
        let wanted = Array2::from_shape_fn((r, c), |(r, c)| {
            let (mut sum, mut weights) = (0f32, 0f32);
            for (p, row) in g.iter().enumerate() {
                for (q, g) in row.iter().enumerate() {
                    let there = near(&x, (r + p) as i64 - 2, (c + q) as i64 - 2);
                    let difference = there - x[[r, c]];
                    let weight = g * ops::exp(-(difference * difference) * k);
                    sum = there.mul_add(weight, sum);
                    weights += weight;
                }
            }
            sum / weights
        });
        check!(bilateral::<5>(&x, &g, k), wanted);
    }
}

#[test]
fn convolution_layer() {
    let mut shapes = vec![[1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [1, 3, 5, 1, 7], [2, 1, 3, 7, 1], [3, 2, 1, 1, 13]];
    shapes.extend([[1, 1, 2, 2, 31], [1, 2, 1, 1, 32], [1, 1, 1, 3, 33], [2, 3, 5, 19, 23]]);
    for [batch, inputs, outputs, ys, xs] in shapes {
        let mut data = Data::new((1000 * (1000 * batch + ys) + xs) as u64);
        let x = data.array::<f32, _>((batch, inputs, ys + 2, xs + 2));
        let w = data.array::<f32, _>((outputs, inputs, 3, 3));
        let bias = data.array::<f32, _>(outputs);
        let wanted = Array4::from_shape_fn((batch, outputs, ys, xs), |(b, o, y, c)| {
            let mut sum = bias[o];
            for i in 0..inputs {
                for p in 0..3 {
                    for q in 0..3 {
                        sum = x[[b, i, y + p, c + q]].mul_add(w[[o, i, p, q]], sum);
                    }
                }
            }
            larger(sum, 0.0)
        });
        check!(layer::<3>(&x, &w, &bias), wanted);
    }
}

#[test]
fn three_points() {
    for n in sizes::line(&[128]).into_iter().chain([100_003]) {
        let mut data = Data::new(n as u64);
        let (x, w) = (data.array::<f32, _>(n), data.row::<f32, 3>());
        let wanted = Array1::from_shape_fn(n, |i| {
            let at = |d: i64| x[clamp(i as i64 + d, n)];
            at(1).mul_add(w[2], at(0).mul_add(w[1], at(-1) * w[0]))
        });
        check!(three_point(&x, &w), wanted);
    }
}

/// Compares a filter of 3 by 3 at one dilation.
macro_rules! dilate {
    ($distance:tt, $sizes:expr) => {
        for (r, c) in $sizes {
            let mut data = Data::new((1000 * r + c) as u64);
            let (x, w) = (data.array::<f32, _>((r + 2 * $distance, c + 2 * $distance)), data.table::<f32, 3, 3>());
            let wanted = convolve((r, c), &w, |r, c, p, q| x[[r + $distance * p, c + $distance * q]]);
            check!(dilated::<3, $distance>(&x, &w), wanted);
        }
    };
}

#[test]
fn dilated_convolution() {
    dilate!(2, sizes::plane(&[8], &[32]));
    dilate!(3, sizes::plane(&[8], &[32]));
    dilate!(3, [(101, 113)]);
}

#[test]
fn strided_convolution() {
    let mut shapes = sizes::plane(&[], &[32]);
    shapes.push((101, 113));
    for (r, c) in shapes {
        let mut data = Data::new((1000 * r + c) as u64);
        let (x, w) = (data.array::<f32, _>((2 * r + 1, 2 * c + 1)), data.table::<f32, 3, 3>());
        check!(strided::<3, 2>(&x, &w), convolve((r, c), &w, |r, c, p, q| x[[2 * r + p, 2 * c + q]]));
    }
}

/// The largest element of a square around every point, zeros outside.
fn maximum(x: &Array2<u8>, side: usize) -> Array2<u8> {
    let middle = side as i64 / 2;
    Array2::from_shape_fn(x.dim(), |(r, c)| {
        let around = (-middle..side as i64 - middle)
            .flat_map(|p| (-middle..side as i64 - middle).map(move |q| (r as i64 + p, c as i64 + q)));
        let inside = around.filter_map(|(r, c)| Some(x[[inside(r, x.nrows())?, inside(c, x.ncols())?]]));
        inside.max().unwrap()
    })
}

#[test]
fn moving_maximum() {
    for (r, c) in sizes::plane(&[], &[32]) {
        let x = Data::new((1000 * r + c) as u64).array::<u8, _>((r, c));
        check!(dilation::<3>(&x), maximum(&x, 3));
        check!(dilation::<7>(&x), maximum(&x, 7));
    }
    let x = Data::new(1).array::<u8, _>((43, 53));
    check!(dilation::<7>(&x), maximum(&x, 7));
}

#[test]
fn median_of_nine() {
    // The tiled loop has two columns more than the result.
    let mut shapes = sizes::plane(&[8], &[26, 28]);
    shapes.push((223, 227));
    for (r, c) in shapes {
        let x = Data::new((1000 * r + c) as u64).array::<u8, _>((r, c));
        let wanted = Array2::from_shape_fn((r, c), |(r, c)| {
            let mut nine: [u8; 9] =
                std::array::from_fn(|k| near(&x, r as i64 + k as i64 / 3 - 1, c as i64 + k as i64 % 3 - 1));
            nine.sort_unstable();
            nine[4]
        });
        check!(median3(&x), wanted);
    }
}
