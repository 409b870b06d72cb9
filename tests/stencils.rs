//! Stars and boxes in two and three dimensions, the 19 points of a Poisson solver, fused Jacobi steps.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/stencils.rs"]
mod kernels;

use kernels::*;
use systolic::ndarray::{Array2, Array3};
use systolic_tests::border::{clamp, inside};
use systolic_tests::{Data, Real, Sample, check, sizes};

/// The nearest element of a plane.
fn near2<T: Copy>(x: &Array2<T>, r: i64, c: i64) -> T {
    x[[clamp(r, x.nrows()), clamp(c, x.ncols())]]
}

/// The nearest element of a volume.
fn near3<T: Copy>(x: &Array3<T>, l: i64, r: i64, c: i64) -> T {
    let (ls, rs, cs) = x.dim();
    x[[clamp(l, ls), clamp(r, rs), clamp(c, cs)]]
}

/// The offsets of a star: the centre, then ring by ring, along every axis first backward and then forward.
fn star<const D: usize>(order: i64) -> Vec<[i64; D]> {
    let arms = (1..=order).flat_map(|d| {
        (0..D).flat_map(move |axis| [-d, d].map(|step| std::array::from_fn(|a| if a == axis { step } else { 0 })))
    });
    std::iter::once([0; D]).chain(arms).collect()
}

/// The first term is a plain product; every further one is fused with the sum.
fn weigh<T: Real>(terms: impl Iterator<Item = (T, T)>) -> T {
    terms.fold(None, |sum, (x, w)| Some(sum.map_or(x * w, |sum| x.fma(w, sum)))).unwrap()
}

/// A weighted star in the plane.
fn star_plane<T: Real>(x: &Array2<T>, w: &[T], order: i64) -> Array2<T> {
    let arms = star::<2>(order);
    Array2::from_shape_fn(x.dim(), |(r, c)| {
        weigh(arms.iter().zip(w).map(|(&[dr, dc], &w)| (near2(x, r as i64 + dr, c as i64 + dc), w)))
    })
}

/// A weighted star in space.
fn star_space<T: Real>(x: &Array3<T>, w: &[T], order: i64) -> Array3<T> {
    let arms = star::<3>(order);
    Array3::from_shape_fn(x.dim(), |(l, r, c)| {
        let at = |&[dl, dr, dc]: &[i64; 3]| near3(x, l as i64 + dl, r as i64 + dr, c as i64 + dc);
        weigh(arms.iter().zip(w).map(|(arm, &w)| (at(arm), w)))
    })
}

#[test]
fn star2d5_natural_and_wired() {
    // The kernel with explicit wires has tiles that include its halo of 2.
    let mut shapes = sizes::plane(&[6, 8], &[30, 32, 128]);
    shapes.push((317, 331));
    for (r, c) in shapes {
        let mut data = Data::new((1000 * r + c) as u64);
        let x = data.array::<f32, _>((r, c));
        let (a, b) = (data.one::<f32>(), data.one::<f32>());
        let wanted = Array2::from_shape_fn((r, c), |(r, c)| {
            let at = |dr, dc| near2(&x, r as i64 + dr, c as i64 + dc);
            let arms = at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1);
            b.mul_add(arms, a * at(0, 0))
        });
        check!(star2d5(&x, a, b), wanted);
        check!(star2d5_folded(&x, a, b), wanted);
        check!(star2d5_wires(&x, a, b), wanted);
    }
}

/// Compares a star in the plane, for one type.
macro_rules! star2d {
    ($kernel:ident, $t:ident, $points:tt, $sizes:expr) => {
        for (r, c) in $sizes {
            let mut data = Data::new((1000 * r + c) as u64);
            let (x, w) = (data.array((r, c)), data.row::<$t, $points>());
            check!($kernel::<$t>(&x, &w), star_plane(&x, &w, $points / 4));
        }
    };
}

#[test]
fn star2d9_both_types() {
    star2d!(star2d9, f32, 9, sizes::plane(&[8], &[32]));
    star2d!(star2d9, f64, 9, sizes::plane(&[8], &[32]));
    star2d!(star2d9, f32, 9, [(317, 331)]);
    star2d!(star2d9_folded, f32, 9, sizes::plane(&[8], &[128]));
    star2d!(star2d9_folded, f64, 9, sizes::plane(&[8], &[128]));
    star2d!(star2d9_folded, f32, 9, [(317, 331)]);
}

#[test]
fn star2d13_both_types() {
    star2d!(star2d13, f32, 13, sizes::plane(&[8], &[32]));
    star2d!(star2d13, f64, 13, sizes::plane(&[8], &[32]));
    star2d!(star2d13, f32, 13, [(317, 331)]);
}

#[test]
fn star2d17_both_types() {
    star2d!(star2d17, f32, 17, sizes::plane(&[8], &[32]));
    star2d!(star2d17, f64, 17, sizes::plane(&[8], &[32]));
    star2d!(star2d17, f32, 17, [(317, 331)]);
}

