//! The measured kernels, each with maps for a CPU.
use systolic::systolic;

systolic! {
    /// 2-D convolution of a padded image: the sum runs along the rows of the filter.
    pub kernel conv2d<const P: usize in [3, 5, 9, 15], const Q: usize in [3, 5, 9, 15]>(
        x: [f32; R + P - 1, C + Q - 1],
        w: const [f32; P, Q],
    ) -> (z: [f32; R, C]) where P == Q {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            X[r, c, p, q] = if q == 0 || c == C - 1 { x[r + p, c + q] } else { X[r, c + 1, p, q - 1] };
            Z[r, c, p, q] = X[r, c, p, q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + Q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map rows {
            tile c by 128 as (cb, ci);
            tile r by (8 * P + 32) as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, v);
        }
    }

    /// 2-D convolution of an image with its nearest element outside.
    pub kernel conv2d_same<const P: usize in [3, 5, 9, 15], const Q: usize in [3, 5, 9, 15]>(
        x: [f32; R, C] border clamp,
        w: const [f32; P, Q],
    ) -> (z: [f32; R, C]) where P == Q {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            Z[r, c, p, q] = x[r + p - P / 2, c + q - Q / 2] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + Q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map rows {
            tile c by 128 as (cb, ci);
            tile r by (8 * P + 32) as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, v);
        }
    }

    /// Inclusive sums down every column, in wider strips than those of `tests/kernels/scans.rs`.
    pub kernel scan_columns(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
            y[r, c] = S[r, c];
        }
        map wide {
            tile c by 256 as (cb, ci);
            tile ci by 32 as (cv, cl);
            blocks (cb);
            space_time (cl, r, cv) -> (s, t, u) = [[1, 0, 0],
                                                   [0, 1, 0],
                                                   [0, 0, 1]];
            lanes s;
            unroll (u);
        }
    }

    /// Local alignment with affine gaps: the best score of every row of every pair.
    pub kernel smith_waterman(
        a: [i32; B, N],
        b: [i32; B, M],
        open: i32,
        extend: i32,
        hit: i32,
        miss: i32,
    ) -> (best: [i32; B, N]) {
        for k in 0..B, i in 0..N, j in 0..M {
            A[k, i, j] = if j == 0 { a[k, i] } else { A[k, i, j - 1] };
            L[k, i, j] = if i == 0 { b[k, j] } else { L[k, i - 1, j] };
            E[k, i, j] = if j == 0 { -1000000 } else { max(E[k, i, j - 1] - extend, H[k, i, j - 1] - open) };
            F[k, i, j] = if i == 0 { -1000000 } else { max(F[k, i - 1, j] - extend, H[k, i - 1, j] - open) };
            H[k, i, j] = max(0, E[k, i, j], F[k, i, j],
                (if i == 0 || j == 0 { 0 } else { H[k, i - 1, j - 1] })
                    + if A[k, i, j] == L[k, i, j] { hit } else { miss });
            G[k, i, j] = if j == 0 { H[k, i, j] } else { max(G[k, i, j - 1], H[k, i, j]) };
            if j == M - 1 { best[k, i] = G[k, i, j]; }
        }
        map waves {
            tile i by 256 as (ib, ii);
            tile ii by 8 as (il, ir);
            blocks (k);
            space_time (il, ir, j) -> (s, t, u) = [[1, 0, 0],
                                                   [1, 0, 1],
                                                   [0, 1, 0]];
            lanes s;
            unroll (u);
        }
        map pairs {
            tile k by 32 as (kb, ki);
            tile i by 8 as (ib, ii);
            blocks (kb);
            space_time (ki, j, ii) -> (s, t, u) = [[1, 0, 0],
                                                   [0, 1, 0],
                                                   [0, 0, 1]];
            lanes s;
            unroll (u);
        }
    }
}
