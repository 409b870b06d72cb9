//! Rows that are read and written from their ends, and sums on the way along rows, without a map. All results are compared with
//! `reference`.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

use systolic::Cpu;
use systolic::ndarray::{Array2, ShapeBuilder};
use systolic_tests::Data;

systolic::systolic! {
    /// The second half of the solution of a tridiagonal system.
    kernel solve(e: [f32; B, N], f: [f32; B, N]) -> (x: [f32; B, N]) {
        for k in 0..B, n in 0..N {
            X[k, n] = f[k, N - 1 - n] - e[k, N - 1 - n] * if n == 0 { 0.0 } else { X[k, n - 1] };
            x[k, N - 1 - n] = X[k, n];
        }
    }

    /// A loop whose values are read from behind, neighbours of an element, and a border.
    kernel smooth(x: [f64; B, N] border clamp) -> (y: [f64; B, N]) {
        for k in 0..B, n in 0..N {
            Y[k, n] = 0.25 * (x[k, n - 1] + x[k, n + 2]) + if n == N - 1 { 0.0 } else { 0.5 * Y[k, n + 1] };
            y[k, n] = Y[k, n];
        }
    }

    /// Bytes, the first lanes of which are one element further each; some elements stay as `rest` says.
    kernel bytes(x: [u8; B, N] border wrap) -> (y: [u8; B, N] rest 7) {
        for k in 0..B, n in 0..N {
            Y[k, n] = max(x[k, 3 - n], if n == 0 { 0 } else { Y[k, n - 1] / 2 });
            if n != 2 && n + k != 20 { y[k, N - 1 - n] = Y[k, n]; }
        }
    }

    /// Down one output and up the other.
    kernel both(x: [f32; B, N]) -> (down: [f32; B, N], up: [f32; B, N]) {
        for k in 0..B, n in 0..N {
            D[k, n] = x[k, N - 1 - n] + if n == 0 { 0.0 } else { 0.5 * D[k, n - 1] };
            U[k, n] = x[k, n] + if n == 0 { 0.0 } else { 0.5 * U[k, n - 1] };
            down[k, N - 1 - n] = D[k, n];
            up[k, n] = U[k, n];
        }
    }

    /// Sums on the way.
    kernel sums(x: [i16; R, C]) -> (y: [i32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = (x[r, c] as i32) + if c == 0 { 0 } else { S[r, c - 1] };
            y[r, c] = S[r, c];
        }
    }

    /// The same from the end of the row, of squares that wrap around.
    kernel squares(x: [u64; R, C]) -> (y: [u64; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, C - 1 - c] * x[r, C - 1 - c] + if c == 0 { 5 } else { S[r, c - 1] };
            y[r, C - 1 - c] = S[r, c];
        }
    }
}

const SIZES: [(usize, usize); 14] = [
    (1, 1),
    (1, 40),
    (40, 1),
    (2, 2),
    (7, 5),
    (33, 15),
    (32, 16),
    (31, 17),
    (64, 33),
    (3, 100),
    (100, 48),
    (40, 333),
    (129, 64),
    (1000, 70),
];

/// Numbers up to 255 as another type.
fn data<T>(seed: u64, shape: (usize, usize), of: impl Fn(u8) -> T) -> Array2<T> {
    Data::new(seed).array::<u8, _>(shape).mapv(of)
}

#[test]
fn rows_backwards() {
    for shape in SIZES {
        let [e, f] = [1, 2].map(|seed| data(seed, shape, |x| f32::from(x) / 256.0));
        assert_eq!(solve::run(&Cpu, &e, &f).unwrap(), solve::reference(&e, &f).unwrap(), "{shape:?}");
        assert_eq!(both::run(&Cpu, &f).unwrap(), both::reference(&f).unwrap(), "{shape:?}");
        let x = data(3, shape, f64::from);
        assert_eq!(smooth::run(&Cpu, &x).unwrap(), smooth::reference(&x).unwrap(), "{shape:?}");
        let x = data(4, shape, |x| x);
        assert_eq!(bytes::run(&Cpu, &x).unwrap(), bytes::reference(&x).unwrap(), "{shape:?}");
    }
    let y = solve::run(&Cpu, &Array2::from_elem((1, 3), 2.0), &Array2::from_elem((1, 3), 1.0)).unwrap();
    assert_eq!(y.as_slice().unwrap(), [3.0, -1.0, 1.0]);
}

/// Rows with elements between them.
#[test]
fn outputs_in_other_orders() {
    let shape = (70, 45);
    let [e, f] = [1, 2].map(|seed| data(seed, shape, |x| f32::from(x) / 256.0));
    let expected = solve::reference(&e, &f).unwrap();
    let mut by_columns = Array2::zeros(shape.f());
    solve::run_into(&Cpu, &e, &f, &mut by_columns).unwrap();
    assert_eq!(by_columns, expected);
}

#[test]
fn sums_on_the_way() {
    for shape in SIZES {
        let x = data(1, shape, |x| i16::from(x).wrapping_mul(257).wrapping_sub(17));
        assert_eq!(sums::run(&Cpu, &x).unwrap(), sums::reference(&x).unwrap(), "{shape:?}");
        let x = data(2, shape, |x| u64::from(x) << 29);
        assert_eq!(squares::run(&Cpu, &x).unwrap(), squares::reference(&x).unwrap(), "{shape:?}");
    }
    let y = sums::run(&Cpu, &Array2::from_elem((2, 3), 7)).unwrap();
    assert_eq!(y.into_iter().collect::<Vec<i32>>(), [7, 14, 21, 7, 14, 21]);
}
