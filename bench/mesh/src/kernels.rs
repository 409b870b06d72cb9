//! The kernels that are measured.
use systolic::systolic;

systolic! {
    /// A stencil of nine points.
    pub kernel stencil(x: [f32; R, C] border clamp, w: const [f32; 3, 3]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..3, q in 0..3 {
            S[r, c, p, q] = x[r + p - 1, c + q - 1] * w[p, q]
                + if q > 0 { S[r, c, p, q - 1] } else if p > 0 { S[r, c, p - 1, q + 2] } else { 0.0 };
            if p == 2 && q == 2 { y[r, c] = S[r, c, p, q]; }
        }
    }
    /// Four steps of Jacobi's method in one pass.
    pub kernel jacobi<const T: usize in [4]>(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for t in 0..T + 1, r in t - T..R + T - t, c in t - T..C + T - t {
            U[t, r, c] = if t == 0 { x[r, c] } else {
                0.25 * (U[t - 1, r - 1, c] + U[t - 1, r + 1, c] + U[t - 1, r, c - 1] + U[t - 1, r, c + 1])
            };
            if t == T { y[r, c] = U[t, r, c]; }
        }
    }
}