#[test]
fn star2d21_both_types() {
    star2d!(star2d21, f32, 21, sizes::plane(&[8], &[32]));
    star2d!(star2d21, f64, 21, sizes::plane(&[8], &[32]));
    star2d!(star2d21, f32, 21, [(317, 331)]);
}

#[test]
fn star2d25_both_types() {
    star2d!(star2d25, f32, 25, sizes::plane(&[8], &[32]));
    star2d!(star2d25, f64, 25, sizes::plane(&[8], &[32]));
    star2d!(star2d25, f32, 25, [(317, 331)]);
}

/// A weighted square around every point, row by row.
fn square<T: Real, const P: usize>(shape: (usize, usize), w: &[[T; P]; P], x: impl Fn(i64, i64) -> T) -> Array2<T> {
    let middle = P as i64 / 2;
    Array2::from_shape_fn(shape, |(r, c)| {
        let mut sum = T::ZERO;
        for (p, row) in w.iter().enumerate() {
            for (q, &w) in row.iter().enumerate() {
                sum = x((r + p) as i64 - middle, (c + q) as i64 - middle).fma(w, sum);
            }
        }
        sum
    })
}

/// Compares a square with zeros outside.
macro_rules! zero_box {
    ($kernel:ident, $points:tt, $sizes:expr) => {
        for (r, c) in $sizes {
            let mut data = Data::new((1000 * r + c) as u64);
            let (x, w) = (data.array::<f64, _>((r, c)), data.table::<f64, $points, $points>());
            let wanted = square((r, c), &w, |i, j| match (inside(i, r), inside(j, c)) {
                (Some(i), Some(j)) => x[[i, j]],
                _ => 0.0,
            });
            check!($kernel::<$points>(&x, &w), wanted);
        }
    };
}

#[test]
fn boxes_with_zeros_outside() {
    zero_box!(box2d, 3, sizes::plane(&[4], &[32]));
    zero_box!(box2d, 8, sizes::plane(&[4], &[32]));
    zero_box!(box2d, 8, [(37, 43)]);
    zero_box!(box2d_folded, 3, sizes::plane(&[4], &[128]));
    zero_box!(box2d_folded, 3, [(61, 307)]);
}

/// Compares a square with the nearest element outside.
macro_rules! near_box {
    ($t:ident, $points:tt, $sizes:expr) => {
        for (r, c) in $sizes {
            let mut data = Data::new((1000 * r + c) as u64);
            let (x, w) = (data.array::<$t, _>((r, c)), data.table::<$t, $points, $points>());
            check!(box2d_clamp::<$t, $points>(&x, &w), square((r, c), &w, |i, j| near2(&x, i, j)));
        }
    };
}

#[test]
fn boxes_of_9_25_and_64_points() {
    near_box!(f32, 3, sizes::plane(&[4], &[32]));
    near_box!(f64, 3, sizes::plane(&[4], &[32]));
    near_box!(f32, 5, sizes::plane(&[4], &[32]));
    near_box!(f64, 5, sizes::plane(&[4], &[32]));
    near_box!(f32, 8, sizes::plane(&[4], &[32]));
    near_box!(f64, 8, sizes::plane(&[4], &[32]));
}

/// Sizes for the larger boxes: those around their tile, and some small ones.
const SMALL: [(usize, usize); 8] = [(1, 1), (2, 2), (1, 13), (7, 1), (3, 31), (4, 32), (5, 33), (3, 32)];

#[test]
fn boxes_of_81_and_121_points() {
    near_box!(f32, 9, SMALL);
    near_box!(f64, 9, SMALL);
    near_box!(f32, 11, SMALL);
    near_box!(f64, 11, SMALL);
    near_box!(f32, 11, [(29, 31)]);
}

#[test]
fn star3d7_single() {
    let mut shapes = sizes::volume([&[8], &[4], &[32, 128]]);
    shapes.push((19, 23, 271));
    for (l, r, c) in shapes {
        let mut data = Data::new((1000 * (1000 * l + r) + c) as u64);
        let (x, w) = (data.array::<f32, _>((l, r, c)), data.row::<f32, 7>());
        let wanted = star_space(&x, &w, 1);
        check!(star3d7(&x, &w), wanted);
        check!(star3d7_folded(&x, &w), wanted);
    }
}

/// Compares the larger star in space, for one type.
macro_rules! star3d {
    ($t:ident, $sizes:expr) => {
        for (l, r, c) in $sizes {
            let mut data = Data::new((1000 * (1000 * l + r) + c) as u64);
            let (x, w) = (data.array::<$t, _>((l, r, c)), data.row::<$t, 13>());
            check!(star3d13::<$t>(&x, &w), star_space(&x, &w, 2));
        }
    };
}

#[test]
fn star3d13_both_types() {
    star3d!(f32, sizes::volume([&[8], &[4], &[32]]));
    star3d!(f64, sizes::volume([&[8], &[4], &[32]]));
    star3d!(f32, [(43, 47, 53)]);
}

