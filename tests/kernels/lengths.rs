// Ragged batches: items of different lengths in one array, without padding that anything computes.

use systolic::systolic;

systolic! {
    /// The sum of every item.
    #[allow(point_by_point)]
    pub kernel sums(x: [f32; B, N], n: [u32; B] in 1..=N) -> (total: [f32; B]) {
        for k in 0..B, i in 0..n[k] {
            S[k, i] = x[k, i] + if i == 0 { 0.0 } else { S[k, i - 1] };
            if i == n[k] - 1 { total[k] = S[k, i]; }
        }
        map launched { launches (k); tile i by 8 as (ib, ii); space_time (ib, ii) -> (s, t) = [[0, 1], [8, 1]]; lanes s; }
        map in_time { tile i by 8 as (ib, ii); space_time (ib, ii) -> (s, t) = [[0, 1], [8, 1]]; lanes s; }
    }

    /// Every element plus those before it in its item; an item may be empty.
    pub kernel item_prefixes(x: [i32; B, N], n: [u32; B] in 0..=N) -> (y: [i32; B, N] rest -1) {
        for k in 0..B, i in 0..n[k] {
            S[k, i] = x[k, i] + if i == 0 { 0 } else { S[k, i - 1] };
            y[k, i] = S[k, i];
        }
        map { blocks (k); tile i by 32 as (ib, ii); space_time (ib, ii) -> (s, t) = [[0, 1], [32, 1]]; lanes s; }
    }

    /// Every item reversed, and scaled by its length.
    pub kernel reversed(x: [f32; B, N], n: [i64; B] in 0..=N) -> (y: [f32; B, N] rest 0.0) {
        for k in 0..B, i in 0..n[k] { y[k, i] = x[k, n[k] - 1 - i] * n[k] as f32; }
        map tiled { tile i by 64 as (ib, ii); blocks (k, ib); lanes ii fold 2; }
        map fours on gpu { tile i by 128 as (ib, ii); blocks (k, ib); lanes ii fold 4; }
    }

    /// The best local alignment of two sequences per item.
    pub kernel align(
        a: [u8; B, N],
        b: [u8; B, M],
        n: [u32; B] in 1..=N,
        m: [u32; B] in 1..=M,
        hit: i32,
        miss: i32,
        gap: i32,
    ) -> (score: [i32; B]) {
        for k in 0..B, i in 0..n[k], j in 0..m[k] {
            H[k, i, j] = max(
                0,
                (if i == 0 || j == 0 { 0 } else { H[k, i - 1, j - 1] }) + if a[k, i] == b[k, j] { hit } else { -miss },
                (if i == 0 { 0 } else { H[k, i - 1, j] }) - gap,
                (if j == 0 { 0 } else { H[k, i, j - 1] }) - gap,
            );
            T[k, i, j] = max(
                H[k, i, j],
                if i == 0 { 0 } else { T[k, i - 1, j] },
                if j == 0 { 0 } else { T[k, i, j - 1] },
            );
            if i == n[k] - 1 && j == m[k] - 1 { score[k] = T[k, i, j]; }
        }
        map wave {
            tile j by 32 as (jb, ji);
            blocks (k);
            space_time (ji, i) -> (s, t) = [[1, 0], [1, 1]];
            lanes s;
        }
    }

    /// Running sums over items: every item begins with what the one before it left, as far as that reaches.
    #[allow(point_by_point)]
    pub kernel chained(x: [i32; B, N], n: [u32; B] in 1..=N) -> (y: [i32; B, N] rest 0) {
        for k in 0..B, i in 0..n[k] {
            S[k, i] = x[k, i] + if k == 0 || i >= n[k - 1] { 0 } else { S[k - 1, i] };
            y[k, i] = S[k, i];
        }
        map launched { tile i by 32 as (ib, ii); launches (k); blocks (ib); lanes ii; }
        map ordered { tile i by 16 as (ib, ii); blocks (k, ib) in order; lanes ii; }
        map in_time { tile i by 32 as (ib, ii); blocks (ib); lanes ii; }
    }

    /// The sum of a plane per item, whose rows and columns have lengths of two dimensions.
    pub kernel planes(x: [f64; A, B, N], n: [u16; A, B] in 0..=N) -> (y: [f64; A, B] rest 0.5) {
        for a in 0..A, b in 0..B, i in 0..n[a, b], j in 0..i + 1 {
            S[a, b, i, j] = x[a, b, j] + if j == 0 { 0.0 } else { S[a, b, i, j - 1] };
            R[a, b, i, j] = S[a, b, i, j] + if i == 0 || j == i { 0.0 } else { R[a, b, i - 1, j] };
            if i == n[a, b] - 1 && j == i { y[a, b] = R[a, b, i, j]; }
        }
        map { blocks (a, b); tile j by 8 as (jb, ji); space_time (ji, i) -> (s, t) = [[1, 0], [1, 1]]; lanes s; }
    }

    /// At most 32 elements per item, which are the lanes.
    pub kernel short(x: [f32; B, 32], n: [u8; B] in 1..=32) -> (y: [f32; B, 32] rest -0.5) {
        for k in 0..B, i in 0..n[k] { y[k, i] = x[k, i] + 1.0; }
        map { blocks (k); lanes i; }
    }

    /// A border of an output that nothing stores.
    pub kernel framed(x: [f64; N]) -> (y: [f64; N + 2] rest 1.5) {
        for i in 0..N { y[i + 1] = x[i]; }
        map lined { tile i by 64 as (b, p); blocks (b); lanes p fold 2; }
    }
}
