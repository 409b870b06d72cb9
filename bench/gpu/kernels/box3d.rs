//! Boxes in three dimensions, summed along their rows, then along their planes.
use systolic::systolic;

systolic! {
    /// 3d27pt and 3d125pt.
    pub kernel boxes<type T in [f32, f64], const P: usize in [3, 5]>(
        x: [T; L, R, C] border clamp,
        w: const [T; P, P, P],
    ) -> (y: [T; L, R, C]) {
        for l in 0..L, r in 0..R, c in 0..C, o in 0..P, p in 0..P, q in 0..P {
            Z[l, r, c, o, p, q] = x[l + o - P / 2, r + p - P / 2, c + q - P / 2] * w[o, p, q]
                + if q > 0 { Z[l, r, c, o, p, q - 1] }
                else if p > 0 { Z[l, r, c, o, p - 1, q + P - 1] }
                else if o > 0 { Z[l, r, c, o - 1, p + P - 1, q + P - 1] }
                else { 0.0 };
            if o == P - 1 && p == P - 1 && q == P - 1 { y[l, r, c] = Z[l, r, c, o, p, q]; }
        }
        map where P == 3, T == f32 {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, rw);
            tile rw by 2 as (rx, ri);
            tile l by 32 as (lb, li);
            blocks (lb, rb, cb);
            warps (rx);
            space_time (ci, li, ri, o, p, q) -> (s, t, u, k, m, v) = [[1, 0, 0, 0, 0, 0],
                                                                      [0, 1, 0, 1, 0, 0],
                                                                      [0, 0, 1, 0, 1, 0],
                                                                      [0, 0, 0, -1, 0, 0],
                                                                      [0, 0, 0, 0, -1, 0],
                                                                      [0, 0, 0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, k, m, v);
            resident 24;
        }
        map where P == 3, T == f64 {
            tile c by 64 as (cb, ci);
            tile r by 16 as (rb, rw);
            tile rw by 4 as (rx, ri);
            tile l by 64 as (lb, li);
            blocks (lb, rb, cb);
            warps (rx);
            space_time (ci, li, ri, o, p, q) -> (s, t, u, k, m, v) = [[1, 0, 0, 0, 0, 0],
                                                                      [0, 1, 0, 1, 0, 0],
                                                                      [0, 0, 1, 0, 1, 0],
                                                                      [0, 0, 0, -1, 0, 0],
                                                                      [0, 0, 0, 0, -1, 0],
                                                                      [0, 0, 0, 0, 0, 1]];
            lanes s fold 2;
            unroll (u, k, m, v);
            resident 16;
        }
        map where P == 5, T == f32 {
            tile c by 64 as (cb, ci);
            tile r by 8 as (rb, rw);
            tile rw by 2 as (rx, ri);
            tile l by 64 as (lb, li);
            blocks (lb, rb, cb);
            warps (rx);
            space_time (ci, li, ri, o, p, q) -> (s, t, u, k, m, v) = [[1, 0, 0, 0, 0, 0],
                                                                      [0, 1, 0, 1, 0, 0],
                                                                      [0, 0, 1, 0, 1, 0],
                                                                      [0, 0, 0, -1, 0, 0],
                                                                      [0, 0, 0, 0, -1, 0],
                                                                      [0, 0, 0, 0, 0, 1]];
            lanes s fold 2;
            unroll (u, k, m, v);
            resident 16;
        }
        map where P == 5, T == f64 {
            tile c by 64 as (cb, ci);
            tile r by 12 as (rb, rw);
            tile rw by 3 as (rx, ri);
            tile l by 64 as (lb, li);
            blocks (lb, rb, cb);
            warps (rx);
            space_time (ci, li, ri, o, p, q) -> (s, t, u, k, m, v) = [[1, 0, 0, 0, 0, 0],
                                                                      [0, 1, 0, 1, 0, 0],
                                                                      [0, 0, 1, 0, 1, 0],
                                                                      [0, 0, 0, -1, 0, 0],
                                                                      [0, 0, 0, 0, -1, 0],
                                                                      [0, 0, 0, 0, 0, 1]];
            lanes s fold 2;
            unroll (u, k, m, v);
            resident 8;
        }
    }
}
