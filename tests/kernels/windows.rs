// Filters over windows of an image, a signal or a stack of channels.

use systolic::systolic;

systolic! {
    /// The row pass of a separable filter.
    pub kernel fir_rows<const K: usize in [3, 31]>(
        x: [f32; R, C] border reflect,
        w: const [f32; K],
    ) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C, k in 0..K {
            Z[r, c, k] = x[r, c + k - K / 2] * w[k] + if k == 0 { 0.0 } else { Z[r, c, k - 1] };
            if k == K - 1 { y[r, c] = Z[r, c, k]; }
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            space_time (ci, k) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
        map folded {
            tile c by 128 as (cb, ci);
            blocks (r, cb);
            space_time (ci, k) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s fold 4;
        }
    }

    /// The column pass of a separable filter.
    pub kernel fir_columns<const K: usize in [3, 31]>(
        x: [f32; R, C] border reflect,
        w: const [f32; K],
    ) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C, k in 0..K {
            Z[r, c, k] = x[r + k - K / 2, c] * w[k] + if k == 0 { 0.0 } else { Z[r, c, k - 1] };
            if k == K - 1 { y[r, c] = Z[r, c, k]; }
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 16 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, k) -> (s, t, u) = [[1, 0, 0],
                                                   [0, 1, 1],
                                                   [0, 0, -1]];
            lanes s;
            unroll (u);
        }
        map folded where K == 3 {
            tile c by 128 as (cb, ci);
            tile r by 16 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, k) -> (s, t, u) = [[1, 0, 0],
                                                   [0, 1, 1],
                                                   [0, 0, -1]];
            lanes s fold 4;
            unroll (u);
        }
    }

    /// A separable filter as one kernel: first the column pass; then the row pass reads to the left, one column per
    /// step.
    pub kernel separable<const K: usize in [3]>(
        x: [f32; R + K - 1, C + K - 1],
        w: const [f32; K],
    ) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C + K - 1, k in 0..2 * K {
            V[r, c, k] = if k < K { x[r + k, c] * w[k] + if k == 0 { 0.0 } else { V[r, c, k - 1] } }
                else { if c == 0 || k == K { V[r, c, k - 1] } else { V[r, c - 1, k - 1] } };
            H[r, c, k] = if k < K || c < K - 1 { 0.0 }
                else { V[r, c, k] * w[2 * K - 1 - k] + if k == K { 0.0 } else { H[r, c, k - 1] } };
            if k == 2 * K - 1 && c >= K - 1 { y[r, c - K + 1] = H[r, c, k]; }
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (r);
            space_time (ci, k) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
    }

    /// Motion estimation: the smallest sum of absolute differences of every block and the first offset that has it.
    pub kernel motion<const S: usize in [8], const D: usize in [4]>(
        now: [u8; S * Y, S * X],
        old: [u8; S * Y, S * X] border clamp,
    ) -> (sad: [i32; Y, X], best: [i32; Y, X]) {
        for y in 0..Y, x in 0..X, u in 0..2 * D + 1, v in 0..2 * D + 1, p in 0..S, q in 0..S {
            A[y, x, u, v, p, q] =
                abs(now[S * y + p, S * x + q] as i32 - old[S * y + p + u - D, S * x + q + v - D] as i32)
                + if q > 0 { A[y, x, u, v, p, q - 1] }
                else if p > 0 { A[y, x, u, v, p - 1, q + S - 1] }
                else { 0 };
            // minimum over the offsets, kept at the last point of every window; the first smallest wins
            B[y, x, u, v, p, q] = if p == S - 1 && q == S - 1 {
                if v > 0 { min(B[y, x, u, v - 1, p, q], A[y, x, u, v, p, q]) }
                else if u > 0 { min(B[y, x, u - 1, v + 2 * D, p, q], A[y, x, u, v, p, q]) }
                else { A[y, x, u, v, p, q] }
            } else { 0 };
            I[y, x, u, v, p, q] = if p == S - 1 && q == S - 1 {
                if v > 0 {
                    if A[y, x, u, v, p, q] < B[y, x, u, v - 1, p, q] { u as i32 * 9 + v as i32 }
                    else { I[y, x, u, v - 1, p, q] }
                } else if u > 0 {
                    if A[y, x, u, v, p, q] < B[y, x, u - 1, v + 2 * D, p, q] { u as i32 * 9 + v as i32 }
                    else { I[y, x, u - 1, v + 2 * D, p, q] }
                } else { 0 }
            } else { 0 };
            if u == 2 * D && v == 2 * D && p == S - 1 && q == S - 1 {
                sad[y, x] = B[y, x, u, v, p, q];
                best[y, x] = I[y, x, u, v, p, q];
            }
        }
        map {
            tile x by 32 as (xb, xi);
            blocks (y, xb);
            space_time (xi, u, v, p, q) -> (s, t1, t2, t3, t4) = [[1, 0, 0, 0, 0],
                                                                  [0, 1, 0, 0, 0],
                                                                  [0, 0, 1, 0, 0],
                                                                  [0, 0, 0, 1, 0],
                                                                  [0, 0, 0, 0, 1]];
            lanes s;
            unroll (t4);
        }
    }

    /// Bilateral filter.
    pub kernel bilateral<const P: usize in [5]>(
        x: [f32; R, C] border clamp,
        g: const [f32; P, P],
        k: f32,
    ) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            E[r, c, p, q] = x[r + p - P / 2, c + q - P / 2] - x[r, c];
            G[r, c, p, q] = g[p, q] * exp(-(E[r, c, p, q] * E[r, c, p, q]) * k);
            N[r, c, p, q] = x[r + p - P / 2, c + q - P / 2] * G[r, c, p, q]
                + if q > 0 { N[r, c, p, q - 1] } else if p > 0 { N[r, c, p - 1, q + P - 1] } else { 0.0 };
            D[r, c, p, q] = G[r, c, p, q]
                + if q > 0 { D[r, c, p, q - 1] } else if p > 0 { D[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { y[r, c] = N[r, c, p, q] / D[r, c, p, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            space_time (ci, p, q) -> (s, t, u) = [[1, 0, 0],
                                                  [0, 1, 0],
                                                  [0, 0, 1]];
            lanes s;
            unroll (t, u);
        }
    }

    /// A small convolution layer with bias and ReLU.
    pub kernel layer<const P: usize in [3]>(
        x: [f32; B, I, Y + P - 1, X + P - 1],
        w: [f32; O, I, P, P],
        bias: [f32; O],
    ) -> (z: [f32; B, O, Y, X]) {
        for b in 0..B, o in 0..O, y in 0..Y, x_ in 0..X, i in 0..I, p in 0..P, q in 0..P {
            Z[b, o, y, x_, i, p, q] = x[b, i, y + p, x_ + q] * w[o, i, p, q]
                + if q > 0 { Z[b, o, y, x_, i, p, q - 1] }
                else if p > 0 { Z[b, o, y, x_, i, p - 1, q + P - 1] }
                else if i > 0 { Z[b, o, y, x_, i - 1, p + P - 1, q + P - 1] }
                else { bias[o] };
            if i == I - 1 && p == P - 1 && q == P - 1 { z[b, o, y, x_] = max(Z[b, o, y, x_, i, p, q], 0.0); }
        }
        map {
            tile x_ by 32 as (xb, xi);
            blocks (b, y, xb);
            space_time (xi, i, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                        [0, 1, 0, 0],
                                                        [0, 0, 1, 0],
                                                        [0, 0, 0, 1]];
            lanes s;
            unroll (u, v);
        }
    }

    /// Three-point stencil.
    pub kernel three_point(x: [f32; N] border clamp, w: const [f32; 3]) -> (y: [f32; N]) {
        for i in 0..N { y[i] = x[i - 1] * w[0] + x[i] * w[1] + x[i + 1] * w[2]; }
        map {
            tile i by 128 as (ib, ii);
            blocks (ib);
            space_time (ii) -> (s) = [[1]];
            lanes s fold 4;
        }
    }

    /// Convolution with a dilated filter.
    pub kernel dilated<const P: usize in [3], const D: usize in [2, 3]>(
        x: [f32; R + D * P - D, C + D * P - D],
        w: const [f32; P, P],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + D * p, c + D * q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, D, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s;
            unroll (u, v);
        }
    }

    /// Convolution at a stride.
    pub kernel strided<const P: usize in [3], const S: usize in [2]>(
        x: [f32; S * R + P - S, S * C + P - S],
        w: const [f32; P, P],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[S * r + p, S * c + q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            space_time (ci, p, q) -> (s, t, u) = [[1, 0, 0],
                                                  [0, 1, 0],
                                                  [0, 0, 1]];
            lanes s;
        }
    }

    /// Moving maximum.
    pub kernel dilation<const K: usize in [3, 7]>(x: [u8; R, C] border zero) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C, p in 0..K, q in 0..K {
            M[r, c, p, q] = if q > 0 { max(M[r, c, p, q - 1], x[r + p - K / 2, c + q - K / 2]) }
                else if p > 0 { max(M[r, c, p - 1, q + K - 1], x[r + p - K / 2, c + q - K / 2]) }
                else { x[r + p - K / 2, c + q - K / 2] };
            if p == K - 1 && q == K - 1 { y[r, c] = M[r, c, p, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            space_time (ci, p, q) -> (s, t, u) = [[1, 0, 0],
                                                  [0, 1, 0],
                                                  [0, 0, 1]];
            lanes s;
            unroll (t, u);
        }
    }

    /// Median of 3 × 3 as a network of minima and maxima: columns are sorted at stage 0, rows at stage 1.
    pub kernel median3(x: [u8; R, C] border clamp) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C + 2, k in 0..2 {
            A[r, c, k] = if k == 0 { min(x[r - 1, c - 1], x[r, c - 1], x[r + 1, c - 1]) }
                else { A[r, c, k - 1] };
            Z[r, c, k] = if k == 0 { max(x[r - 1, c - 1], x[r, c - 1], x[r + 1, c - 1]) }
                else { Z[r, c, k - 1] };
            M[r, c, k] = if k == 0 {
                max(min(x[r - 1, c - 1], x[r, c - 1]), min(max(x[r - 1, c - 1], x[r, c - 1]), x[r + 1, c - 1]))
            } else { M[r, c, k - 1] };
            L[r, c, k] = if k == 1 && c >= 2 { max(A[r, c - 2, k - 1], A[r, c - 1, k - 1], A[r, c, k - 1]) }
                else { 0 };
            H[r, c, k] = if k == 1 && c >= 2 { min(Z[r, c - 2, k - 1], Z[r, c - 1, k - 1], Z[r, c, k - 1]) }
                else { 0 };
            N[r, c, k] = if k == 1 && c >= 2 {
                max(min(M[r, c - 2, k - 1], M[r, c - 1, k - 1]),
                    min(max(M[r, c - 2, k - 1], M[r, c - 1, k - 1]), M[r, c, k - 1]))
            } else { 0 };
            if k == 1 && c >= 2 {
                y[r, c - 2] = max(min(L[r, c, k], N[r, c, k]), min(max(L[r, c, k], N[r, c, k]), H[r, c, k]));
            }
        }
        map {
            tile c by 28 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            overlap c by 2;
            space_time (ci, ri, k) -> (s, t, u) = [[1, 0, 0],
                                                   [0, 1, 0],
                                                   [0, 0, 1]];
            lanes s;
            unroll (u);
        }
    }
}
