//! Steps of Jacobi's method fused into one pass, zero outside.
use systolic::systolic;

systolic! {
    /// `T` steps: every cell becomes a multiple of the sum of its four neighbours.
    pub kernel jacobi2d<const T: usize in [2, 4, 8]>(x: [f32; R, C], a: f32) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C, t in 0..T + 1 {
            U[r, c, t] = if t == 0 { x[r, c] } else {
                (if r == 0 { 0.0 } else { U[r - 1, c, t - 1] }) * a
                    + (if r == R - 1 { 0.0 } else { U[r + 1, c, t - 1] }) * a
                    + (if c == 0 { 0.0 } else { U[r, c - 1, t - 1] }) * a
                    + (if c == C - 1 { 0.0 } else { U[r, c + 1, t - 1] }) * a
            };
            if t == T { y[r, c] = U[r, c, t]; }
        }
        map where T < 4 {
            tile c by 120 as (cb, ci);
            tile r by 60 as (rb, ri);
            blocks (rb, cb);
            overlap c by 4;
            overlap r by T;
            space_time (ci, ri, t) -> (s, u, v) = [[1, 0, 0],
                                                   [0, 1, 1],
                                                   [0, 0, 1]];
            lanes s fold 4;
            unroll (v);
            resident 12;
            ahead 10;
        }
        map where T == 4 {
            tile c by 120 as (cb, ci);
            tile r by 274 as (rb, ri);
            blocks (rb, cb);
            overlap c by 4;
            overlap r by T;
            space_time (ci, ri, t) -> (s, u, v) = [[1, 0, 0],
                                                   [0, 1, 1],
                                                   [0, 0, 1]];
            lanes s fold 4;
            unroll (v);
            resident 16;
            ahead 4;
        }
        map where T > 4 {
            tile c by 112 as (cb, ci);
            tile r by 391 as (rb, ri);
            blocks (rb, cb);
            overlap c by 8;
            overlap r by T;
            space_time (ci, ri, t) -> (s, u, v) = [[1, 0, 0],
                                                   [0, 1, 1],
                                                   [0, 0, 1]];
            lanes s fold 4;
            unroll (v);
            resident 12;
            ahead 6;
        }
    }
}
