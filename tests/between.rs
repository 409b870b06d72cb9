//! Values that go from block to block, and from launch to launch, against loops written by hand.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/between.rs"]
mod kernels;

use kernels::*;
use systolic::ndarray::{Array1, Array2, arr1};
use systolic_tests::{Data, check, sizes, smaller};

/// Heights and widths around the tiles, and some of several tiles.
fn shapes(rows: usize, columns: usize) -> Vec<(usize, usize)> {
    let mut shapes = sizes::plane(&[rows], &[columns]);
    shapes.extend([(3 * rows + 1, 4 * columns + 5), (5 * rows, 3 * columns), (1, 7 * columns), (6 * rows + 2, 1)]);
    shapes
}

#[test]
fn sums_of_rectangles() {
    for (r, c) in shapes(16, 64) {
        let x = Data::new((r * 1000 + c) as u64).array::<i32, _>((r, c));
        let mut z = Array2::zeros((r, c));
        for i in 0..r {
            let mut row = 0i32;
            for j in 0..c {
                row = row.wrapping_add(x[[i, j]]);
                let above = if i > 0 { z[[i - 1, j]] } else { 0 };
                z[[i, j]] = row.wrapping_add(above);
            }
        }
        check!(area(&x), z);
        check!(area_columns(&x), z);
        check!(area_launched(&x), z);
        check!(area_each(&x), z);
    }
}

#[test]
fn signals_warped() {
    for (n, m) in shapes(32, 40) {
        let (x, y) = (Data::new(n as u64).array::<f32, _>(n), Data::new(m as u64).array::<f32, _>(m));
        let mut d = Array2::<f32>::zeros((n, m));
        for i in 0..n {
            for j in 0..m {
                let before = match (i, j) {
                    (0, 0) => 0.0,
                    (0, _) => d[[0, j - 1]],
                    (_, 0) => d[[i - 1, 0]],
                    _ => smaller(smaller(d[[i - 1, j]], d[[i, j - 1]]), d[[i - 1, j - 1]]),
                };
                d[[i, j]] = (x[i] - y[j]).abs() + before;
            }
        }
        check!(warping(&x, &y), (arr1(&[d[[n - 1, m - 1]]]), d.column(m - 1).to_owned()));
    }
}

#[test]
fn one_pair_aligned() {
    for (n, m) in shapes(128, 96) {
        let (a, b) = (Data::new(n as u64).array::<u8, _>(n), Data::new(m as u64).array::<u8, _>(m));
        let (a, b) = (a.mapv(|x| x % 4), b.mapv(|x| x % 4));
        let (hit, miss, open, extend) = (5, 4, 8, 2);
        let (mut above, mut f) = (vec![0i32; m + 1], vec![-open; m]);
        let mut best = 0;
        for i in 0..n {
            let (mut e, mut corner, mut left) = (-open, 0, 0);
            for j in 0..m {
                if j > 0 {
                    e = (e - extend).max(left - open);
                }
                if i > 0 {
                    f[j] = (f[j] - extend).max(above[j] - open);
                }
                let score = if a[i] == b[j] { hit } else { -miss };
                let h = 0.max(e).max(f[j]).max(corner + score);
                corner = if i > 0 { above[j] } else { 0 };
                above[j] = h;
                left = h;
                best = best.max(h);
            }
        }
        check!(align_pair(&a, &b, hit, miss, open, extend), arr1(&[best]));
    }
}

#[test]
fn matrices_factored() {
    for n in [1, 2, 3, 4, 5, 8, 9, 31, 32, 33, 70] {
        let a = Data::new(n as u64).array::<f32, _>((n, n)) + Array2::<f32>::eye(n) * 50.0;
        let (mut u, mut l) = (a.clone(), Array2::<f32>::zeros((n, n)));
        for k in 0..n {
            for i in k..n {
                l[[i, k]] = u[[i, k]] / u[[k, k]];
            }
            for i in k + 1..n {
                for j in k..n {
                    u[[i, j]] -= l[[i, k]] * u[[k, j]];
                }
                u[[i, k]] = 0.0;
            }
        }
        let expected = (l, u);
        check!(factors(&a), expected);
        check!(factors_launched(&a), expected);
    }
}

