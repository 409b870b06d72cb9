//! Simulations with any number of steps, through the maps that the compiler finds, against plain loops.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/simulations.rs"]
mod kernels;

use kernels::*;
use systolic::Cpu;
use systolic::ndarray::{Array1, Array2, Array3};
use systolic_tests::{Data, assert_says, check};

/// Planes with an inside and without one, around lanes of 32.
const PLANES: [(usize, usize); 9] = [(1, 1), (1, 40), (2, 2), (3, 3), (40, 1), (5, 31), (32, 33), (13, 64), (35, 66)];

/// Numbers of steps.
const STEPS: [usize; 5] = [1, 2, 3, 5, 9];

#[test]
fn heat_in_a_body() {
    for (l, r, c) in [(1, 1, 1), (3, 3, 3), (2, 5, 7), (4, 5, 31), (5, 3, 34), (7, 9, 65)] {
        for steps in STEPS {
            let x = Data::new((l * r * c) as u64).array::<f32, _>((l, r, c));
            let mut now = x.clone();
            for _ in 0..steps {
                let old = now.clone();
                let is_inside = |at: usize, n: usize| at > 0 && at + 1 < n;
                now = Array3::from_shape_fn((l, r, c), |(i, j, k)| {
                    if !(is_inside(i, l) && is_inside(j, r) && is_inside(k, c)) {
                        return old[[i, j, k]];
                    }
                    let around = old[[i - 1, j, k]]
                        + old[[i + 1, j, k]]
                        + old[[i, j - 1, k]]
                        + old[[i, j + 1, k]]
                        + old[[i, j, k - 1]]
                        + old[[i, j, k + 1]];
                    f32::mul_add(0.1, around - 6.0 * old[[i, j, k]], old[[i, j, k]])
                });
            }
            check!(heat(&x, steps, 0.1), now);
        }
    }
}

#[test]
fn a_wave_on_a_membrane() {
    for (r, c) in PLANES {
        for steps in STEPS {
            let mut data = Data::new((1000 * r + c) as u64);
            let (x, v) = (data.array::<f32, _>((r, c)), data.array::<f32, _>((r, c)));
            let held = |(i, j): (usize, usize)| i == 0 || i == r - 1 || j == 0 || j == c - 1;
            let still = |of: &Array2<f32>| Array2::from_shape_fn((r, c), |at| if held(at) { 0.0 } else { of[at] });
            let (mut before, mut now) = (still(&(&x - &v)), still(&x));
            for _ in 0..steps {
                let next = Array2::from_shape_fn((r, c), |(i, j)| {
                    if held((i, j)) {
                        return 0.0;
                    }
                    let around = now[[i - 1, j]] + now[[i + 1, j]] + now[[i, j - 1]] + now[[i, j + 1]];
                    f32::mul_add(0.25, around - 4.0 * now[[i, j]], 2.0 * now[[i, j]] - before[[i, j]])
                });
                (before, now) = (now, next);
            }
            check!(membrane(&x, &v, steps, 0.25), now);
        }
    }
}

#[test]
fn fields_in_a_plane() {
    for (r, c) in PLANES {
        for steps in STEPS {
            let mut data = Data::new((1000 * r + c) as u64);
            let (start, material) = (data.array::<f32, _>((r, c)), data.array::<f32, _>((r, c)));
            let source = data.array::<f32, _>(steps);
            let a = 0.4f32;
            // The magnetic field half a cell down and half a cell across, and half a step before the electric one.
            let (mut e, mut p, mut q) = (start.clone(), Array2::<f32>::zeros((r, c)), Array2::<f32>::zeros((r, c)));
            for t in 0..steps {
                for i in 0..r {
                    for j in 0..c {
                        if i + 1 < r {
                            p[[i, j]] -= a * (e[[i + 1, j]] - e[[i, j]]);
                        }
                        if j + 1 < c {
                            q[[i, j]] += a * (e[[i, j + 1]] - e[[i, j]]);
                        }
                    }
                }
                let last = e.clone();
                e.fill(0.0);
                for i in 1..r.saturating_sub(1) {
                    for j in 1..c.saturating_sub(1) {
                        let curl = q[[i, j]] - q[[i, j - 1]] - (p[[i, j]] - p[[i - 1, j]]);
                        let driven = if (i, j) == (1, 1) { source[t] } else { 0.0 };
                        e[[i, j]] = material[[i, j]].mul_add(curl, last[[i, j]]) + driven;
                    }
                }
            }
            check!(fields(&start, &material, &source, a), (e, p, q));
        }
    }
}

