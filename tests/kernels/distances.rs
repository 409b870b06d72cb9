// Distances of two sequences, without a map: ragged batches and single pairs.

use systolic::systolic;

systolic! {
    /// Levenshtein's distances.
    pub kernel distances(
        a: [u8; B, N], n: [u32; B] in 0..=N,
        b: [u8; B, M], m: [u32; B] in 0..=M,
    ) -> (d: [i32; B]) {
        for k in 0..B, i in 0..n[k] + 1, j in 0..m[k] + 1 {
            D[k, i, j] = if i == 0 { j as i32 } else if j == 0 { i as i32 }
                else { min(D[k, i - 1, j - 1] + if a[k, i - 1] == b[k, j - 1] { 0 } else { 1 }, D[k, i - 1, j] + 1, D[k, i, j - 1] + 1) };
            if i == n[k] && j == m[k] { d[k] = D[k, i, j]; }
        }
    }

    /// Lengths of the longest common subsequences.
    pub kernel subsequences(
        a: [u8; B, N], n: [u32; B] in 0..=N,
        b: [u8; B, M], m: [u32; B] in 0..=M,
    ) -> (l: [u16; B]) {
        for k in 0..B, i in 0..n[k] + 1, j in 0..m[k] + 1 {
            L[k, i, j] = if i == 0 || j == 0 { 0 }
                else { max(L[k, i - 1, j], L[k, i, j - 1], L[k, i - 1, j - 1] + if a[k, i - 1] == b[k, j - 1] { 1 } else { 0 }) };
            if i == n[k] && j == m[k] { l[k] = L[k, i, j]; }
        }
    }

    /// The costs of the cheapest ways to warp one signal into another.
    pub kernel warps(
        x: [f32; B, N], n: [u32; B] in 1..=N,
        y: [f32; B, M], m: [u32; B] in 1..=M,
    ) -> (d: [f32; B]) {
        for k in 0..B, i in 0..n[k], j in 0..m[k] {
            D[k, i, j] = abs(x[k, i] - y[k, j])
                + if i == 0 && j == 0 { 0.0 } else if i == 0 { D[k, i, j - 1] } else if j == 0 { D[k, i - 1, j] }
                else { min(D[k, i - 1, j], D[k, i, j - 1], D[k, i - 1, j - 1]) };
            if i == n[k] - 1 && j == m[k] - 1 { d[k] = D[k, i, j]; }
        }
    }

    /// Levenshtein's distance of one pair.
    pub kernel distance(a: [u8; N], b: [u8; M]) -> (d: i32) {
        for i in 0..N, j in 0..M {
            D[i, j] = min(
                (if i == 0 { j as i32 } else if j == 0 { i as i32 } else { D[i - 1, j - 1] }) + if a[i] == b[j] { 0 } else { 1 },
                (if i == 0 { j as i32 + 1 } else { D[i - 1, j] }) + 1,
                (if j == 0 { i as i32 + 1 } else { D[i, j - 1] }) + 1);
            if i == N - 1 && j == M - 1 { d = D[i, j]; }
        }
    }

    /// The length of the longest common subsequence of one pair.
    pub kernel subsequence(a: [u8; N], b: [u8; M]) -> (l: i32) {
        for i in 0..N, j in 0..M {
            L[i, j] = max(if i == 0 { 0 } else { L[i - 1, j] }, if j == 0 { 0 } else { L[i, j - 1] },
                (if i == 0 || j == 0 { 0 } else { L[i - 1, j - 1] }) + if a[i] == b[j] { 1 } else { 0 });
            if i == N - 1 && j == M - 1 { l = L[i, j]; }
        }
    }

    /// The cost of warping one signal into another.
    pub kernel warp(x: [f32; N], y: [f32; M]) -> (d: f32) {
        for i in 0..N, j in 0..M {
            D[i, j] = abs(x[i] - y[j])
                + if i == 0 && j == 0 { 0.0 } else if i == 0 { D[i, j - 1] } else if j == 0 { D[i - 1, j] }
                else { min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1]) };
            if i == N - 1 && j == M - 1 { d = D[i, j]; }
        }
    }
}
