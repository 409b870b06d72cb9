// Scans and recurrences along an axis.

use systolic::systolic;

systolic! {
    /// Inclusive sums along every row.
    pub kernel scan_rows(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            y[r, c] = S[r, c];
        }
        map {
            tile r by 32 as (rb, ri);
            blocks (rb);
            space_time (ri, c) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
        map strips {
            tile r by 8 as (rb, ri);
            tile c by 128 as (cb, ci);
            tile ci by 4 as (cl, cr);
            blocks (rb);
            space_time (cl, ri, cr) -> (s, t, u) = [[1, 0, 0],
                                                    [1, 1, 0],
                                                    [0, 0, 1]];
            lanes s;
            unroll (u);
        }
        map walked {
            tile r by 32 as (rb, ri);
            tile c by 4 as (co, ci);
            blocks (rb);
            space_time (ri, co, ci) -> (s, t, u) = [[1, 0, 0],
                                                    [0, 1, 0],
                                                    [0, 0, 1]];
            lanes s;
            unroll (u);
        }
    }

    /// Inclusive sums down every column.
    pub kernel scan_columns(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
            y[r, c] = S[r, c];
        }
        map {
            tile c by 128 as (cb, ci);
            blocks (cb);
            space_time (ci, r) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s fold 4;
        }
    }

    /// Summed-area table.
    pub kernel sat(x: [i32; R, C]) -> (y: [i32; R, C]) {
        for i in 0..R, j in 0..C {
            S[i, j] = x[i, j]
                + (if i == 0 { 0 } else { S[i - 1, j] })
                + (if j == 0 { 0 } else { S[i, j - 1] })
                - (if i == 0 || j == 0 { 0 } else { S[i - 1, j - 1] });
            y[i, j] = S[i, j];
        }
        map {
            tile j by 32 as (jb, ji);
            space_time (ji, i) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
        map strips {
            tile j by 128 as (jb, ji);
            tile ji by 4 as (jl, jr);
            space_time (jl, jr, i) -> (s, t, u) = [[1, 0, 0],
                                                   [1, 0, 1],
                                                   [0, 1, 0]];
            lanes s;
            unroll (u);
        }
    }

    /// Recursive filter of order 1.
    pub kernel iir1(x: [f32; B, N], a: f32) -> (y: [f32; B, N]) {
        for b in 0..B, n in 0..N {
            Y[b, n] = x[b, n] + a * (if n == 0 { 0.0 } else { Y[b, n - 1] });
            y[b, n] = Y[b, n];
        }
        map {
            tile b by 32 as (bb, bi);
            blocks (bb);
            space_time (bi, n) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
        map strips {
            tile b by 8 as (bb, bi);
            tile n by 128 as (nb, ni);
            tile ni by 4 as (nl, nr);
            blocks (bb);
            space_time (nl, bi, nr) -> (s, t, u) = [[1, 0, 0],
                                                    [1, 1, 0],
                                                    [0, 0, 1]];
            lanes s;
            unroll (u);
        }
    }

    /// Recursive filter of order 2.
    pub kernel iir2(x: [f32; B, N], a1: f32, a2: f32) -> (y: [f32; B, N]) {
        for b in 0..B, n in 0..N {
            Y[b, n] = x[b, n] + a1 * (if n < 1 { 0.0 } else { Y[b, n - 1] })
                + a2 * (if n < 2 { 0.0 } else { Y[b, n - 2] });
            y[b, n] = Y[b, n];
        }
        map {
            tile b by 32 as (bb, bi);
            blocks (bb);
            space_time (bi, n) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
        map strips {
            tile b by 8 as (bb, bi);
            tile n by 128 as (nb, ni);
            tile ni by 4 as (nl, nr);
            blocks (bb);
            space_time (nl, bi, nr) -> (s, t, u) = [[1, 0, 0],
                                                    [1, 1, 0],
                                                    [0, 0, 1]];
            lanes s;
            unroll (u);
        }
        map walked {
            tile b by 32 as (bb, bi);
            tile n by 4 as (no, nr);
            blocks (bb);
            space_time (bi, no, nr) -> (s, t, u) = [[1, 0, 0],
                                                    [0, 1, 0],
                                                    [0, 0, 1]];
            lanes s;
            unroll (u);
        }
    }

    /// The largest element so far.
    pub kernel running_max(x: [f32; B, N]) -> (y: [f32; B, N]) {
        for b in 0..B, n in 0..N {
            M[b, n] = if n == 0 { x[b, n] } else { max(M[b, n - 1], x[b, n]) };
            y[b, n] = M[b, n];
        }
        map {
            tile b by 32 as (bb, bi);
            blocks (bb);
            space_time (bi, n) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
        map strips {
            tile b by 8 as (bb, bi);
            tile n by 128 as (nb, ni);
            tile ni by 4 as (nl, nr);
            blocks (bb);
            space_time (nl, bi, nr) -> (s, t, u) = [[1, 0, 0],
                                                    [1, 1, 0],
                                                    [0, 0, 1]];
            lanes s;
            unroll (u);
        }
    }

    /// Horner's rule: a polynomial with coefficients `a` at every `x`.
    pub kernel horner(x: [f64; N], a: [f64; K]) -> (y: [f64; N]) {
        for n in 0..N, k in 0..K {
            P[n, k] = if k == 0 { a[K - 1] } else { P[n, k - 1] * x[n] + a[K - 1 - k] };
            if k == K - 1 { y[n] = P[n, k]; }
        }
        map {
            tile n by 64 as (nb, ni);
            blocks (nb);
            space_time (ni, k) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s fold 2;
        }
    }

    /// Exponential smoothing.
    pub kernel smoothing(x: [f32; B, N], a: f32) -> (y: [f32; B, N]) {
        for b in 0..B, n in 0..N {
            Y[b, n] = if n == 0 { x[b, n] } else { a * x[b, n] + (1.0 - a) * Y[b, n - 1] };
            y[b, n] = Y[b, n];
        }
        map {
            tile b by 32 as (bb, bi);
            blocks (bb);
            space_time (bi, n) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
        map strips {
            tile b by 8 as (bb, bi);
            tile n by 128 as (nb, ni);
            tile ni by 4 as (nl, nr);
            blocks (bb);
            space_time (nl, bi, nr) -> (s, t, u) = [[1, 0, 0],
                                                    [1, 1, 0],
                                                    [0, 0, 1]];
            lanes s;
            unroll (u);
        }
    }
}
