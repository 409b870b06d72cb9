//! 2-D convolution `z[r, c] = Σ_p Σ_q x[r + p, c + q] · w[p, q]`, the sum along the rows of the filter.
use systolic::systolic;

systolic! {
    /// With weights that are parameters.
    pub kernel conv2d<const P: usize in [3, 5, 7, 9, 13]>(
        x: [f32; R + P - 1, C + P - 1],
        w: const [f32; P, P],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p, c + q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map where P <= 5 {
            tile c by 128 as (cb, ci);
            tile r by 16 as (rb, rw);
            tile rw by 4 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (t, u, v);
            resident 24;
        }
        map where P == 7 {
            tile c by 512 as (cb, cw);
            tile cw by 128 as (cx, ci);
            tile r by 249 as (rb, ri);
            blocks (rb, cb);
            warps (cx);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, v);
            resident 16;
            ahead 4;
        }
        map where P == 9 {
            tile c by 256 as (cb, ci);
            tile r by 171 as (rb, ri);
            blocks (rb, cb);
            stage x in registers at rb;
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 8;
            unroll (u, v);
            resident 12;
            ahead 1;
        }
        map where P == 13 {
            tile c by 1024 as (cb, cw);
            tile cw by 256 as (cx, ci);
            tile r by 249 as (rb, ri);
            blocks (rb, cb);
            warps (cx);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 8;
            unroll (u, v);
            resident 8;
        }
    }

    /// Some rows of a large filter, added to the sum of the rows before: the first ten rows with `S = 0`, the others
    /// with `S = 1`. Each loaded weight then serves eight elements per lane, in a loop that fits into the instruction
    /// cache.
    pub kernel rows<const P: usize in [19, 20], const S: usize in [0, 1]>(
        x: [f32; R + P - 1, C + P - 1],
        w: const [f32; 10 - S * (20 - P), P],
        sum: [f32; R, C],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..10 - S * (20 - P), q in 0..P {
            Z[r, c, p, q] = x[r + p + 10 * S, c + q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] }
                    else if S > 0 { sum[r, c] } else { 0.0 };
            if p == 9 - S * (20 - P) && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map where P + S < 21 {
            tile c by 1024 as (cb, cw);
            tile cw by 256 as (cx, ci);
            tile r by 249 as (rb, ri);
            blocks (rb, cb);
            warps (cx);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 8;
            unroll (u, v);
            resident 12;
            ahead 1;
        }
        map where P + S > 20 {
            tile c by 1024 as (cb, cw);
            tile cw by 256 as (cx, ci);
            tile r by 249 as (rb, ri);
            blocks (rb, cb);
            warps (cx);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 8;
            unroll (u, v);
            resident 8;
            ahead 1;
        }
    }
}
