//! Rows that run together because they read the same elements, without a map, in tiles that are full and in others. All results are
//! compared with `reference`.
#![deny(warnings, missing_docs)]

use systolic::Cpu;
use systolic::ndarray::{Array2, s};
use systolic_tests::Data;

systolic::systolic! {
    /// The product of two matrices.
    kernel product(a: [f32; M, K], b: [f32; K, N]) -> (y: [f32; M, N]) {
        for i in 0..M, j in 0..N, k in 0..K {
            S[i, j, k] = a[i, k] * b[k, j] + if k == 0 { 0.0 } else { S[i, j, k - 1] };
            if k == K - 1 { y[i, j] = S[i, j, k]; }
        }
    }

    /// The distances between all pairs of rows.
    kernel distances(a: [f64; M, K], b: [f64; N, K]) -> (y: [f64; M, N]) {
        for i in 0..M, j in 0..N, k in 0..K {
            D[i, j, k] = a[i, k] - b[j, k];
            S[i, j, k] = D[i, j, k] * D[i, j, k] + if k == 0 { 0.0 } else { S[i, j, k - 1] };
            if k == K - 1 { y[i, j] = sqrt(S[i, j, k]); }
        }
    }

    /// A quotient, which does not exist for rows that do not: lanes that have no row divide by anything.
    kernel quotients(a: [i32; M, K], b: [i32; K, N]) -> (y: [i32; M, N]) {
        for i in 0..M, j in 0..N, k in 0..K {
            S[i, j, k] = b[k, j] / a[i, k] + if k == 0 { 7 } else { S[i, j, k - 1] };
            if k == K - 1 { y[i, j] = S[i, j, k]; }
        }
    }

    /// Every sum on the way, one weight for all rows, which are read from their ends.
    kernel weighted(x: [f32; M, K], w: [f32; K, N]) -> (y: [f32; M, K, N]) {
        for i in 0..M, j in 0..N, k in 0..K {
            S[i, j, k] = x[i, K - 1 - k] * w[k, j] + if k == 0 { 1.0 } else { S[i, j, k - 1] };
            y[i, k, j] = S[i, j, k];
        }
    }
}

#[test]
fn tiles_of_rows() {
    for m in [1, 2, 3, 4, 5, 7, 8, 11, 40] {
        for (k, n) in [(1, 1), (1, 70), (2, 33), (5, 32), (17, 31), (40, 64), (100, 3)] {
            let (a, b) = (Data::new(1).array::<f32, _>((m, k)), Data::new(2).array::<f32, _>((k, n)));
            assert_eq!(product::run(&Cpu, &a, &b).unwrap(), product::reference(&a, &b).unwrap(), "{m} {k} {n}");
            assert_eq!(weighted::run(&Cpu, &a, &b).unwrap(), weighted::reference(&a, &b).unwrap(), "{m} {k} {n}");
            let (a, b) = (Data::new(1).array::<f64, _>((m, k)), Data::new(2).array::<f64, _>((n, k)));
            assert_eq!(distances::run(&Cpu, &a, &b).unwrap(), distances::reference(&a, &b).unwrap(), "{m} {k} {n}");
            let a = Data::new(1).array::<u8, _>((m, k)).mapv(|x| i32::from(x) + 1);
            let b = Data::new(2).array::<u8, _>((k, n)).mapv(|x| 1000 * i32::from(x));
            assert_eq!(quotients::run(&Cpu, &a, &b).unwrap(), quotients::reference(&a, &b).unwrap(), "{m} {k} {n}");
        }
    }
    let (a, b) = (Array2::from_elem((5, 3), 2.0), Array2::from_elem((3, 40), 0.5));
    assert!(product::run(&Cpu, &a, &b).unwrap().iter().all(|y| *y == 3.0));
}

/// Rows that lie in a larger array, with other elements before and after them.
#[test]
fn parts_of_arrays() {
    let all = Data::new(3).array::<f32, _>((20, 50));
    for m in 1..9 {
        let (a, b) = (all.slice(s![3..3 + m, 5..25]), all.slice(s![..;-1, 7..]));
        let expected = product::reference(a, b.slice(s![.., ..33])).unwrap();
        assert_eq!(product::run(&Cpu, a, b.slice(s![.., ..33])).unwrap(), expected, "{m}");
    }
}
