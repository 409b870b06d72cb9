//! Kernels to explain.
systolic::systolic! {
    /// Sums migrate.
    kernel conv<const Q: usize in [2, 5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
            Z[c, q] = X[c, q] * w[q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map { tile c by 28 as (cb, ci); blocks (cb); space_time (ci, q) -> (s, t) = [[1, 1], [0, 1]]; lanes s; }
        map plain { tile c by 32 as (cb, ci); blocks (cb); lanes ci; }
    }

    /// No map.
    kernel blur(x: [f32; N] border clamp) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 0.25 * x[n - 1] + 0.5 * x[n] + 0.25 * x[n + 1]; }
    }

    kernel late(x: [f32; R, C]) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
            z[r, c] = S[r, c];
        }
        map { tile c by 32 as (cb, ci); blocks (cb); space_time (ci, r) -> (s, t) = [[1, 0], [0, -1]]; lanes s; }
    }

    kernel meet(x: [f32; R, C]) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C { z[r, c] = x[r, c]; }
        map { tile c by 8 as (cb, ci); tile r by 8 as (rb, ri); blocks (cb, rb); space_time (ci, ri) -> (s) = [[1, 1]]; lanes s; }
    }

    kernel crosses(x: [f32; N]) -> (z: [f32; N]) {
        for n in 0..N { S[n] = x[n] + if n == 0 { 0.0 } else { S[n - 1] }; z[n] = S[n]; }
        map { tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
    }

    kernel outside(x: [f32; N]) -> (z: [f32; N]) {
        for n in 0..N { z[n] = x[n + 1]; }
    }
}
