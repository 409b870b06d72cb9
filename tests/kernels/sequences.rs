// Dynamic programming over two sequences.

use systolic::systolic;

systolic! {
    /// Local alignment with affine gaps: the best score and the flat position of its first maximum.
    pub kernel smith_waterman(
        a: [u8; B, N],
        b: [u8; B, M],
        open: i32,
        extend: i32,
        hit: i32,
        miss: i32,
    ) -> (score: [i32; B], end: [i32; B]) {
        for k in 0..B, i in 0..N, j in 0..M {
            A[k, i, j] = if j == 0 { a[k, i] } else { A[k, i, j - 1] };
            T[k, i, j] = if i == 0 { b[k, j] } else { T[k, i - 1, j] };
            E[k, i, j] = if j == 0 { -1000000 } else { max(E[k, i, j - 1] - extend, H[k, i, j - 1] - open) };
            F[k, i, j] = if i == 0 { -1000000 } else { max(F[k, i - 1, j] - extend, H[k, i - 1, j] - open) };
            H[k, i, j] = max(0, E[k, i, j], F[k, i, j],
                (if i == 0 || j == 0 { 0 } else { H[k, i - 1, j - 1] })
                    + if A[k, i, j] == T[k, i, j] { hit } else { miss });
            // best of the row so far, then of the rows above: score and the flat position of its first maximum
            R[k, i, j] = if j == 0 { H[k, i, j] } else { max(R[k, i, j - 1], H[k, i, j]) };
            Q[k, i, j] = if j == 0 { i as i32 * M as i32 }
                else { if H[k, i, j] > R[k, i, j - 1] { i as i32 * M as i32 + j as i32 } else { Q[k, i, j - 1] } };
            G[k, i, j] = if i == 0 { R[k, i, j] } else { max(G[k, i - 1, j], R[k, i, j]) };
            V[k, i, j] = if i == 0 { Q[k, i, j] }
                else { if R[k, i, j] > G[k, i - 1, j] { Q[k, i, j] } else { V[k, i - 1, j] } };
            if i == N - 1 && j == M - 1 { score[k] = G[k, i, j]; end[k] = V[k, i, j]; }
        }
        map {
            tile i by 16 as (ib, ii);
            tile ii by 2 as (il, ir);
            blocks (k);
            space_time (il, ir, j) -> (s, t, u) = [[1, 0, 0],
                                                   [1, 0, 1],
                                                   [0, 1, 0]];
            lanes s;
            unroll (u);
        }
        map strips {
            tile i by 128 as (ib, ii);
            tile ii by 4 as (il, ir);
            blocks (k);
            space_time (il, ir, j) -> (s, t, u) = [[1, 0, 0],
                                                   [1, 0, 1],
                                                   [0, 1, 0]];
            lanes s;
            unroll (u);
        }
    }

    /// Global alignment with linear gaps.
    pub kernel needleman_wunsch(a: [u8; B, N], b: [u8; B, M], gap: i32) -> (score: [i32; B]) {
        for k in 0..B, i in 0..N, j in 0..M {
            H[k, i, j] = max(
                (if i == 0 && j == 0 { 0 }
                 else if i == 0 { -(j as i32) * gap }
                 else if j == 0 { -(i as i32) * gap }
                 else { H[k, i - 1, j - 1] })
                    + if a[k, i] == b[k, j] { 1 } else { -1 },
                (if i == 0 { -(j as i32 + 1) * gap } else { H[k, i - 1, j] }) - gap,
                (if j == 0 { -(i as i32 + 1) * gap } else { H[k, i, j - 1] }) - gap);
            if i == N - 1 && j == M - 1 { score[k] = H[k, i, j]; }
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (k);
            space_time (ii, j) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
        map strips {
            tile i by 128 as (ib, ii);
            tile ii by 4 as (il, ir);
            blocks (k);
            space_time (il, ir, j) -> (s, t, u) = [[1, 0, 0],
                                                   [1, 0, 1],
                                                   [0, 1, 0]];
            lanes s;
            unroll (u);
        }
    }

    /// Length of the longest common subsequence.
    pub kernel lcs(a: [u8; N], b: [u8; M]) -> (l: [i32; 1]) {
        for i in 0..N, j in 0..M {
            L[i, j] = if a[i] == b[j] { 1 + if i == 0 || j == 0 { 0 } else { L[i - 1, j - 1] } }
                else { max(if i == 0 { 0 } else { L[i - 1, j] }, if j == 0 { 0 } else { L[i, j - 1] }) };
            if i == N - 1 && j == M - 1 { l[0] = L[i, j]; }
        }
        map {
            tile i by 32 as (ib, ii);
            space_time (ii, j) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
        map strips {
            tile i by 128 as (ib, ii);
            tile ii by 4 as (il, ir);
            space_time (il, ir, j) -> (s, t, u) = [[1, 0, 0],
                                                   [1, 0, 1],
                                                   [0, 1, 0]];
            lanes s;
            unroll (u);
        }
    }

    /// Levenshtein distance.
    pub kernel edit_distance(a: [u8; N], b: [u8; M]) -> (d: [i32; 1]) {
        for i in 0..N, j in 0..M {
            D[i, j] = min(
                (if i == 0 { j as i32 } else if j == 0 { i as i32 } else { D[i - 1, j - 1] })
                    + if a[i] == b[j] { 0 } else { 1 },
                (if i == 0 { j as i32 + 1 } else { D[i - 1, j] }) + 1,
                (if j == 0 { i as i32 + 1 } else { D[i, j - 1] }) + 1);
            if i == N - 1 && j == M - 1 { d[0] = D[i, j]; }
        }
        map {
            tile i by 32 as (ib, ii);
            space_time (ii, j) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
        map strips {
            tile i by 128 as (ib, ii);
            tile ii by 4 as (il, ir);
            space_time (il, ir, j) -> (s, t, u) = [[1, 0, 0],
                                                   [1, 0, 1],
                                                   [0, 1, 0]];
            lanes s;
            unroll (u);
        }
    }

    /// Dynamic time warping.
    pub kernel dtw(x: [f32; N], y: [f32; M]) -> (d: [f32; 1]) {
        for i in 0..N, j in 0..M {
            D[i, j] = abs(x[i] - y[j])
                + if i == 0 && j == 0 { 0.0 }
                else if i == 0 { D[i, j - 1] }
                else if j == 0 { D[i - 1, j] }
                else { min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1]) };
            if i == N - 1 && j == M - 1 { d[0] = D[i, j]; }
        }
        map {
            tile i by 32 as (ib, ii);
            space_time (ii, j) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
        map strips {
            tile i by 128 as (ib, ii);
            tile ii by 4 as (il, ir);
            space_time (il, ir, j) -> (s, t, u) = [[1, 0, 0],
                                                   [1, 0, 1],
                                                   [0, 1, 0]];
            lanes s;
            unroll (u);
        }
    }

    /// Forward pass of a pair hidden Markov model.
    pub kernel pairhmm(
        read: [u8; B, N],
        err: [f32; B, N],
        hap: [u8; B, M],
        mm: f32,
        gm: f32,
        mi: f32,
        ii_: f32,
    ) -> (p: [f32; B]) {
        for k in 0..B, i in 0..N, j in 0..M {
            P[k, i, j] = if read[k, i] == hap[k, j] { 1.0 - err[k, i] } else { err[k, i] / 3.0 };
            X[k, i, j] = P[k, i, j] * (
                (if i == 0 || j == 0 { 0.0 }
                 else { mm * X[k, i - 1, j - 1] + gm * Y[k, i - 1, j - 1] + gm * Z[k, i - 1, j - 1] })
                + if i == 0 { 1.0 / M as f32 } else { 0.0 });
            Y[k, i, j] = if i == 0 { 0.0 } else { mi * X[k, i - 1, j] + ii_ * Y[k, i - 1, j] };
            Z[k, i, j] = if j == 0 { 0.0 } else { mi * X[k, i, j - 1] + ii_ * Z[k, i, j - 1] };
            S[k, i, j] = if i == N - 1 { X[k, i, j] + Y[k, i, j] + if j == 0 { 0.0 } else { S[k, i, j - 1] } }
                else { 0.0 };
            if i == N - 1 && j == M - 1 { p[k] = S[k, i, j]; }
        }
        map {
            tile i by 64 as (ib, ii);
            tile ii by 2 as (il, ir);
            blocks (k);
            space_time (il, ir, j) -> (s, t, u) = [[1, 0, 0],
                                                   [1, 0, 1],
                                                   [0, 1, 0]];
            lanes s;
            unroll (u);
        }
    }
}
