//! Stars and a Poisson solver in three dimensions, summed plane by plane, with direct reads of all neighbours. Weights
//! of stars are numbered from the centre, ring by ring.
use systolic::systolic;

systolic! {
    /// 3d7pt: a star of order 1.
    pub kernel star7<type T in [f32, f64]>(x: [T; L, R, C] border clamp, w: const [T; 7]) -> (y: [T; L, R, C]) {
        for l in 0..L, r in 0..R, c in 0..C {
            y[l, r, c] = x[l - 1, r, c] * w[1] + x[l, r - 1, c] * w[3]
                + x[l, r, c - 1] * w[5] + x[l, r, c] * w[0] + x[l, r, c + 1] * w[6]
                + x[l, r + 1, c] * w[4] + x[l + 1, r, c] * w[2];
        }
        map where T == f32 {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, rw);
            tile rw by 2 as (rx, ri);
            tile l by 4 as (lb, li);
            blocks (lb, rb, cb);
            warps (rx);
            space_time (ci, li, ri) -> (s, t, u) = [[1, 0, 0],
                                                    [0, 1, 0],
                                                    [0, 0, 1]];
            lanes s fold 4;
            unroll (t, u);
        }
        map where T == f64 {
            tile c by 64 as (cb, ci);
            tile r by 8 as (rb, rw);
            tile rw by 2 as (rx, ri);
            tile l by 4 as (lb, li);
            blocks (lb, rb, cb);
            warps (rx);
            space_time (ci, li, ri) -> (s, t, u) = [[1, 0, 0],
                                                    [0, 1, 0],
                                                    [0, 0, 1]];
            lanes s fold 2;
            unroll (t, u);
        }
    }

    /// 3d13pt: a star of order 2.
    pub kernel star13<type T in [f32, f64]>(x: [T; L, R, C] border clamp, w: const [T; 13]) -> (y: [T; L, R, C]) {
        for l in 0..L, r in 0..R, c in 0..C {
            y[l, r, c] = x[l - 2, r, c] * w[7] + x[l - 1, r, c] * w[1] + x[l, r - 2, c] * w[9] + x[l, r - 1, c] * w[3]
                + x[l, r, c - 2] * w[11] + x[l, r, c - 1] * w[5] + x[l, r, c] * w[0] + x[l, r, c + 1] * w[6]
                + x[l, r, c + 2] * w[12]
                + x[l, r + 1, c] * w[4] + x[l, r + 2, c] * w[10] + x[l + 1, r, c] * w[2] + x[l + 2, r, c] * w[8];
        }
        map where T == f32 {
            tile c by 128 as (cb, ci);
            tile r by 4 as (rb, rw);
            tile rw by 2 as (rx, ri);
            tile l by 4 as (lb, lw);
            tile lw by 2 as (lx, li);
            blocks (lb, rb, cb);
            warps (lx, rx);
            space_time (ci, li, ri) -> (s, t, u) = [[1, 0, 0],
                                                    [0, 1, 0],
                                                    [0, 0, 1]];
            lanes s fold 4;
            unroll (t, u);
            resident 16;
        }
        map where T == f64 {
            tile c by 64 as (cb, ci);
            tile r by 4 as (rb, rw);
            tile rw by 2 as (rx, ri);
            tile l by 4 as (lb, lw);
            tile lw by 2 as (lx, li);
            blocks (lb, rb, cb);
            warps (lx, rx);
            space_time (ci, li, ri) -> (s, t, u) = [[1, 0, 0],
                                                    [0, 1, 0],
                                                    [0, 0, 1]];
            lanes s fold 2;
            unroll (t, u);
            resident 16;
        }
    }

    /// The 19 points of a Poisson solver, plane by plane: centre, 6 faces, 12 edges, a weight for each kind.
    pub kernel poisson<type T in [f32, f64]>(x: [T; L, R, C] border clamp, w: const [T; 3]) -> (y: [T; L, R, C]) {
        for l in 0..L, r in 0..R, c in 0..C, o in 0..3 {
            Z[l, r, c, o] = if o == 1 {
                Z[l, r, c, o - 1]
                    + x[l, r - 1, c - 1] * w[2] + x[l, r - 1, c] * w[1] + x[l, r - 1, c + 1] * w[2]
                    + x[l, r, c - 1] * w[1] + x[l, r, c] * w[0] + x[l, r, c + 1] * w[1]
                    + x[l, r + 1, c - 1] * w[2] + x[l, r + 1, c] * w[1] + x[l, r + 1, c + 1] * w[2]
            } else {
                (if o > 0 { Z[l, r, c, o - 1] } else { 0.0 })
                    + x[l + o - 1, r - 1, c] * w[2]
                    + x[l + o - 1, r, c - 1] * w[2] + x[l + o - 1, r, c] * w[1] + x[l + o - 1, r, c + 1] * w[2]
                    + x[l + o - 1, r + 1, c] * w[2]
            };
            if o == 2 { y[l, r, c] = Z[l, r, c, o]; }
        }
        map where T == f32 {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, rw);
            tile rw by 2 as (rx, ri);
            tile l by 32 as (lb, li);
            blocks (lb, rb, cb);
            warps (rx);
            space_time (ci, li, ri, o) -> (s, t, u, k) = [[1, 0, 0, 0],
                                                          [0, 1, 0, 1],
                                                          [0, 0, 1, 0],
                                                          [0, 0, 0, -1]];
            lanes s fold 4;
            unroll (u, k);
            resident 24;
        }
        map where T == f64 {
            tile c by 64 as (cb, ci);
            tile r by 16 as (rb, rw);
            tile rw by 4 as (rx, ri);
            tile l by 64 as (lb, li);
            blocks (lb, rb, cb);
            warps (rx);
            space_time (ci, li, ri, o) -> (s, t, u, k) = [[1, 0, 0, 0],
                                                          [0, 1, 0, 1],
                                                          [0, 0, 1, 0],
                                                          [0, 0, 0, -1]];
            lanes s fold 2;
            unroll (u, k);
            resident 16;
        }
    }
}