/// Compares a cube around every point, for one type.
macro_rules! cube {
    ($kernel:ident, $t:ident, $points:tt, $sizes:expr) => {
        for (l, r, c) in $sizes {
            let mut data = Data::new((1000 * (1000 * l + r) + c) as u64);
            let (x, w) = (data.array::<$t, _>((l, r, c)), data.cube::<$t, $points, $points, $points>());
            let wanted = Array3::from_shape_fn((l, r, c), |(l, r, c)| {
                let at = |at: usize, step: usize| (at + step) as i64 - $points / 2;
                let mut sum = $t::ZERO;
                for (o, w) in w.iter().enumerate() {
                    for (p, w) in w.iter().enumerate() {
                        for (q, &w) in w.iter().enumerate() {
                            sum = near3(&x, at(l, o), at(r, p), at(c, q)).mul_add(w, sum);
                        }
                    }
                }
                sum
            });
            check!($kernel::<$t, $points>(&x, &w), wanted);
        }
    };
}

#[test]
fn cubes_of_27_and_125_points() {
    cube!(box3d, f32, 3, sizes::volume([&[], &[4], &[32]]));
    cube!(box3d, f64, 3, sizes::volume([&[], &[4], &[32]]));
    cube!(box3d, f32, 5, sizes::volume([&[], &[4], &[32]]));
    cube!(box3d, f64, 5, sizes::volume([&[], &[4], &[32]]));
    cube!(box3d, f32, 5, [(7, 11, 13)]);
}

#[test]
fn cubes_of_27_points_on_several_warps() {
    cube!(box3d_planes, f32, 3, sizes::volume([&[8], &[4], &[32]]));
    cube!(box3d_planes, f64, 3, sizes::volume([&[8], &[4], &[32]]));
    cube!(box3d_planes, f32, 3, [(17, 19, 71)]);
}

#[test]
fn poisson_of_19_points() {
    let mut shapes = sizes::volume([&[], &[4], &[32]]);
    shapes.push((43, 47, 53));
    for (l, r, c) in shapes {
        let mut data = Data::new((1000 * (1000 * l + r) + c) as u64);
        let x = data.array::<f32, _>((l, r, c));
        let [a, b, e] = data.row::<f32, 3>();
        // The edges: pairs of axes, with all combinations of steps back and forth, the first axis slowest.
        let edges: Vec<[i64; 3]> = [(0, 1), (0, 2), (1, 2)]
            .into_iter()
            .flat_map(|(first, second)| {
                [(-1, -1), (-1, 1), (1, -1), (1, 1)].map(|(f, s)| {
                    std::array::from_fn(|axis| {
                        if axis == first {
                            f
                        } else if axis == second {
                            s
                        } else {
                            0
                        }
                    })
                })
            })
            .collect();
        let wanted = Array3::from_shape_fn((l, r, c), |(l, r, c)| {
            let at = |&[dl, dr, dc]: &[i64; 3]| near3(&x, l as i64 + dl, r as i64 + dr, c as i64 + dc);
            let faces = star::<3>(1)[1..].iter().map(at).reduce(|sum, x| sum + x).unwrap();
            let edges = edges.iter().map(at).reduce(|sum, x| sum + x).unwrap();
            e.mul_add(edges, b.mul_add(faces, a * at(&[0, 0, 0])))
        });
        check!(poisson(&x, a, b, e), wanted);
    }
}

/// Steps one after another, zero outside.
fn jacobi<T: Real + Sample>(x: &Array2<T>, a: T, steps: usize) -> Array2<T> {
    let mut now = x.clone();
    for _ in 0..steps {
        let before = now.clone();
        let at = |r: i64, c: i64| match (inside(r, x.nrows()), inside(c, x.ncols())) {
            (Some(r), Some(c)) => before[[r, c]],
            _ => T::ZERO,
        };
        now = Array2::from_shape_fn(x.dim(), |(r, c)| {
            let (r, c) = (r as i64, c as i64);
            a * (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1))
        });
    }
    now
}

#[test]
fn jacobi_steps_fused() {
    // Tiles of 16, and tiles of 32 and 128 minus the halos of two and of four steps.
    let mut shapes = sizes::plane(&[8], &[16, 28, 24, 124, 120]);
    shapes.push((149, 151));
    for (r, c) in shapes {
        let mut data = Data::new((1000 * r + c) as u64);
        let (x, a) = (data.array::<f32, _>((r, c)), data.one::<f32>());
        let wanted = jacobi(&x, a, 2);
        check!(jacobi2d::<2>(&x, a), wanted);
        check!(jacobi2d_folded::<2>(&x, a), wanted);
        check!(jacobi2d_warps::<2>(&x, a), wanted);
        let wanted = jacobi(&x, a, 4);
        check!(jacobi2d::<4>(&x, a), wanted);
        check!(jacobi2d_folded::<4>(&x, a), wanted);
        check!(jacobi2d_warps::<4>(&x, a), wanted);
    }
}
