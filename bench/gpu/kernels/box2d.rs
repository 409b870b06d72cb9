//! Boxes in two dimensions, summed along their rows.
use systolic::systolic;

systolic! {
    /// 2d9-box, 2d25pt, 2d64pt, 2d81pt and 2d121pt.
    pub kernel boxes<const P: usize in [3, 5, 8, 9, 11]>(
        x: [f32; R, C] border clamp,
        w: const [f32; P, P],
    ) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p - P / 2, c + q - P / 2] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { y[r, c] = Z[r, c, p, q]; }
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
        map where P == 8 {
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
            resident 12;
            ahead 2;
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
            resident 16;
        }
        map where P > 10 {
            tile c by 512 as (cb, cw);
            tile cw by 128 as (cx, ci);
            tile r by 171 as (rb, ri);
            blocks (rb, cb);
            warps (cx);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, v);
            resident 12;
            ahead 1;
        }
    }

    /// 2d9-box, 2d25pt, 2d64pt, 2d81pt and 2d121pt of f64.
    pub kernel boxes_f64<const P: usize in [3, 5, 8, 9, 11]>(
        x: [f64; R, C] border clamp,
        w: const [f64; P, P],
    ) -> (y: [f64; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p - P / 2, c + q - P / 2] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { y[r, c] = Z[r, c, p, q]; }
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
        map where P > 5, P < 10 {
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
        }
        map where P > 10 {
            tile c by 512 as (cb, cw);
            tile cw by 128 as (cx, ci);
            tile r by 125 as (rb, ri);
            blocks (rb, cb);
            warps (cx);
            stage x in registers at rb;
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, v);
        }
    }
}
