//! Kernels that can be cut along their leading axes.
#![allow(missing_docs)]
use systolic::systolic;

systolic! {
    pub kernel zero2(x: [f32; R, C] border zero) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c] + 0.3 * x[r, c - 1] + x[r + 2, c] * x[r, c + 1]; }
    }
    pub kernel clamp2(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c - 1] + 0.3 * x[r, c - 2] + x[r + 2, c] * x[r, c + 1]; }
    }
    pub kernel reflect2(x: [f32; R, C] border reflect) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 3, c - 1] + 0.3 * x[r, c - 2] + x[r + 2, c] * x[r, c + 3]; }
    }
    pub kernel symmetric2(x: [f32; R, C] border symmetric) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 3, c - 1] + 0.3 * x[r, c - 2] + x[r + 2, c] * x[r, c + 3]; }
    }
    pub kernel wrap2(x: [f32; R, C] border wrap) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c - 1] + 0.3 * x[r, c - 2] + x[r + 2, c] * x[r, c + 1]; }
    }
    pub kernel constant2(x: [f32; R, C] border constant(7.5)) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c] + 0.3 * x[r, c - 1] + x[r + 2, c] * x[r, c + 1]; }
    }
    pub kernel given2(x: [f64; R, C] border constant(v), v: f64) -> (y: [f64; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r - 1, c] + 0.3 * x[r, c - 1] + x[r + 2, c] * x[r, c + 1]; }
    }
    /// Reads several periods outside of a short axis.
    pub kernel far_reflect(x: [i32; N] border reflect) -> (y: [i32; N]) {
        for n in 0..N { y[n] = x[n - 20] + 3 * x[n] + 5 * x[n + 17]; }
    }
    pub kernel far_symmetric(x: [i32; N] border symmetric) -> (y: [i32; N]) {
        for n in 0..N { y[n] = x[n - 20] + 3 * x[n] + 5 * x[n + 17]; }
    }
    pub kernel far_wrap(x: [i32; N] border wrap) -> (y: [i32; N]) {
        for n in 0..N { y[n] = x[n - 20] + 3 * x[n] + 5 * x[n + 17]; }
    }
    pub kernel far_clamp(x: [i32; N] border clamp) -> (y: [i32; N]) {
        for n in 0..N { y[n] = x[n - 20] + 3 * x[n] + 5 * x[n + 17]; }
    }
    pub kernel far_zero(x: [i32; N] border zero) -> (y: [i32; N]) {
        for n in 0..N { y[n] = x[n - 20] + 3 * x[n] + 5 * x[n + 17]; }
    }
    /// Reads on one side only.
    pub kernel before(x: [i64; N] border clamp) -> (y: [i64; N]) {
        for n in 0..N { y[n] = x[n - 3] - x[n]; }
    }
    /// Fused steps: the loop begins beyond the ends.
    pub kernel smooth<const T: usize in [2, 4]>(x: [i32; N] border symmetric) -> (y: [i32; N]) {
        for t in 0..T + 1, n in t - T..N + T - t {
            U[t, n] = if t == 0 { x[n] } else { U[t - 1, n - 1] + 2 * U[t - 1, n] + U[t - 1, n + 1] };
            if t == T { y[n] = U[t, n]; }
        }
    }
    pub kernel smooth_around<const T: usize in [2, 3]>(x: [f32; N] border wrap) -> (y: [f32; N]) {
        for t in 0..T + 1, n in t - T..N + T - t {
            U[t, n] = if t == 0 { x[n] } else { 0.3 * U[t - 1, n - 1] + 0.4 * U[t - 1, n] + 0.3 * U[t - 1, n + 1] };
            if t == T { y[n] = U[t, n]; }
        }
    }
    pub kernel jacobi<const T: usize in [3]>(x: [f32; R, C] border reflect) -> (y: [f32; R, C]) {
        for t in 0..T + 1, r in t - T..R + T - t, c in t - T..C + T - t {
            U[t, r, c] = if t == 0 { x[r, c] } else {
                0.25 * (U[t - 1, r - 1, c] + U[t - 1, r + 1, c] + U[t - 1, r, c - 1] + U[t - 1, r, c + 1])
            };
            if t == T { y[r, c] = U[t, r, c]; }
        }
    }
    /// A systolic array: inputs stay, sums migrate.
    pub kernel conv1d<const Q: usize in [5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
            W[c, q] = w[q];
            Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 28 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 1], [0, 1]];
            lanes s;
        }
    }
    pub kernel conv2d<const P: usize in [3], const Q: usize in [4]>(x: [f32; R + P - 1, C + Q - 1], w: const [f32; P, Q])
    -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            Z[r, c, p, q] = x[r + p, c + q] * w[p, q] + if q > 0 { Z[r, c, p, q - 1] } else {
                if p > 0 { Z[r, c, p - 1, Q - 1 + q] } else { 0.0 }
            };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
        }
    }
    /// Two elements per iteration.
    pub kernel pairs(both: [i32; 2 * N], first: [i32; N]) -> (sum: [i32; N]) {
        for n in 0..N { sum[n] = both[2 * n] * both[2 * n + 1] + first[n]; }
    }
    pub kernel shrink(x: [f32; 3 * R, 2 * C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[3 * r - 2, 2 * c] + x[3 * r + 4, 2 * c + 3]; }
    }
    /// Two stores per iteration.
    pub kernel stretch(x: [i32; N] border clamp) -> (y: [i32; 2 * N]) {
        for n in 0..N { y[2 * n] = x[n]; y[2 * n + 1] = x[n] + x[n + 1]; }
    }
    /// The output is shorter, or longer, than the input.
    pub kernel differences(x: [i32; N + 1]) -> (y: [i32; N]) {
        for n in 0..N { y[n] = x[n + 1] - x[n]; }
    }
    pub kernel edges(x: [i32; N], z: [i32; N] border zero) -> (y: [i32; N], s: [i32; N]) {
        for n in 0..N {
            y[n] = if n == 0 { -x[n] } else { x[n] - x[n - 1] };
            s[n] = if n >= N - 2 { z[n + 1] - 7 } else { x[n + 2] * z[n - 1] };
        }
    }
    pub kernel chequered(x: [f32; R, C] border clamp) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = if r % 2 == 0 { x[r - 1, c] } else { if c % 3 == 1 { x[r, c + 1] } else { x[r + 1, c] } };
        }
    }
    /// A scan along rows: columns carry a value, rows do not.
    pub kernel scan_rows(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            y[r, c] = S[r, c];
        }
    }
    pub kernel row_sums(x: [f64; R, C], w: [f64; C]) -> (y: [f64; R]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] * w[c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            if c == C - 1 { y[r] = S[r, c]; }
        }
    }
    pub kernel product(a: [f32; I, K], b: [f32; K, J]) -> (c: [f32; I, J]) {
        for i in 0..I, j in 0..J, k in 0..K {
            S[i, j, k] = a[i, k] * b[k, j] + if k == 0 { 0.0 } else { S[i, j, k - 1] };
            if k == K - 1 { c[i, j] = S[i, j, k]; }
        }
    }
    pub kernel bias(x: [f32; R, C] border clamp, row: [f32; C] border zero, column: [f32; R]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = x[r + 1, c] * row[c - 1] + column[r]; }
    }
    pub kernel recolour(x: [u8; R, C], table: const [u8; 4] border constant(9)) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = table[x[r, c]]; }
    }
    pub kernel lookup(x: [f32; N] border clamp, at: [i64; M]) -> (y: [f32; M]) {
        for m in 0..M { y[m] = x[at[m]]; }
    }
    pub kernel items(x: [i32; B, N], n: [u32; B] in 0..=N) -> (y: [i32; B, N] rest -1, total: [i32; B] rest 0) {
        for k in 0..B, i in 0..n[k] {
            S[k, i] = x[k, i] + if i == 0 { 0 } else { S[k, i - 1] };
            y[k, i] = S[k, i];
            if i == n[k] - 1 { total[k] = S[k, i]; }
        }
    }
    /// Alignment scores of a batch.
    pub kernel align(a: [u8; B, N], b: [u8; B, M]) -> (best: [i32; B]) {
        for k in 0..B, i in 0..N, j in 0..M {
            H[k, i, j] = max(
                if i == 0 || j == 0 { 0 } else { H[k, i - 1, j - 1] } + if a[k, i] == b[k, j] { 2 } else { -1 },
                if i == 0 { 0 } else { H[k, i - 1, j] } - 1,
                if j == 0 { 0 } else { H[k, i, j - 1] } - 1,
                0
            );
            T[k, i, j] = max(H[k, i, j], if j > 0 { T[k, i, j - 1] } else { 0 }, if i > 0 { T[k, i - 1, j] } else { 0 });
            if i == N - 1 && j == M - 1 { best[k] = T[k, i, j]; }
        }
    }
    pub kernel clamp3(x: [f32; D, R, C] border clamp) -> (y: [f32; D, R, C]) {
        for d in 0..D, r in 0..R, c in 0..C {
            y[d, r, c] = x[d - 1, r, c] + x[d + 1, r, c] - 0.5 * (x[d, r - 1, c] + x[d, r + 1, c]) + x[d, r, c - 1] * x[d, r, c + 1];
        }
    }
    pub kernel wrap3(x: [f32; D, R, C] border wrap) -> (y: [f32; D, R, C]) {
        for d in 0..D, r in 0..R, c in 0..C {
            y[d, r, c] = x[d - 1, r, c] + x[d + 1, r, c] - 0.5 * (x[d, r - 2, c] + x[d, r + 1, c]) + x[d, r, c - 1] * x[d, r, c + 1];
        }
    }
    pub kernel zero3(x: [i64; D, R, C] border zero) -> (y: [i64; D, R, C]) {
        for d in 0..D, r in 0..R, c in 0..C {
            y[d, r, c] = x[d - 1, r - 1, c] + 2 * x[d + 1, r + 1, c + 1] - x[d, r, c - 1];
        }
    }
    pub kernel symmetric3(x: [f64; D, R, C] border symmetric) -> (y: [f64; D, R, C]) {
        for d in 0..D, r in 0..R, c in 0..C { y[d, r, c] = x[d - 2, r + 1, c] * x[d + 1, r - 2, c - 2]; }
    }
    /// Two borders at once: one input goes around, the other is mirrored.
    pub kernel both_borders(x: [f32; N] border wrap, z: [f32; N] border reflect) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[n - 2] * z[n + 3] + x[n + 1] - z[n - 1]; }
    }
    pub kernel mixed(x: [f32; N] border clamp, z: [i16; N] border zero) -> (y: [f32; N], small: [bool; N]) {
        for n in 0..N {
            y[n] = x[n - 2] * z[n + 3] as f32;
            small[n] = z[n - 1] < 3;
        }
    }
    /// A chain of several variables, each one step further.
    pub kernel chain(x: [i32; N + 6]) -> (y: [i32; N]) {
        for n in 0..N + 4 {
            A[n] = x[n] + 3 * x[n + 2];
            B[n] = if n < 2 { 0 } else { A[n - 1] * 2 + A[n - 2] };
            if n >= 2 && n < N + 2 { y[n - 2] = B[n] - A[n]; }
        }
    }
    pub kernel halves<type T in [f16, bf16]>(x: [T; R, C] border reflect, a: T) -> (y: [T; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = a * x[r - 1, c + 1] + x[r + 1, c - 1]; }
    }
    pub kernel median(x: [u8; R, C] border symmetric) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = max(min(x[r - 1, c], x[r, c]), min(max(x[r - 1, c], x[r, c]), x[r + 1, c]));
        }
    }
    /// Both a guard at every end and a border.
    pub kernel sides(x: [f32; R, C] border symmetric) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = if r < 3 && c != 0 { x[r - 2, c - 1] } else {
                if R - r <= 2 || c == C - 1 { 2.0 * x[r + 2, c] } else { x[r, c] - x[r - 1, c + 1] }
            };
        }
    }
}
