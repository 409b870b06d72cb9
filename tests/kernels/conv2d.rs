// 2-D convolution `z[r, c] = Σ_p Σ_q x[r + p, c + q] · w[p, q]`, "valid" and "same".

use systolic::systolic;

systolic! {
    /// The sum runs along the rows of the filter.
    pub kernel conv2d<type T in [f32, f64], const P: usize in [3], const Q: usize in [3]>(
        x: [T; R + P - 1, C + Q - 1],
        w: const [T; P, Q],
    ) -> (z: [T; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            X[r, c, p, q] = if q == 0 || c == C - 1 { x[r + p, c + q] } else { X[r, c + 1, p, q - 1] };
            Z[r, c, p, q] = X[r, c, p, q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + Q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map rows {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, v);
        }
        map fbs {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            space_time (ci, p, q) -> (s, t, u) = [[1, 0, 0],
                                                  [0, 1, 0],
                                                  [0, 0, 1]];
            lanes s;
        }
    }

    /// The sum runs down the columns of the filter.
    pub kernel conv2d_columns<const P: usize in [3], const Q: usize in [3]>(
        x: [f32; R + P - 1, C + Q - 1],
        w: const [f32; P, Q],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            X[r, c, p, q] = if q == 0 || c == C - 1 { x[r + p, c + q] } else { X[r, c + 1, p, q - 1] };
            Z[r, c, p, q] = X[r, c, p, q] * w[p, q]
                + if p > 0 { Z[r, c, p - 1, q] } else if q > 0 { Z[r, c, p + P - 1, q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map sbm {
            tile c by 28 as (cb, ci);
            blocks (r, cb);
            space_time (ci, p, q) -> (s, t) = [[1, 0, 1],
                                               [0, 1, P]];
            lanes s;
        }
        map ssam {
            tile c by 28 as (cb, ci);
            tile r by 4 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 1],
                                                         [0, 0, 0, 1],
                                                         [0, 1, 0, 0],
                                                         [0, 0, 1, 0]];
            lanes s;
            unroll (t, u, v);
        }
    }

    /// As large as its input, with the nearest element outside.
    pub kernel conv2d_same<const P: usize in [3, 4], const Q: usize in [3]>(
        x: [f32; R, C] border clamp,
        w: const [f32; P, Q],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            Z[r, c, p, q] = x[r + p - P / 2, c + q - Q / 2] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + Q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s;
            unroll (u, v);
        }
        map folded {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, v);
        }
    }

    /// As large as its input, with zero outside.
    pub kernel conv2d_same_zero<const P: usize in [4], const Q: usize in [3]>(
        x: [f32; R, C] border zero,
        w: const [f32; P, Q],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            Z[r, c, p, q] = x[r + p - P / 2, c + q - Q / 2] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + Q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s;
            unroll (u, v);
        }
    }

    /// As large as its input, mirrored outside.
    pub kernel conv2d_same_reflect<const P: usize in [4], const Q: usize in [3]>(
        x: [f32; R, C] border reflect,
        w: const [f32; P, Q],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            Z[r, c, p, q] = x[r + p - P / 2, c + q - Q / 2] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + Q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s;
            unroll (u, v);
        }
    }

    /// As large as its input, repeated outside.
    pub kernel conv2d_same_wrap<const P: usize in [4], const Q: usize in [3]>(
        x: [f32; R, C] border wrap,
        w: const [f32; P, Q],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            Z[r, c, p, q] = x[r + p - P / 2, c + q - Q / 2] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + Q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s;
            unroll (u, v);
        }
    }

    /// As large as its input, with a constant outside.
    pub kernel conv2d_same_constant<const P: usize in [4], const Q: usize in [3]>(
        x: [f32; R, C] border constant(-0.5),
        w: const [f32; P, Q],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            Z[r, c, p, q] = x[r + p - P / 2, c + q - Q / 2] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + Q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s;
            unroll (u, v);
        }
    }

    /// Half-precision input and output, single-precision sums.
    pub kernel conv2d_f16<const P: usize in [3], const Q: usize in [3]>(
        x: [f16; R + P - 1, C + Q - 1],
        w: const [f16; P, Q],
    ) -> (z: [f16; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            X[r, c, p, q] = if q == 0 || c == C - 1 { x[r + p, c + q] } else { X[r, c + 1, p, q - 1] };
            Z[r, c, p, q] = (X[r, c, p, q] as f32) * (w[p, q] as f32)
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + Q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q] as f16; }
        }
        map {
            tile c by 64 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 2;
            unroll (u, v);
        }
    }

    /// Two passes over the filter with `H` columns each, which is another order of the sum.
    pub kernel conv2d_halves<const P: usize in [5], const Q: usize in [5], const H: usize = 3>(
        x: [f32; R + P - 1, C + Q - 1],
        w: const [f32; P, Q],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, h in 0..2, p in 0..P, v in 0..H {
            Y[r, c, h, p, v] = if v > 0 { Z[r, c, h, p, v - 1] }
                else if p > 0 { Z[r, c, h, p - 1, v + H - 1] }
                else if h > 0 { Z[r, c, h - 1, p + P - 1, v + H - 1] }
                else { 0.0 };
            Z[r, c, h, p, v] = if H * h + v < Q { x[r + p, c + H * h + v] * w[p, H * h + v] + Y[r, c, h, p, v] }
                else { Y[r, c, h, p, v] };
            if h == 1 && p == P - 1 && v == H - 1 { z[r, c] = Z[r, c, h, p, v]; }
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 4 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, h, ri, p, v) -> (s, k, t, u, n) = [[1, 0, 0, 0, 0],
                                                               [0, 1, 0, 0, 0],
                                                               [0, 0, 1, 1, 0],
                                                               [0, 0, 0, -1, 0],
                                                               [0, 0, 0, 0, 1]];
            lanes s;
            unroll (u, n);
        }
    }

    /// The smallest and the largest filters of chen2019, and some that are not square.
    pub kernel conv2d_filters<const P: usize in [2, 20], const Q: usize in [2, 7, 20]>(
        x: [f32; R + P - 1, C + Q - 1],
        w: const [f32; P, Q],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            Z[r, c, p, q] = x[r + p, c + q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + Q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
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
}
