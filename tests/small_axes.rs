//! Arrays whose last axes are short, so that lanes lie a few elements apart, and totals along rows: without a map.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

use systolic::Cpu;
use systolic::ndarray::{Array2, Array3};
use systolic_tests::Data;

systolic::systolic! {
    /// Colours, with a border along the columns.
    kernel smooth(x: [u8; R, C, 3] border clamp) -> (y: [u8; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 {
            y[r, c, k] = ((x[r, c - 1, k] as u16 + 2 * x[r, c, k] as u16 + x[r, c + 1, k] as u16 + 2) >> 2) as u8;
        }
    }

    /// Along rows and columns, around.
    kernel around(x: [i16; R, C, 2] border wrap) -> (y: [i16; R, C, 2]) {
        for r in 0..R, c in 0..C, k in 0..2 {
            y[r, c, k] = x[r - 1, c - 2, k] - x[r + 1, c + 2, k];
        }
    }

    /// A constant outside.
    kernel beside(x: [f32; R, C, 2, 2] border constant(2.5)) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r, c - 1, 0, 1] - x[r, c + 1, 1, 0] + x[r + 1, c, 1, 1]; }
    }

    /// The last axis is read outside, too: it stays an axis of its own.
    kernel mirrored(x: [i32; R, C, 3] border reflect) -> (y: [i32; R, C, 3]) {
        for r in 0..R, c in 0..C, k in 0..3 { y[r, c, k] = x[r, c, k - 1] + x[r, c + 1, k + 1]; }
    }

    /// Inverses of 2×2 matrices.
    kernel inverses(a: [f32; B, 2, 2]) -> (y: [f32; B, 2, 2]) {
        for b in 0..B {
            D[b] = 1.0 / (a[b, 0, 0] * a[b, 1, 1] - a[b, 0, 1] * a[b, 1, 0]);
            y[b, 0, 0] = a[b, 1, 1] * D[b];
            y[b, 0, 1] = -a[b, 0, 1] * D[b];
            y[b, 1, 0] = -a[b, 1, 0] * D[b];
            y[b, 1, 1] = a[b, 0, 0] * D[b];
        }
    }

    /// Transposes of 3×3 matrices.
    kernel transposes(x: [f64; B, 3, 3]) -> (y: [f64; B, 3, 3]) {
        for b in 0..B, i in 0..3, j in 0..3 { y[b, j, i] = x[b, i, j]; }
    }

    /// Products of 4×4 matrices.
    kernel products(a: [f32; B, 4, 4], b: [f32; B, 4, 4]) -> (y: [f32; B, 4, 4]) {
        for n in 0..B, i in 0..4, j in 0..4, k in 0..4 {
            S[n, i, j, k] = a[n, i, k] * b[n, k, j] + if k == 0 { 0.0 } else { S[n, i, j, k - 1] };
            if k == 3 { y[n, i, j] = S[n, i, j, k]; }
        }
    }

    /// Totals of rows of shorts.
    kernel totals(x: [i16; R, C]) -> (y: [i32; R]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] as i32 + if c == 0 { 0 } else { S[r, c - 1] };
            if c == C - 1 { y[r] = S[r, c]; }
        }
    }

    /// Totals of every channel, and the largest elements.
    kernel channels(x: [u8; R, C, 3]) -> (y: [u32; R, 3], top: [u8; R, 3]) {
        for r in 0..R, k in 0..3, c in 0..C {
            S[r, k, c] = x[r, c, k] as u32 + if c == 0 { 0 } else { S[r, k, c - 1] };
            M[r, k, c] = max(x[r, c, k], if c == 0 { 0 } else { M[r, k, c - 1] });
            if c == C - 1 { y[r, k] = S[r, k, c]; top[r, k] = M[r, k, c]; }
        }
    }

    /// Totals of rows that grow longer.
    kernel triangle(x: [i32; N, N]) -> (y: [i32; N]) {
        for r in 0..N, c in 0..r + 1 {
            S[r, c] = x[r, c] + if c == 0 { 0 } else { S[r, c - 1] };
            if c == r { y[r] = S[r, c]; }
        }
    }

    /// LU factors of small matrices: all loops but the first have bounds that are numbers or follow from them.
    kernel factors(a: [f32; B, 4, 4]) -> (f: [f32; B, 4, 4]) {
        for b in 0..B, k in 0..4, i in k..4, j in k..4 {
            A[b, k, i, j] = if k == 0 { a[b, i, j] } else { A[b, k - 1, i, j] - L[b, k - 1, i, j] * U[b, k - 1, i, j] };
            U[b, k, i, j] = if i == k { A[b, k, i, j] } else { U[b, k, i - 1, j] };
            L[b, k, i, j] = if j == k { A[b, k, i, j] / U[b, k, i, j] } else { L[b, k, i, j - 1] };
            if i == k { f[b, i, j] = U[b, k, i, j]; }
            if j == k && i > k { f[b, i, j] = L[b, k, i, j]; }
        }
    }

    /// Triangular systems; the triangle of 6 is too large to be written out as a whole.
    kernel systems(l: [f64; B, 6, 6], b: [f64; B, 6]) -> (x: [f64; B, 6]) {
        for c in 0..B, i in 0..6, j in 0..i + 1 {
            S[c, i, j] = if j == 0 { b[c, i] } else { S[c, i, j - 1] - l[c, i, j - 1] * X[c, i, j - 1] };
            X[c, i, j] = if j == i { S[c, i, j] / l[c, i, i] } else { X[c, i - 1, j] };
            if j == i { x[c, i] = X[c, i, j]; }
        }
    }

    /// A triangle below, and one that runs down.
    kernel corners(x: [i32; B, 5, 5]) -> (y: [i32; B, 5]) {
        for b in 0..B, i in 0..5, j in 4 - i..5 {
            S[b, i, j] = x[b, i, j] + if j == 4 { 0 } else { S[b, i, j + 1] };
            if j == 4 - i { y[b, i] = S[b, i, j]; }
        }
    }

    /// A matrix of integers times a vector.
    kernel times(a: [i32; R, C], x: [i32; C]) -> (y: [i32; R]) {
        for r in 0..R, c in 0..C {
            S[r, c] = a[r, c] * x[c] + if c > 0 { S[r, c - 1] } else { 7 };
            if c == C - 1 { y[r] = S[r, c]; }
        }
    }
}

