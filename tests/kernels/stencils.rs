// Stencils of chen2019, Table 3.

use systolic::systolic;

systolic! {
    /// 2d5pt: a star of order 1 with one weight for the centre and one for the arms.
    pub kernel star2d5(x: [f32; R, C] border clamp, a: f32, b: f32) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = a * x[r, c] + b * (x[r - 1, c] + x[r + 1, c] + x[r, c - 1] + x[r, c + 1]);
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s;
        }
        map folded {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 4;
        }
    }

    /// 2d5pt with explicit reuse; the domain is extended by the halo so that every read goes back.
    pub kernel star2d5_wires(x: [f32; R, C] border clamp, a: f32, b: f32) -> (y: [f32; R, C]) {
        for r in 0..R + 2, c in 0..C + 2 {
            X[r, c] = x[r - 1, c - 1];
            if r >= 2 && c >= 2 {
                y[r - 2, c - 2] = a * X[r - 1, c - 1]
                    + b * (X[r - 2, c - 1] + X[r, c - 1] + X[r - 1, c - 2] + X[r - 1, c]);
            }
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s;
        }
    }

    /// 2d9pt: a star of order 2, ring by ring.
    pub kernel star2d9<type T in [f32, f64]>(x: [T; R, C] border clamp, w: const [T; 9]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r, c] * w[0]
                + x[r - 1, c] * w[1] + x[r + 1, c] * w[2] + x[r, c - 1] * w[3] + x[r, c + 1] * w[4]
                + x[r - 2, c] * w[5] + x[r + 2, c] * w[6] + x[r, c - 2] * w[7] + x[r, c + 2] * w[8];
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s;
        }
        map folded {
            tile c by 128 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 4;
        }
    }

    /// 2d13pt: a star of order 3, ring by ring.
    pub kernel star2d13<type T in [f32, f64]>(x: [T; R, C] border clamp, w: const [T; 13]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r, c] * w[0]
                + x[r - 1, c] * w[1] + x[r + 1, c] * w[2] + x[r, c - 1] * w[3] + x[r, c + 1] * w[4]
                + x[r - 2, c] * w[5] + x[r + 2, c] * w[6] + x[r, c - 2] * w[7] + x[r, c + 2] * w[8]
                + x[r - 3, c] * w[9] + x[r + 3, c] * w[10] + x[r, c - 3] * w[11] + x[r, c + 3] * w[12];
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s;
        }
    }

    /// 2d17pt: a star of order 4, ring by ring.
    pub kernel star2d17<type T in [f32, f64]>(x: [T; R, C] border clamp, w: const [T; 17]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r, c] * w[0]
                + x[r - 1, c] * w[1] + x[r + 1, c] * w[2] + x[r, c - 1] * w[3] + x[r, c + 1] * w[4]
                + x[r - 2, c] * w[5] + x[r + 2, c] * w[6] + x[r, c - 2] * w[7] + x[r, c + 2] * w[8]
                + x[r - 3, c] * w[9] + x[r + 3, c] * w[10] + x[r, c - 3] * w[11] + x[r, c + 3] * w[12]
                + x[r - 4, c] * w[13] + x[r + 4, c] * w[14] + x[r, c - 4] * w[15] + x[r, c + 4] * w[16];
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s;
        }
    }

    /// 2d21pt: a star of order 5, ring by ring.
    pub kernel star2d21<type T in [f32, f64]>(x: [T; R, C] border clamp, w: const [T; 21]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r, c] * w[0]
                + x[r - 1, c] * w[1] + x[r + 1, c] * w[2] + x[r, c - 1] * w[3] + x[r, c + 1] * w[4]
                + x[r - 2, c] * w[5] + x[r + 2, c] * w[6] + x[r, c - 2] * w[7] + x[r, c + 2] * w[8]
                + x[r - 3, c] * w[9] + x[r + 3, c] * w[10] + x[r, c - 3] * w[11] + x[r, c + 3] * w[12]
                + x[r - 4, c] * w[13] + x[r + 4, c] * w[14] + x[r, c - 4] * w[15] + x[r, c + 4] * w[16]
                + x[r - 5, c] * w[17] + x[r + 5, c] * w[18] + x[r, c - 5] * w[19] + x[r, c + 5] * w[20];
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s;
        }
    }

    /// 2ds25pt: a star of order 6, ring by ring.
    pub kernel star2d25<type T in [f32, f64]>(x: [T; R, C] border clamp, w: const [T; 25]) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r, c] * w[0]
                + x[r - 1, c] * w[1] + x[r + 1, c] * w[2] + x[r, c - 1] * w[3] + x[r, c + 1] * w[4]
                + x[r - 2, c] * w[5] + x[r + 2, c] * w[6] + x[r, c - 2] * w[7] + x[r, c + 2] * w[8]
                + x[r - 3, c] * w[9] + x[r + 3, c] * w[10] + x[r, c - 3] * w[11] + x[r, c + 3] * w[12]
                + x[r - 4, c] * w[13] + x[r + 4, c] * w[14] + x[r, c - 4] * w[15] + x[r, c + 4] * w[16]
                + x[r - 5, c] * w[17] + x[r + 5, c] * w[18] + x[r, c - 5] * w[19] + x[r, c + 5] * w[20]
                + x[r - 6, c] * w[21] + x[r + 6, c] * w[22] + x[r, c - 6] * w[23] + x[r, c + 6] * w[24];
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s;
        }
    }

    /// 2d9-box and 2d64pt, zero outside.
    pub kernel box2d<const P: usize in [3, 8]>(
        x: [f64; R, C] border zero,
        w: const [f64; P, P],
    ) -> (y: [f64; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p - P / 2, c + q - P / 2] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { y[r, c] = Z[r, c, p, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 4 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s;
            unroll (u, v);
        }
        map folded where P == 3 {
            tile c by 128 as (cb, ci);
            tile r by 4 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, v);
        }
    }

    /// 2d9-box, 2d25pt, 2d64pt, 2d81pt and 2d121pt, continued by the nearest element.
    pub kernel box2d_clamp<type T in [f32, f64], const P: usize in [3, 5, 8, 9, 11]>(
        x: [T; R, C] border clamp,
        w: const [T; P, P],
    ) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
            Z[r, c, p, q] = x[r + p - P / 2, c + q - P / 2] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + P - 1] } else { 0.0 };
            if p == P - 1 && q == P - 1 { y[r, c] = Z[r, c, p, q]; }
        }
        map where P <= 9 {
            tile c by 32 as (cb, ci);
            tile r by 4 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) = [[1, 0, 0, 0],
                                                         [0, 1, 1, 0],
                                                         [0, 0, -1, 0],
                                                         [0, 0, 0, 1]];
            lanes s;
            unroll (u, v);
        }
        // The sums of eleven rows and 11 × 11 weights do not fit into registers, so this map goes row by row.
        map where P > 9 {
            tile c by 32 as (cb, ci);
            tile r by 4 as (rb, ri);
            blocks (rb, cb);
            lanes ci;
            unroll (q);
        }
    }

    /// 3d7pt: a star of order 1.
    pub kernel star3d7(x: [f32; L, R, C] border clamp, w: const [f32; 7]) -> (y: [f32; L, R, C]) {
        for l in 0..L, r in 0..R, c in 0..C {
            y[l, r, c] = x[l, r, c] * w[0]
                + x[l - 1, r, c] * w[1] + x[l + 1, r, c] * w[2] + x[l, r - 1, c] * w[3]
                + x[l, r + 1, c] * w[4] + x[l, r, c - 1] * w[5] + x[l, r, c + 1] * w[6];
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 4 as (rb, rw);
            tile l by 8 as (lb, li);
            blocks (lb, rb, cb);
            warps (rw);
            space_time (ci, li) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s;
            stage x in shared at t;
        }
        map folded {
            tile c by 64 as (cb, ci);
            tile r by 4 as (rb, rw);
            tile l by 8 as (lb, li);
            blocks (lb, rb, cb);
            warps (rw);
            space_time (ci, li) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s fold 2;
        }
    }

    /// 3d13pt: a star of order 2, ring by ring.
    pub kernel star3d13<type T in [f32, f64]>(
        x: [T; L, R, C] border clamp,
        w: const [T; 13],
    ) -> (y: [T; L, R, C]) {
        for l in 0..L, r in 0..R, c in 0..C {
            y[l, r, c] = x[l, r, c] * w[0]
                + x[l - 1, r, c] * w[1] + x[l + 1, r, c] * w[2] + x[l, r - 1, c] * w[3]
                + x[l, r + 1, c] * w[4] + x[l, r, c - 1] * w[5] + x[l, r, c + 1] * w[6]
                + x[l - 2, r, c] * w[7] + x[l + 2, r, c] * w[8] + x[l, r - 2, c] * w[9]
                + x[l, r + 2, c] * w[10] + x[l, r, c - 2] * w[11] + x[l, r, c + 2] * w[12];
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 4 as (rb, rw);
            tile l by 8 as (lb, li);
            blocks (lb, rb, cb);
            warps (rw);
            space_time (ci, li) -> (s, t) = [[1, 0],
                                             [0, 1]];
            lanes s;
            stage x in shared at t;
        }
    }

    /// 3d27pt and 3d125pt.
    pub kernel box3d<type T in [f32, f64], const P: usize in [3, 5]>(
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
        map {
            tile c by 32 as (cb, ci);
            tile r by 4 as (rb, ri);
            blocks (l, rb, cb);
            space_time (ci, o, ri, p, q) -> (s, k, t, u, v) = [[1, 0, 0, 0, 0],
                                                               [0, 1, 0, 0, 0],
                                                               [0, 0, 1, 1, 0],
                                                               [0, 0, 0, -1, 0],
                                                               [0, 0, 0, 0, 1]];
            lanes s;
            unroll (u, v);
        }
        map planes where P == 3 {
            tile c by 32 as (cb, ci);
            tile r by 4 as (rb, rw);
            tile l by 8 as (lb, li);
            blocks (lb, rb, cb);
            warps (rw);
            space_time (ci, li, o, p, q) -> (s, t, u, v, k) = [[1, 0, 0, 0, 0],
                                                               [0, 1, 1, 0, 0],
                                                               [0, 0, -1, 0, 0],
                                                               [0, 0, 0, 1, 0],
                                                               [0, 0, 0, 0, 1]];
            lanes s;
            unroll (u, v, k);
        }
    }

    /// The 19 points of a Poisson solver: centre, 6 faces, 12 edges.
    pub kernel poisson(x: [f32; L, R, C] border clamp, a: f32, b: f32, e: f32) -> (y: [f32; L, R, C]) {
        for l in 0..L, r in 0..R, c in 0..C {
            y[l, r, c] = a * x[l, r, c]
                + b * (x[l - 1, r, c] + x[l + 1, r, c] + x[l, r - 1, c]
                     + x[l, r + 1, c] + x[l, r, c - 1] + x[l, r, c + 1])
                + e * (x[l - 1, r - 1, c] + x[l - 1, r + 1, c] + x[l + 1, r - 1, c] + x[l + 1, r + 1, c]
                     + x[l - 1, r, c - 1] + x[l - 1, r, c + 1] + x[l + 1, r, c - 1] + x[l + 1, r, c + 1]
                     + x[l, r - 1, c - 1] + x[l, r - 1, c + 1] + x[l, r + 1, c - 1] + x[l, r + 1, c + 1]);
        }
        map {
            tile c by 32 as (cb, ci);
            tile r by 4 as (rb, rw);
            blocks (rb, cb);
            warps (rw);
            space_time (ci, l) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
    }

    /// `T` fused Jacobi steps, zero outside: every neighbour carries its own guard.
    pub kernel jacobi2d<const T: usize in [2, 4]>(x: [f32; R, C], a: f32) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C, t in 0..T + 1 {
            U[r, c, t] = if t == 0 { x[r, c] } else {
                a * ((if r == 0 { 0.0 } else { U[r - 1, c, t - 1] })
                   + (if r == R - 1 { 0.0 } else { U[r + 1, c, t - 1] })
                   + (if c == 0 { 0.0 } else { U[r, c - 1, t - 1] })
                   + (if c == C - 1 { 0.0 } else { U[r, c + 1, t - 1] }))
            };
            if t == T { y[r, c] = U[r, c, t]; }
        }
        map {
            tile c by 16 as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            overlap c by T;
            overlap r by T;
            space_time (ci, ri, t) -> (s, u, v) = [[1, 0, 0],
                                                   [0, 1, 1],
                                                   [0, 0, 1]];
            lanes s;
            unroll (v);
        }
        map folded {
            tile c by (128 - 2 * T) as (cb, ci);
            tile r by 8 as (rb, ri);
            blocks (rb, cb);
            overlap c by T;
            overlap r by T;
            space_time (ci, ri, t) -> (s, u, v) = [[1, 0, 0],
                                                   [0, 1, 1],
                                                   [0, 0, 1]];
            lanes s fold 4;
            unroll (v);
        }
        map warps {
            tile c by (32 - 2 * T) as (cb, ci);
            tile r by 8 as (rb, rw);
            blocks (rb, cb);
            overlap c by T;
            overlap r by T;
            warps (rw);
            space_time (ci, t) -> (s, v) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
    }
}
