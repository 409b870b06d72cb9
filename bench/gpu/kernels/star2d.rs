//! Stars in two dimensions, summed row by row, with direct reads of all neighbours. Weights are numbered from the
//! centre, ring by ring.
use systolic::systolic;

systolic! {
    /// 2d5pt: a star of order 1.
    pub kernel star5<type T in [f32, f64]>(x: [T; R, C] border clamp, w: const [T; 5]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r - 1, c] * w[1]
                + x[r, c - 1] * w[3] + x[r, c] * w[0] + x[r, c + 1] * w[4]
                + x[r + 1, c] * w[2];
        }
        map where T == f32 {
            tile c by 128 as (cb, ci);
            tile r by 16 as (rb, rw);
            tile rw by 4 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 4;
            unroll (t);
        }
        map where T == f64 {
            tile c by 64 as (cb, ci);
            tile r by 24 as (rb, rw);
            tile rw by 6 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 2;
            unroll (t);
        }
    }

    /// 2d9pt: a star of order 2.
    pub kernel star9<type T in [f32, f64]>(x: [T; R, C] border clamp, w: const [T; 9]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r - 2, c] * w[5] + x[r - 1, c] * w[1]
                + x[r, c - 2] * w[7] + x[r, c - 1] * w[3] + x[r, c] * w[0] + x[r, c + 1] * w[4] + x[r, c + 2] * w[8]
                + x[r + 1, c] * w[2] + x[r + 2, c] * w[6];
        }
        map where T == f32 {
            tile c by 128 as (cb, ci);
            tile r by 16 as (rb, rw);
            tile rw by 4 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 4;
            unroll (t);
        }
        map where T == f64 {
            tile c by 64 as (cb, ci);
            tile r by 16 as (rb, rw);
            tile rw by 4 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 2;
            unroll (t);
            resident 24;
        }
    }

    /// 2d13pt: a star of order 3.
    pub kernel star13<type T in [f32, f64]>(x: [T; R, C] border clamp, w: const [T; 13]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r - 3, c] * w[9] + x[r - 2, c] * w[5] + x[r - 1, c] * w[1]
                + x[r, c - 3] * w[11] + x[r, c - 2] * w[7] + x[r, c - 1] * w[3] + x[r, c] * w[0] + x[r, c + 1] * w[4]
                + x[r, c + 2] * w[8] + x[r, c + 3] * w[12]
                + x[r + 1, c] * w[2] + x[r + 2, c] * w[6] + x[r + 3, c] * w[10];
        }
        map where T == f32 {
            tile c by 128 as (cb, ci);
            tile r by 16 as (rb, rw);
            tile rw by 4 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 4;
            unroll (t);
            resident 24;
        }
        map where T == f64 {
            tile c by 64 as (cb, ci);
            tile r by 28 as (rb, rw);
            tile rw by 7 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 2;
            unroll (t);
            resident 20;
        }
    }

    /// 2d17pt: a star of order 4.
    pub kernel star17<type T in [f32, f64]>(x: [T; R, C] border clamp, w: const [T; 17]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r - 4, c] * w[13] + x[r - 3, c] * w[9] + x[r - 2, c] * w[5] + x[r - 1, c] * w[1]
                + x[r, c - 4] * w[15] + x[r, c - 3] * w[11] + x[r, c - 2] * w[7] + x[r, c - 1] * w[3] + x[r, c] * w[0]
                + x[r, c + 1] * w[4] + x[r, c + 2] * w[8] + x[r, c + 3] * w[12] + x[r, c + 4] * w[16]
                + x[r + 1, c] * w[2] + x[r + 2, c] * w[6] + x[r + 3, c] * w[10] + x[r + 4, c] * w[14];
        }
        map where T == f32 {
            tile c by 128 as (cb, ci);
            tile r by 32 as (rb, rw);
            tile rw by 8 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 4;
            unroll (t);
            resident 20;
        }
        map where T == f64 {
            tile c by 64 as (cb, ci);
            tile r by 32 as (rb, rw);
            tile rw by 8 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 2;
            unroll (t);
            resident 16;
        }
    }

    /// 2d21pt: a star of order 5.
    pub kernel star21<type T in [f32, f64]>(x: [T; R, C] border clamp, w: const [T; 21]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r - 5, c] * w[17] + x[r - 4, c] * w[13] + x[r - 3, c] * w[9] + x[r - 2, c] * w[5] + x[r - 1, c] * w[1]
                + x[r, c - 5] * w[19] + x[r, c - 4] * w[15] + x[r, c - 3] * w[11] + x[r, c - 2] * w[7] + x[r, c - 1] * w[3]
                + x[r, c] * w[0] + x[r, c + 1] * w[4] + x[r, c + 2] * w[8] + x[r, c + 3] * w[12] + x[r, c + 4] * w[16]
                + x[r, c + 5] * w[20]
                + x[r + 1, c] * w[2] + x[r + 2, c] * w[6] + x[r + 3, c] * w[10] + x[r + 4, c] * w[14] + x[r + 5, c] * w[18];
        }
        map where T == f32 {
            tile c by 128 as (cb, ci);
            tile r by 28 as (rb, rw);
            tile rw by 7 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 4;
            unroll (t);
            resident 20;
        }
        map where T == f64 {
            tile c by 64 as (cb, ci);
            tile r by 28 as (rb, rw);
            tile rw by 7 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 2;
            unroll (t);
            resident 16;
        }
    }

    /// 2ds25pt: a star of order 6.
    pub kernel star25<type T in [f32, f64]>(x: [T; R, C] border clamp, w: const [T; 25]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r - 6, c] * w[21] + x[r - 5, c] * w[17] + x[r - 4, c] * w[13] + x[r - 3, c] * w[9] + x[r - 2, c] * w[5]
                + x[r - 1, c] * w[1]
                + x[r, c - 6] * w[23] + x[r, c - 5] * w[19] + x[r, c - 4] * w[15] + x[r, c - 3] * w[11] + x[r, c - 2] * w[7]
                + x[r, c - 1] * w[3] + x[r, c] * w[0] + x[r, c + 1] * w[4] + x[r, c + 2] * w[8] + x[r, c + 3] * w[12]
                + x[r, c + 4] * w[16] + x[r, c + 5] * w[20] + x[r, c + 6] * w[24]
                + x[r + 1, c] * w[2] + x[r + 2, c] * w[6] + x[r + 3, c] * w[10] + x[r + 4, c] * w[14] + x[r + 5, c] * w[18]
                + x[r + 6, c] * w[22];
        }
        map where T == f32 {
            tile c by 128 as (cb, ci);
            tile r by 28 as (rb, rw);
            tile rw by 7 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 4;
            unroll (t);
            resident 16;
        }
        map where T == f64 {
            tile c by 64 as (cb, ci);
            tile r by 40 as (rb, rw);
            tile rw by 10 as (rx, ri);
            blocks (rb, cb);
            warps (rx);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 2;
            unroll (t);
            resident 12;
        }
    }
}