#[test]
fn heat_in_a_rod() {
    for n in [1, 2, 3, 31, 58, 59, 116, 117, 300] {
        for steps in [1, 2, 3, 4, 7, 8, 21] {
            let x = Data::new(n as u64).array::<f32, _>(n);
            let mut z = x.clone();
            for _ in 0..steps {
                let old = z.clone();
                for k in 1..n.saturating_sub(1) {
                    let bend = old[k - 1] - 2.0 * old[k] + old[k + 1];
                    z[k] = f32::mul_add(0.2, bend, old[k]);
                }
            }
            check!(rod(&x, steps, 0.2), z);
            check!(rod_single(&x, steps, 0.2), z);
        }
    }
}

#[test]
fn heat_in_a_plate() {
    for (r, c) in [(1, 1), (2, 40), (3, 3), (12, 28), (13, 29), (25, 70), (40, 130)] {
        for steps in [1, 2, 3, 7] {
            let x = Data::new((r * 100 + c) as u64).array::<f32, _>((r, c));
            let mut z = x.clone();
            for _ in 0..steps {
                let old = z.clone();
                for i in 1..r.saturating_sub(1) {
                    for j in 1..c.saturating_sub(1) {
                        let around = old[[i - 1, j]] + old[[i + 1, j]] + old[[i, j - 1]] + old[[i, j + 1]];
                        z[[i, j]] = f32::mul_add(0.2, around - 4.0 * old[[i, j]], old[[i, j]]);
                    }
                }
            }
            check!(plate(&x, steps, 0.2), z);
            check!(plate_fused(&x, steps, 0.2), z);
        }
    }
}

#[test]
fn waves_on_a_string() {
    for n in [1, 2, 31, 32, 33, 100] {
        for steps in [1, 2, 3, 10] {
            let x = Data::new(n as u64).array::<f32, _>(n);
            let (mut before, mut now) = (x.clone(), x.clone());
            for _ in 0..steps {
                let mut next = Array1::zeros(n);
                for k in 1..n.saturating_sub(1) {
                    let bend = now[k - 1] - 2.0 * now[k] + now[k + 1];
                    next[k] = f32::mul_add(0.1, bend, 2.0 * now[k] - before[k]);
                }
                (before, now) = (now, next);
            }
            check!(string(&x, steps, 0.1), now);
        }
    }
}

#[test]
fn sweeps_over_a_plate() {
    for (r, c) in [(1, 1), (2, 2), (8, 32), (9, 33), (30, 70)] {
        for steps in [1, 2, 5] {
            let mut z = Data::new((r * 100 + c) as u64).array::<f32, _>((r, c));
            let x = z.clone();
            for _ in 0..steps {
                for i in 1..r.saturating_sub(1) {
                    for j in 1..c.saturating_sub(1) {
                        z[[i, j]] = 0.25 * (z[[i - 1, j]] + z[[i, j - 1]] + z[[i + 1, j]] + z[[i, j + 1]]);
                    }
                }
            }
            check!(sweeps(&x, steps), z);
        }
    }
}

#[test]
fn sums_from_the_end() {
    for (r, n) in shapes(32, 16) {
        let x = Data::new((r * 100 + n) as u64).array::<i64, _>((r, n));
        let mut z = x.clone();
        for i in 0..r {
            for k in (0..n - 1).rev() {
                z[[i, k]] = z[[i, k]].wrapping_add(z[[i, k + 1]]);
            }
        }
        check!(sums_back(&x), z);
    }
}

#[test]
fn paths_in_a_slanted_order() {
    for (r, c) in shapes(3, 32) {
        let x = Data::new((r * 100 + c) as u64).array::<i32, _>((r, c)).mapv(|x| x % 1000);
        let mut z = Array2::<i32>::zeros((r, c));
        for i in 0..r {
            for j in 0..c {
                let above = if i == 0 { 0 } else { z[[i - 1, j]] };
                let right = if i == 0 || j >= c - 1 { 0 } else { z[[i - 1, j + 1]] };
                let left = if j == 0 { 0 } else { z[[i, j - 1]] / 2 };
                z[[i, j]] = x[[i, j]] + above.max(right).max(left);
            }
        }
        check!(slanted(&x), z);
    }
}
