//! 2-D convolution of 3 × 3 whose output is as large as its input, with every kind of border.
use systolic::systolic;

systolic! {
    /// Zero outside.
    pub kernel zero<const P: usize = 3>(
        x: [f32; R, C] border zero,
        w: const [f32; P, P],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p - 1, c + q - 1] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (t, u, v);
        }
    }

    /// The nearest element outside.
    pub kernel clamp<const P: usize = 3>(
        x: [f32; R, C] border clamp,
        w: const [f32; P, P],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p - 1, c + q - 1] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (t, u, v);
        }
    }

    /// Mirrored outside, without repeating the edge.
    pub kernel reflect<const P: usize = 3>(
        x: [f32; R, C] border reflect,
        w: const [f32; P, P],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p - 1, c + q - 1] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (t, u, v);
        }
    }

    /// Mirrored outside, repeating the edge.
    pub kernel symmetric<const P: usize = 3>(
        x: [f32; R, C] border symmetric,
        w: const [f32; P, P],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p - 1, c + q - 1] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (t, u, v);
        }
    }

    /// Repeated outside.
    pub kernel wrap<const P: usize = 3>(
        x: [f32; R, C] border wrap,
        w: const [f32; P, P],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p - 1, c + q - 1] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (t, u, v);
        }
    }

    /// A number outside.
    pub kernel constant<const P: usize = 3>(
        x: [f32; R, C] border constant(0.5),
        w: const [f32; P, P],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p - 1, c + q - 1] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (t, u, v);
        }
    }
}