#[test]
fn fields_on_a_line() {
    for n in [1, 2, 3, 31, 32, 33, 64, 100, 300] {
        for steps in STEPS {
            let mut data = Data::new(n as u64);
            let (start, source) = (data.array::<f64, _>(n), data.array::<f64, _>(steps));
            let a = 0.45f64;
            let (mut e, mut h) = (start.clone(), Array1::<f64>::zeros(n));
            for t in 0..steps {
                for k in 0..n - 1 {
                    h[k] += a * (e[k + 1] - e[k]);
                }
                e[0] = source[t];
                for k in 1..n {
                    e[k] = a.mul_add(h[k] - h[k - 1], e[k]);
                }
            }
            check!(fields_on_line(&start, &source, a), (e, h));
        }
    }
}

/// With a Courant number of 1 a pulse moves one cell per step and keeps its form exactly.
#[test]
fn a_pulse_keeps_its_form() {
    let source = [1.0, 3.0, -2.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let (electric, _) = fields_on_line::run(&Cpu, &[0.0; 40], &source, 1.0).unwrap();
    let mut wanted = [0.0; 40];
    source.iter().rev().enumerate().for_each(|(k, value)| wanted[k] = *value);
    assert_eq!(electric.to_vec(), wanted);
}

#[test]
fn sweeps_of_gauss_and_seidel() {
    for (r, c) in PLANES {
        for steps in STEPS {
            let mut data = Data::new((1000 * r + c) as u64);
            let (x, f) = (data.array::<f64, _>((r, c)), data.array::<f64, _>((r, c)));
            let w = 1.25f64;
            let mut z = x.clone();
            for _ in 0..steps {
                for i in 1..r.saturating_sub(1) {
                    for j in 1..c.saturating_sub(1) {
                        let around = z[[i - 1, j]] + z[[i, j - 1]] + z[[i + 1, j]] + z[[i, j + 1]] - f[[i, j]];
                        z[[i, j]] = w.mul_add(0.25 * around - z[[i, j]], z[[i, j]]);
                    }
                }
            }
            check!(seidel(&x, &f, steps, w), z);
        }
    }
}

/// Sweeps over a harmonic function leave it as it is, and other values come closer to it.
#[test]
fn sweeps_converge() {
    let n = 20;
    let harmonic = Array2::from_shape_fn((n, n), |(i, j)| (i * j) as f64 - 3.0 * i as f64);
    let none = Array2::zeros((n, n));
    assert_eq!(seidel::run(&Cpu, &harmonic, &none, 3, 1.0).unwrap(), harmonic);
    let x = Array2::from_shape_fn((n, n), |(i, j)| {
        if i == 0 || j == 0 || i == n - 1 || j == n - 1 { harmonic[[i, j]] } else { 0.0 }
    });
    let far = |z: &Array2<f64>| (z - &harmonic).iter().fold(0.0, |most: f64, error| most.max(error.abs()));
    let (some, many) =
        (seidel::run(&Cpu, &x, &none, 20, 1.5).unwrap(), seidel::run(&Cpu, &x, &none, 400, 1.5).unwrap());
    assert!(far(&some) < far(&x) && far(&many) < 1e-9, "{} {} {}", far(&x), far(&some), far(&many));
}

#[test]
fn nothing_to_simulate() {
    for shape in [(0, 0), (0, 4), (4, 0)] {
        let x = Array2::<f32>::zeros(shape);
        check!(membrane(&x, &x, 3, 0.5), x);
        check!(fields(&x, &x, &Array1::zeros(3), 0.5), (x.clone(), x.clone(), x.clone()));
    }
    check!(heat(&Array3::zeros((3, 0, 4)), 2, 0.5), Array3::zeros((3, 0, 4)));
    // A number of steps is a size: at least one.
    let x = Array2::<f32>::zeros((4, 4));
    assert_says(membrane::run(&Cpu, &x, &x, 0, 0.5), &["steps", "0"]);
    assert_says(fields::run(&Cpu, &x, &x, &Array1::zeros(0), 0.5), &["steps", "0", "source"]);
}
