// Kernels of small calls: `tests/allocations.rs` counts their allocations, `bench/src/calls.rs` measures their time.

systolic::systolic! {
    /// Every element needs the one before.
    pub kernel running_sum(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            S[n] = x[n] + if n == 0 { 0.0 } else { S[n - 1] };
            y[n] = S[n];
        }
    }

    /// A map with blocks, and coefficients.
    pub kernel conv1d(x: [f32; C + 2], w: const [f32; 3]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..3 {
            Z[c, q] = x[c + q] * w[q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == 2 { z[c] = Z[c, q]; }
        }
        map { tile c by 32 as (cb, ci); blocks (cb); lanes ci; }
    }
}
