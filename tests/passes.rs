//! Kernels whose variables need different orders of the loops: on a CPU they run in passes, with the bits of the reference.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

use systolic::ndarray::{Array1, Array2};
use systolic::{Cpu, systolic};

systolic! {
    kernel up_and_down(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            A[n] = x[n] + if n == 0 { 0 } else { A[n - 1] };
            B[n] = A[n] + if n == N - 1 { 0 } else { B[n + 1] };
            y[n] = B[n];
        }
    }

    /// Two outputs, each of another pass; a scalar; an instance per type.
    kernel tridiagonal<type T in [f32, f64]>(a: [T; B, N], d: [T; B, N], m: T) -> (x: [T; B, N], c: [T; B, N]) {
        for b in 0..B, n in 0..N {
            C[b, n] = if n == 0 { a[b, n] / m } else { a[b, n] / (m - a[b, n] * C[b, n - 1]) };
            D[b, n] = if n == 0 { d[b, n] / m } else { (d[b, n] - a[b, n] * D[b, n - 1]) / (m - a[b, n] * C[b, n - 1]) };
            X[b, n] = if n == N - 1 { D[b, n] } else { D[b, n] - C[b, n] * X[b, n + 1] };
            x[b, n] = X[b, n];
            c[b, n] = C[b, n];
        }
    }

    /// Four passes.
    kernel softmax(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            M[r, c] = if c == 0 { x[r, c] } else { max(M[r, c - 1], x[r, c]) };
            P[r, c] = if c == C - 1 { M[r, c] } else { P[r, c + 1] };
            E[r, c] = exp(x[r, c] - P[r, c]);
            S[r, c] = E[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            Q[r, c] = if c == C - 1 { S[r, c] } else { Q[r, c + 1] };
            y[r, c] = E[r, c] / Q[r, c];
        }
    }

    /// A `const` array, a border, and views that are not in standard layout.
    kernel there_and_back(x: [f32; R, C] border clamp, w: const [f32; 2]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            F[r, c] = if c == 0 { x[r, c - 1] } else { w[0] * x[r, c] + w[1] * F[r, c - 1] };
            G[r, c] = if c == C - 1 { F[r, c] } else { w[0] * F[r, c] + w[1] * G[r, c + 1] };
            y[r, c] = G[r, c];
        }
    }

    /// A triangle: what no point stores keeps its `rest`, in the outputs and between the passes.
    kernel triangle(x: [i16; N, N]) -> (y: [i16; N, N] rest -1, all: [i16; N] rest 7) where N != 4 {
        for i in 0..N, j in i..N {
            U[i, j] = x[i, j] + if j == i { 0 } else { U[i, j - 1] };
            V[i, j] = U[i, j] + if j == N - 1 { 0 } else { V[i, j + 1] };
            W[i, j] = V[i, j] - if i == 0 { 0 } else { W[i - 1, j] };
            y[i, j] = W[i, j];
            if i == 0 && j > 0 { all[j] = V[i, j]; }
        }
    }

    /// Lies elsewhere than at 0, and ends in a single number.
    kernel total(x: [u8; N]) -> (y: u32) {
        for n in -3..N - 3 {
            A[n] = x[n + 3] as u32 + if n == -3 { 0 } else { A[n - 1] };
            B[n] = if n == N - 4 { A[n] } else { B[n + 1] + A[n] };
            if n == -3 { y = B[n]; }
        }
    }
}

/// The sizes of every test, the empty ones included.
const SHAPES: [(usize, usize); 9] = [(0, 0), (0, 3), (2, 0), (1, 1), (1, 2), (3, 33), (37, 1), (65, 70), (9, 515)];

fn numbers(shape: (usize, usize)) -> Array2<f32> {
    Array2::from_shape_fn(shape, |(r, c)| ((r * 131 + c * 71) % 97) as f32 / 97.0 + 0.25)
}

#[test]
fn one_loop_in_both_directions() {
    for n in [0, 1, 2, 31, 32, 33, 5000] {
        let x: Vec<i32> = (0..n).map(|k| k * k - 7).collect();
        assert_eq!(up_and_down::run(&Cpu, &x).unwrap(), up_and_down::reference(&x).unwrap(), "{n}");
    }
    assert!(up_and_down::choice(&Cpu).point_by_point().is_none());
    let shown = up_and_down::describe(9);
    assert_eq!(shown.point_by_point, None);
    assert_eq!(shown.map.unwrap(), "    // on a CPU it runs in passes, each with a map of its own: A | B, y\n");
}

#[test]
fn outputs_of_different_passes_and_types() {
    for shape in SHAPES {
        let a = numbers(shape);
        let d = a.mapv(|v| 3.0 * v - 1.0);
        assert_eq!(
            tridiagonal::<f32>::run(&Cpu, &a, &d, 4.0).unwrap(),
            tridiagonal::<f32>::reference(&a, &d, 4.0).unwrap(),
            "{shape:?}"
        );
        let (a, d) = (a.mapv(f64::from), d.mapv(f64::from));
        assert_eq!(
            tridiagonal::<f64>::run(&Cpu, &a, &d, 4.0).unwrap(),
            tridiagonal::<f64>::reference(&a, &d, 4.0).unwrap(),
            "{shape:?}"
        );
    }
}

#[test]
fn several_passes() {
    for shape in SHAPES.into_iter().filter(|(r, c)| r * c < 1000) {
        let x = numbers(shape);
        assert_eq!(softmax::run(&Cpu, &x).unwrap(), softmax::reference(&x).unwrap(), "{shape:?}");
    }
}

#[test]
fn views_of_any_layout() {
    for shape in SHAPES.into_iter().filter(|(r, c)| r * c > 0) {
        let x = numbers(shape);
        let x = x.t();
        let wanted = there_and_back::reference(x, &[0.5, 0.25]).unwrap();
        let mut y = Array2::zeros(shape);
        there_and_back::run_into(&Cpu, x, &[0.5, 0.25], y.view_mut().reversed_axes()).unwrap();
        assert_eq!(y.t(), wanted, "{shape:?}");
    }
}

#[test]
fn rests_and_conditions() {
    for n in [1, 2, 3, 5, 32, 40] {
        let x = Array2::from_shape_fn((n, n), |(i, j)| (i * 7 + j * 3) as i16 % 11);
        assert_eq!(triangle::run(&Cpu, &x).unwrap(), triangle::reference(&x).unwrap(), "{n}");
    }
    let x = Array2::from_elem((4, 4), 1);
    assert_eq!(triangle::run(&Cpu, &x).unwrap_err(), triangle::reference(&x).unwrap_err());
}

#[test]
fn a_single_number() {
    for n in [1u8, 2, 40, 200] {
        let x = Array1::from_iter(0..n);
        assert_eq!(total::run(&Cpu, &x).unwrap(), total::reference(&x).unwrap(), "{n}");
    }
}
