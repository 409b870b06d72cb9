//! Products and factorisations of matrices.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/matrices.rs"]
mod kernels;

use kernels::*;
use systolic::ndarray::{Array1, Array2, array};
use systolic_tests::{Data, check, sizes};

#[test]
fn products_by_every_projection() {
    let mut shapes = sizes::volume([&[4, 8], &[8, 32, 128], &[32]]);
    shapes.push((43, 147, 53));
    for (m, n, k) in shapes {
        let mut data = Data::new((1000 * (1000 * m + n) + k) as u64);
        let (a, b) = (data.array::<f32, _>((m, k)), data.array::<f32, _>((k, n)));
        let wanted =
            Array2::from_shape_fn((m, n), |(i, j)| (0..k).fold(0.0, |sum, k| a[[i, k]].mul_add(b[[k, j]], sum)));
        check!(product(&a, &b), wanted);
        check!(product_c_stays(&a, &b), wanted);
        check!(product_a_stays(&a, &b), wanted);
        check!(product_b_stays(&a, &b), wanted);
        check!(product_grid(&a, &b), wanted);
        check!(product_folded(&a, &b), wanted);
    }
}

#[test]
fn matrix_times_vector() {
    let mut shapes = sizes::plane(&[32], &[32]);
    shapes.push((311, 331));
    for (m, n) in shapes {
        let mut data = Data::new((1000 * m + n) as u64);
        let (a, x) = (data.array::<f64, _>((m, n)), data.array::<f64, _>(n));
        let wanted: Array1<f64> =
            a.rows().into_iter().map(|row| row.iter().zip(&x).fold(0.0, |sum, (a, x)| a.mul_add(*x, sum))).collect();
        check!(matvec(&a, &x), wanted);
    }
}

#[test]
fn triangular_system() {
    for n in sizes::line(&[32]).into_iter().chain([449]) {
        let mut data = Data::new(n as u64);
        let mut l = data.array::<f64, _>((n, n));
        l.diag_mut().mapv_inplace(|x| x.signum() * (1.0 + x.abs()));
        let b = data.array::<f64, _>(n);
        let mut x: Vec<f64> = Vec::with_capacity(n);
        for i in 0..n {
            let known = x.iter().enumerate().fold(0.0, |sum, (j, x)| l[[i, j]].mul_add(*x, sum));
            x.push((b[i] - known) / l[[i, i]]);
        }
        check!(trisolve(&l, &b), Array1::from(x));
    }
}

#[test]
fn factorisation() {
    for n in sizes::line(&[32]).into_iter().chain([67]) {
        let mut a = Data::new(n as u64).array::<f64, _>((n, n));
        a.diag_mut().mapv_inplace(|x| x + n as f64);
        // Gaussian elimination in place.
        let mut f = a.clone();
        for k in 0..n {
            for i in k + 1..n {
                f[[i, k]] /= f[[k, k]];
                for j in k + 1..n {
                    let product = f[[i, k]] * f[[k, j]];
                    f[[i, j]] -= product;
                }
            }
        }
        check!(lu(&a), f);
    }
}

#[test]
fn factors_multiply_to_the_matrix() {
    let n = 13;
    let mut a = Data::new(n as u64).array::<f64, _>((n, n));
    a.diag_mut().mapv_inplace(|x| x + n as f64);
    let f = lu::reference(&a).unwrap();
    let l = Array2::from_shape_fn((n, n), |(i, j)| {
        if i == j {
            1.0
        } else if i > j {
            f[[i, j]]
        } else {
            0.0
        }
    });
    let u = Array2::from_shape_fn((n, n), |(i, j)| if i <= j { f[[i, j]] } else { 0.0 });
    assert!((l.dot(&u) - &a).iter().all(|error| error.abs() < 1e-12));
}

#[test]
fn dot_product_in_32_sums() {
    for n in sizes::line(&[32]).into_iter().chain([63, 64, 65, 100_003]) {
        let mut data = Data::new(n as u64);
        let (x, y) = (data.array::<f32, _>(n), data.array::<f32, _>(n));
        for m in [n.div_ceil(32), n.div_ceil(32) + 1] {
            let mut sums = [0f32; 32];
            for at in 0..32 * m {
                let (x, y) = if at < n { (x[at], y[at]) } else { (0.0, 0.0) };
                sums[at % 32] = x.mul_add(y, sums[at % 32]);
            }
            check!(dot(&x, &y, m), array![sums.iter().fold(0.0, |total, sum| sum + total)]);
        }
    }
}
