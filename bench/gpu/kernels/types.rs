//! 2-D convolution of types other than f32.
use systolic::systolic;

systolic! {
    /// All of f64.
    pub kernel double<const P: usize in [3, 5, 7, 9]>(
        x: [f64; R + P - 1, C + P - 1],
        w: const [f64; P, P],
    ) -> (z: [f64; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p, c + q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map where P == 3 {
            tile c by 64 as (cb, ci);
            tile r by 16 as (rb, rw);
            tile rw by 4 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 2;
            unroll (t, u, v);
            resident 24;
        }
        map where P == 5 {
            tile c by 64 as (cb, ci);
            tile r by 24 as (rb, rw);
            tile rw by 6 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 2;
            unroll (t, u, v);
            resident 20;
        }
        map where P == 7 {
            tile c by 256 as (cb, cw);
            tile cw by 64 as (cx, ci);
            tile r by 249 as (rb, ri);
            blocks (rb, cb);
            warps (cx);
            stage x in registers at rb;
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 2;
            unroll (u, v);
            resident 16;
        }
        map where P == 9 {
            tile c by 512 as (cb, cw);
            tile cw by 128 as (cx, ci);
            tile r by 125 as (rb, ri);
            blocks (rb, cb);
            warps (cx);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, v);
            resident 8;
            ahead 1;
        }
    }

    /// f16 in memory, sums of f32.
    pub kernel half<const P: usize in [3, 5]>(
        x: [f16; R + P - 1, C + P - 1],
        w: const [f32; P, P],
    ) -> (z: [f16; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p, c + q] as f32 * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q] as f16; }
        }
        map where P == 3 {
            tile c by 256 as (cb, ci);
            tile r by 16 as (rb, rw);
            tile rw by 4 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 8;
            unroll (t, u, v);
        }
        map where P == 5 {
            tile c by 1024 as (cb, cw);
            tile cw by 256 as (cx, ci);
            tile r by 125 as (rb, ri);
            blocks (rb, cb);
            warps (cx);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 8;
            unroll (u, v);
        }
    }
}
