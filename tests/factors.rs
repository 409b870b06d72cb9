//! Factors of matrices and triangular systems, through the maps that the compiler finds, against plain loops.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/factors.rs"]
mod kernels;

use kernels::*;
use systolic::Cpu;
use systolic::ndarray::Array2;
use systolic_tests::{Data, check, sizes};

/// A symmetric matrix with positive eigenvalues; the upper triangle holds numbers that must not matter.
fn positive(n: usize) -> (Array2<f64>, Array2<f64>) {
    let mut data = Data::new(n as u64);
    let b = data.array::<f64, _>((n, n));
    let mut a = b.dot(&b.t());
    a.diag_mut().mapv_inplace(|x| x + n as f64);
    let mut read = a.clone();
    for i in 0..n {
        for j in i + 1..n {
            read[[i, j]] = data.one();
        }
    }
    (a, read)
}

/// Column by column, in place; every column is subtracted from all that follow.
fn choleskys_factor(a: &Array2<f64>) -> Array2<f64> {
    let n = a.nrows();
    let mut l = a.clone();
    for k in 0..n {
        l[[k, k]] = l[[k, k]].sqrt();
        for i in k + 1..n {
            l[[i, k]] /= l[[k, k]];
        }
        for i in k + 1..n {
            for j in k + 1..=i {
                let product = l[[i, k]] * l[[j, k]];
                l[[i, j]] -= product;
            }
        }
    }
    Array2::from_shape_fn((n, n), |(i, j)| if j <= i { l[[i, j]] } else { 0.0 })
}

fn line() -> impl Iterator<Item = usize> {
    sizes::line(&[32]).into_iter().chain([67])
}

#[test]
fn factors_of_cholesky() {
    for n in line() {
        let (a, read) = positive(n);
        let wanted = choleskys_factor(&a);
        check!(cholesky(&read), wanted);
        let back = wanted.dot(&wanted.t());
        assert!((back - &a).iter().all(|error| error.abs() < 1e-13 * (n * n + 1) as f64), "{n}");
    }
}

#[test]
fn factors_without_pivots() {
    for n in line() {
        let mut f = Data::new(n as u64).array::<f32, _>((n, n));
        f.diag_mut().mapv_inplace(|x| x + n as f32);
        let a = f.clone();
        for k in 0..n {
            for i in k + 1..n {
                f[[i, k]] /= f[[k, k]];
                for j in k + 1..n {
                    let product = f[[i, k]] * f[[k, j]];
                    f[[i, j]] -= product;
                }
            }
        }
        check!(factored(&a), f);
    }
}

#[test]
fn triangular_systems() {
    let mut shapes = sizes::plane(&[32], &[32]);
    shapes.push((67, 70));
    for (n, m) in shapes {
        let mut data = Data::new((1000 * n + m) as u64);
        let mut l = data.array::<f64, _>((n, n));
        l.diag_mut().mapv_inplace(|x| x.signum() * (1.0 + x.abs()));
        let b = data.array::<f64, _>((n, m));
        let (mut down, mut up) = (b.clone(), b.clone());
        for c in 0..m {
            for i in 0..n {
                for j in 0..i {
                    let product = l[[i, j]] * down[[j, c]];
                    down[[i, c]] -= product;
                }
                down[[i, c]] /= l[[i, i]];
            }
            for i in (0..n).rev() {
                for j in (i + 1..n).rev() {
                    let product = l[[j, i]] * up[[j, c]];
                    up[[i, c]] -= product;
                }
                up[[i, c]] /= l[[i, i]];
            }
        }
        check!(forward(&l, &b), down);
        check!(backward(&l, &b), up);
    }
}

/// A positive system solved by all three kernels.
#[test]
fn a_system_is_solved() {
    for n in [1, 2, 33, 50] {
        let (a, read) = positive(n);
        let b = Data::new(3).array::<f64, _>((n, 4));
        let l = cholesky::run(&Cpu, &read).unwrap();
        let x = backward::run(&Cpu, &l, &forward::run(&Cpu, &l, &b).unwrap()).unwrap();
        assert!((a.dot(&x) - &b).iter().all(|error| error.abs() < 1e-12), "{n}");
    }
}

/// NumPy's factor of one matrix of whole numbers, which LAPACK computes in another order.
#[test]
fn as_numpy_factors() {
    let numbers = include_str!("fixtures/cholesky.txt").lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<f64>> = numbers.map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect()).collect();
    let n = rows.len() / 2;
    let part = |from: usize| Array2::from_shape_fn((n, n), |(i, j)| rows[from + i][j]);
    let (a, wanted) = (part(0), part(n));
    let found = cholesky::run(&Cpu, &a).unwrap();
    assert!((found - wanted).iter().all(|error| error.abs() < 1e-13 * n as f64));
}

#[test]
fn nothing_to_factor() {
    let none = Array2::<f64>::zeros((0, 0));
    check!(cholesky(&none), none);
    check!(factored(&none.mapv(|x| x as f32)), none.mapv(|x| x as f32));
    for shape in [(0, 0), (0, 3)] {
        check!(forward(&none, &Array2::zeros(shape)), Array2::zeros(shape));
    }
    check!(backward(&Array2::eye(3), &Array2::zeros((3, 0))), Array2::zeros((3, 0)));
}
