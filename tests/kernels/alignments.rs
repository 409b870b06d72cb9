// Alignments with affine gaps and any table of scores: ragged batches and single pairs, without a map. A gap costs `open` for its
// first letter and `extend` for every further one. `E` is the best score that ends in a gap in `a`, `F` in a gap in `b`.

use systolic::systolic;

systolic! {
    /// Smith and Waterman's score and where it ends: at the first of the best cells, row by row.
    pub kernel local<type T in [i16, i32]>(
        a: [u8; B, N], n: [u32; B] in 1..=N,
        b: [u8; B, M], m: [u32; B] in 1..=M,
        score: const [T; 24, 24] border constant(-4), open: T, extend: T,
    ) -> (best: [T; B], row: [u32; B], column: [u32; B]) {
        for k in 0..B, i in 0..n[k], j in 0..m[k] {
            E[k, i, j] = if j == 0 { -open } else { max(E[k, i, j - 1] - extend, H[k, i, j - 1] - open) };
            F[k, i, j] = if i == 0 { -open } else { max(F[k, i - 1, j] - extend, H[k, i - 1, j] - open) };
            H[k, i, j] = max(0, E[k, i, j], F[k, i, j],
                (if i == 0 || j == 0 { 0 } else { H[k, i - 1, j - 1] }) + score[a[k, i], b[k, j]]);
            // The best of the row so far and its column.
            R[k, i, j] = if j == 0 { H[k, i, j] } else { max(R[k, i, j - 1], H[k, i, j]) };
            C[k, i, j] = if j == 0 { 0 } else { if H[k, i, j] > R[k, i, j - 1] { j as u32 } else { C[k, i, j - 1] } };
            // The best of all rows so far, its row and its column.
            G[k, i, j] = if i == 0 { R[k, i, j] } else { max(G[k, i - 1, j], R[k, i, j]) };
            Y[k, i, j] = if i == 0 { 0 } else { if R[k, i, j] > G[k, i - 1, j] { i as u32 } else { Y[k, i - 1, j] } };
            X[k, i, j] = if i == 0 { C[k, i, j] }
                else { if R[k, i, j] > G[k, i - 1, j] { C[k, i, j] } else { X[k, i - 1, j] } };
            if i == n[k] - 1 && j == m[k] - 1 { best[k] = G[k, i, j]; row[k] = Y[k, i, j]; column[k] = X[k, i, j]; }
        }
    }

    /// The same for one pair.
    pub kernel local_pair(
        a: [u8; N], b: [u8; M], score: const [i32; 24, 24] border constant(-4), open: i32, extend: i32,
    ) -> (best: i32, row: u32, column: u32) {
        for i in 0..N, j in 0..M {
            E[i, j] = if j == 0 { -open } else { max(E[i, j - 1] - extend, H[i, j - 1] - open) };
            F[i, j] = if i == 0 { -open } else { max(F[i - 1, j] - extend, H[i - 1, j] - open) };
            H[i, j] = max(0, E[i, j], F[i, j],
                (if i == 0 || j == 0 { 0 } else { H[i - 1, j - 1] }) + score[a[i], b[j]]);
            R[i, j] = if j == 0 { H[i, j] } else { max(R[i, j - 1], H[i, j]) };
            C[i, j] = if j == 0 { 0 } else { if H[i, j] > R[i, j - 1] { j as u32 } else { C[i, j - 1] } };
            G[i, j] = if i == 0 { R[i, j] } else { max(G[i - 1, j], R[i, j]) };
            Y[i, j] = if i == 0 { 0 } else { if R[i, j] > G[i - 1, j] { i as u32 } else { Y[i - 1, j] } };
            X[i, j] = if i == 0 { C[i, j] } else { if R[i, j] > G[i - 1, j] { C[i, j] } else { X[i - 1, j] } };
            if i == N - 1 && j == M - 1 { best = G[i, j]; row = Y[i, j]; column = X[i, j]; }
        }
    }

    /// Needleman and Wunsch's score. Row 0 and column 0 of the table are before the first letters.
    pub kernel global(
        a: [u8; B, N], n: [u32; B] in 0..=N,
        b: [u8; B, M], m: [u32; B] in 0..=M,
        score: const [i32; 24, 24] border constant(-4), open: i32, extend: i32,
    ) -> (total: [i32; B]) {
        for k in 0..B, i in 0..n[k] + 1, j in 0..m[k] + 1 {
            E[k, i, j] = if j == 0 { -1000000 } else { max(E[k, i, j - 1] - extend, H[k, i, j - 1] - open) };
            F[k, i, j] = if i == 0 { -1000000 } else { max(F[k, i - 1, j] - extend, H[k, i - 1, j] - open) };
            H[k, i, j] = if i == 0 && j == 0 { 0 } else if i == 0 { E[k, i, j] } else if j == 0 { F[k, i, j] }
                else { max(H[k, i - 1, j - 1] + score[a[k, i - 1], b[k, j - 1]], E[k, i, j], F[k, i, j]) };
            if i == n[k] && j == m[k] { total[k] = H[k, i, j]; }
        }
    }

    /// The same for one pair.
    pub kernel global_pair(
        a: [u8; N], b: [u8; M], score: const [i32; 24, 24] border constant(-4), open: i32, extend: i32,
    ) -> (total: i32) {
        for i in 0..N + 1, j in 0..M + 1 {
            E[i, j] = if j == 0 { -1000000 } else { max(E[i, j - 1] - extend, H[i, j - 1] - open) };
            F[i, j] = if i == 0 { -1000000 } else { max(F[i - 1, j] - extend, H[i - 1, j] - open) };
            H[i, j] = if i == 0 && j == 0 { 0 } else if i == 0 { E[i, j] } else if j == 0 { F[i, j] }
                else { max(H[i - 1, j - 1] + score[a[i - 1], b[j - 1]], E[i, j], F[i, j]) };
            if i == N && j == M { total = H[i, j]; }
        }
    }

    /// All of `a` anywhere in `b`: what is left of `b` on both sides costs nothing. The score, and the first column where it ends.
    pub kernel semi_global(
        a: [u8; B, N], n: [u32; B] in 0..=N,
        b: [u8; B, M], m: [u32; B] in 0..=M,
        score: const [i32; 24, 24] border constant(-4), open: i32, extend: i32,
    ) -> (best: [i32; B], column: [u32; B]) {
        for k in 0..B, i in 0..n[k] + 1, j in 0..m[k] + 1 {
            E[k, i, j] = if j == 0 { -1000000 } else { max(E[k, i, j - 1] - extend, H[k, i, j - 1] - open) };
            F[k, i, j] = if i == 0 { -1000000 } else { max(F[k, i - 1, j] - extend, H[k, i - 1, j] - open) };
            H[k, i, j] = if i == 0 { 0 } else if j == 0 { F[k, i, j] }
                else { max(H[k, i - 1, j - 1] + score[a[k, i - 1], b[k, j - 1]], E[k, i, j], F[k, i, j]) };
            R[k, i, j] = if j == 0 { H[k, i, j] } else { max(R[k, i, j - 1], H[k, i, j]) };
            C[k, i, j] = if j == 0 { 0 } else { if H[k, i, j] > R[k, i, j - 1] { j as u32 } else { C[k, i, j - 1] } };
            if i == n[k] && j == m[k] { best[k] = R[k, i, j]; column[k] = C[k, i, j]; }
        }
    }

    /// Local alignments with the directions that `systolic::traceback` follows: the score, the cell where it ends, and for every
    /// cell where its scores come from. Cell (i, j) has `i` letters of `a` and `j` of `b` before it.
    pub kernel local_paths(
        a: [u8; B, N], n: [u32; B] in 0..=N,
        b: [u8; B, M], m: [u32; B] in 0..=M,
        score: const [i32; 24, 24] border constant(-4), open: i32, extend: i32,
    ) -> (best: [i32; B], row: [u32; B], column: [u32; B], directions: [u8; B, N + 1, M + 1] rest 0) {
        for k in 0..B, i in 0..n[k] + 1, j in 0..m[k] + 1 {
            E[k, i, j] = if j == 0 { -1000000 } else { max(E[k, i, j - 1] - extend, H[k, i, j - 1] - open) };
            F[k, i, j] = if i == 0 { -1000000 } else { max(F[k, i - 1, j] - extend, H[k, i - 1, j] - open) };
            S[k, i, j] = if i == 0 || j == 0 { 0 } else { H[k, i - 1, j - 1] + score[a[k, i - 1], b[k, j - 1]] };
            H[k, i, j] = max(0, S[k, i, j], E[k, i, j], F[k, i, j]);
            // 0: it begins here; 1: both letters; 2: a gap in `a`; 3: a gap in `b`.
            D[k, i, j] = if i == 0 || j == 0 { 0 } else {
                if H[k, i, j] == 0 { 0 } else if H[k, i, j] == S[k, i, j] { 1 } else if H[k, i, j] == E[k, i, j] { 2 } else { 3 }
            };
            // 4 and 8: the gap goes on instead of beginning here.
            P[k, i, j] = if j == 0 { 0 } else { if E[k, i, j] == H[k, i, j - 1] - open { 0 } else { 4 } };
            Q[k, i, j] = if i == 0 { 0 } else { if F[k, i, j] == H[k, i - 1, j] - open { 0 } else { 8 } };
            directions[k, i, j] = D[k, i, j] + P[k, i, j] + Q[k, i, j];
            R[k, i, j] = if j == 0 { H[k, i, j] } else { max(R[k, i, j - 1], H[k, i, j]) };
            C[k, i, j] = if j == 0 { 0 } else { if H[k, i, j] > R[k, i, j - 1] { j as u32 } else { C[k, i, j - 1] } };
            G[k, i, j] = if i == 0 { R[k, i, j] } else { max(G[k, i - 1, j], R[k, i, j]) };
            Y[k, i, j] = if i == 0 { 0 } else { if R[k, i, j] > G[k, i - 1, j] { i as u32 } else { Y[k, i - 1, j] } };
            X[k, i, j] = if i == 0 { C[k, i, j] }
                else { if R[k, i, j] > G[k, i - 1, j] { C[k, i, j] } else { X[k, i - 1, j] } };
            if i == n[k] && j == m[k] { best[k] = G[k, i, j]; row[k] = Y[k, i, j]; column[k] = X[k, i, j]; }
        }
    }

    /// Global alignments with directions.
    pub kernel global_paths(
        a: [u8; B, N], n: [u32; B] in 0..=N,
        b: [u8; B, M], m: [u32; B] in 0..=M,
        score: const [i32; 24, 24] border constant(-4), open: i32, extend: i32,
    ) -> (total: [i32; B], directions: [u8; B, N + 1, M + 1] rest 0) {
        for k in 0..B, i in 0..n[k] + 1, j in 0..m[k] + 1 {
            E[k, i, j] = if j == 0 { -1000000 } else { max(E[k, i, j - 1] - extend, H[k, i, j - 1] - open) };
            F[k, i, j] = if i == 0 { -1000000 } else { max(F[k, i - 1, j] - extend, H[k, i - 1, j] - open) };
            S[k, i, j] = if i == 0 || j == 0 { 0 } else { H[k, i - 1, j - 1] + score[a[k, i - 1], b[k, j - 1]] };
            H[k, i, j] = if i == 0 && j == 0 { 0 } else if i == 0 { E[k, i, j] } else if j == 0 { F[k, i, j] }
                else { max(S[k, i, j], E[k, i, j], F[k, i, j]) };
            D[k, i, j] = if i == 0 && j == 0 { 0 } else if i == 0 { 2 } else if j == 0 { 3 } else {
                if H[k, i, j] == S[k, i, j] { 1 } else if H[k, i, j] == E[k, i, j] { 2 } else { 3 }
            };
            P[k, i, j] = if j == 0 { 0 } else { if E[k, i, j] == H[k, i, j - 1] - open { 0 } else { 4 } };
            Q[k, i, j] = if i == 0 { 0 } else { if F[k, i, j] == H[k, i - 1, j] - open { 0 } else { 8 } };
            directions[k, i, j] = D[k, i, j] + P[k, i, j] + Q[k, i, j];
            if i == n[k] && j == m[k] { total[k] = H[k, i, j]; }
        }
    }

    /// All of one `a` anywhere in one `b`, with directions; the path ends in the last row.
    pub kernel semi_global_path(
        a: [u8; N], b: [u8; M], score: const [i32; 24, 24] border constant(-4), open: i32, extend: i32,
    ) -> (best: i32, column: u32, directions: [u8; N + 1, M + 1]) {
        for i in 0..N + 1, j in 0..M + 1 {
            E[i, j] = if j == 0 { -1000000 } else { max(E[i, j - 1] - extend, H[i, j - 1] - open) };
            F[i, j] = if i == 0 { -1000000 } else { max(F[i - 1, j] - extend, H[i - 1, j] - open) };
            S[i, j] = if i == 0 || j == 0 { 0 } else { H[i - 1, j - 1] + score[a[i - 1], b[j - 1]] };
            H[i, j] = if i == 0 { 0 } else if j == 0 { F[i, j] } else { max(S[i, j], E[i, j], F[i, j]) };
            D[i, j] = if i == 0 { 0 } else if j == 0 { 3 } else {
                if H[i, j] == S[i, j] { 1 } else if H[i, j] == E[i, j] { 2 } else { 3 }
            };
            P[i, j] = if j == 0 { 0 } else { if E[i, j] == H[i, j - 1] - open { 0 } else { 4 } };
            Q[i, j] = if i == 0 { 0 } else { if F[i, j] == H[i - 1, j] - open { 0 } else { 8 } };
            directions[i, j] = D[i, j] + P[i, j] + Q[i, j];
            R[i, j] = if j == 0 { H[i, j] } else { max(R[i, j - 1], H[i, j]) };
            C[i, j] = if j == 0 { 0 } else { if H[i, j] > R[i, j - 1] { j as u32 } else { C[i, j - 1] } };
            if i == N && j == M { best = R[i, j]; column = C[i, j]; }
        }
    }
}