const SIZES: [(usize, usize); 9] = [(1, 1), (1, 40), (40, 1), (2, 2), (7, 5), (33, 31), (3, 100), (40, 333), (129, 64)];

#[test]
fn axes_with_a_border() {
    for (r, c) in SIZES {
        let x: Array3<u8> = Data::new(1).array::<u8, _>((r, c, 3));
        assert_eq!(smooth::run(&Cpu, &x).unwrap(), smooth::reference(&x).unwrap(), "{r} × {c}");
        let words = x.mapv(i32::from);
        assert_eq!(mirrored::run(&Cpu, &words).unwrap(), mirrored::reference(&words).unwrap(), "{r} × {c}");
        let x = Data::new(1).array::<u8, _>((r, c, 2)).mapv(i16::from);
        assert_eq!(around::run(&Cpu, &x).unwrap(), around::reference(&x).unwrap(), "{r} × {c}");
        let x = Data::new(1).array::<u8, _>((r, c, 2, 2)).mapv(f32::from);
        assert_eq!(beside::run(&Cpu, &x).unwrap(), beside::reference(&x).unwrap(), "{r} × {c}");
    }
    // The mean of the pixel before, twice this one, and the next one, by hand.
    let y = smooth::run(&Cpu, &Array3::from_shape_vec((1, 2, 3), vec![0, 10, 20, 4, 50, 100]).unwrap()).unwrap();
    assert_eq!(y.iter().copied().collect::<Vec<u8>>(), [1, 20, 40, 3, 40, 80]);
}

#[test]
fn small_matrices() {
    for (b, _) in SIZES.into_iter().chain([(31, 0), (32, 0), (100, 0), (5000, 0)]) {
        let a = Data::new(1).array::<u8, _>((b, 2, 2)).mapv(|x| f32::from(x) + 0.5);
        assert_eq!(inverses::run(&Cpu, &a).unwrap(), inverses::reference(&a).unwrap(), "{b}");
        let x = Data::new(1).array::<u8, _>((b, 3, 3)).mapv(f64::from);
        let y = transposes::run(&Cpu, &x).unwrap();
        assert!(x.outer_iter().zip(y.outer_iter()).all(|(x, y)| x.t() == y), "{b}");
        let a = Data::new(1).array::<u8, _>((b, 4, 4)).mapv(|x| f32::from(x) + 0.5);
        assert_eq!(factors::run(&Cpu, &a).unwrap(), factors::reference(&a).unwrap(), "{b}");
        let l = Data::new(1).array::<u8, _>((b, 6, 6)).mapv(|x| f64::from(x) + 0.5);
        let right = Data::new(2).array::<u8, _>((b, 6)).mapv(f64::from);
        assert_eq!(systems::run(&Cpu, &l, &right).unwrap(), systems::reference(&l, &right).unwrap(), "{b}");
        let x = Data::new(1).array::<u8, _>((b, 5, 5)).mapv(i32::from);
        assert_eq!(corners::run(&Cpu, &x).unwrap(), corners::reference(&x).unwrap(), "{b}");
        let [p, q] = [1.0, 3.0].map(|by| Data::new(1).array::<u8, _>((b, 4, 4)).mapv(|x| f32::from(x) / by));
        assert_eq!(products::run(&Cpu, &p, &q).unwrap(), products::reference(&p, &q).unwrap(), "{b}");
    }
}

#[test]
fn totals_along_rows() {
    for (r, c) in SIZES {
        let x: Array2<i16> =
            Data::new(1).array::<u8, _>((r, c)).mapv(|x| i16::from(x).wrapping_mul(257).wrapping_sub(17));
        let expected: Vec<i32> = x.outer_iter().map(|row| row.iter().map(|x| i32::from(*x)).sum()).collect();
        assert_eq!(totals::run(&Cpu, &x).unwrap().to_vec(), expected, "{r} × {c}");
        let x: Array2<i32> = Data::new(1).array::<u8, _>((r, r)).mapv(i32::from);
        assert_eq!(triangle::run(&Cpu, &x).unwrap(), triangle::reference(&x).unwrap(), "{r}");
        let x: Array3<u8> = Data::new(1).array::<u8, _>((r, c, 3));
        assert_eq!(channels::run(&Cpu, &x).unwrap(), channels::reference(&x).unwrap(), "{r} × {c}");
        let (a, x) = (
            Data::new(1).array::<u8, _>((r, c)).mapv(|x| i32::from(x) << 23),
            Data::new(1).array::<u8, _>(c).mapv(i32::from),
        );
        assert_eq!(times::run(&Cpu, &a, &x).unwrap(), times::reference(&a, &x).unwrap(), "{r} × {c}");
    }
}
