// Hidden Markov models, without a map: the likeliest states, and sums over all paths.

use systolic::systolic;

systolic! {
    /// Viterbi's algorithm for three states, in logarithms: `step[p, q]` leads from state `p` to `q`. The score of the best path that
    /// ends in every state, and for every letter and state which state came before it on that path: the first one of equals.
    pub kernel viterbi(
        x: [u8; K, T], first: const [f32; 3], step: const [f32; 3, 3], emit: const [f32; 3, 4] border clamp,
    ) -> (score: [f32; K, 3], back: [u8; K, T, 3]) {
        for k in 0..K, t in 0..T {
            X[k, t] = x[k, t];
            A0[k, t] = if t == 0 { first[0] } else { A[k, t - 1] + step[0, 0] };
            A1[k, t] = if t == 0 { first[0] } else { B[k, t - 1] + step[1, 0] };
            A2[k, t] = if t == 0 { first[0] } else { C[k, t - 1] + step[2, 0] };
            A[k, t] = max(A0[k, t], A1[k, t], A2[k, t]) + emit[0, X[k, t]];
            B0[k, t] = if t == 0 { first[1] } else { A[k, t - 1] + step[0, 1] };
            B1[k, t] = if t == 0 { first[1] } else { B[k, t - 1] + step[1, 1] };
            B2[k, t] = if t == 0 { first[1] } else { C[k, t - 1] + step[2, 1] };
            B[k, t] = max(B0[k, t], B1[k, t], B2[k, t]) + emit[1, X[k, t]];
            C0[k, t] = if t == 0 { first[2] } else { A[k, t - 1] + step[0, 2] };
            C1[k, t] = if t == 0 { first[2] } else { B[k, t - 1] + step[1, 2] };
            C2[k, t] = if t == 0 { first[2] } else { C[k, t - 1] + step[2, 2] };
            C[k, t] = max(C0[k, t], C1[k, t], C2[k, t]) + emit[2, X[k, t]];
            back[k, t, 0] = if A0[k, t] >= A1[k, t] && A0[k, t] >= A2[k, t] { 0 } else if A1[k, t] >= A2[k, t] { 1 } else { 2 };
            back[k, t, 1] = if B0[k, t] >= B1[k, t] && B0[k, t] >= B2[k, t] { 0 } else if B1[k, t] >= B2[k, t] { 1 } else { 2 };
            back[k, t, 2] = if C0[k, t] >= C1[k, t] && C0[k, t] >= C2[k, t] { 0 } else if C1[k, t] >= C2[k, t] { 1 } else { 2 };
            if t == T - 1 { score[k, 0] = A[k, t]; score[k, 1] = B[k, t]; score[k, 2] = C[k, t]; }
        }
    }

    /// Viterbi's algorithm for a model whose states follow each other: a letter stays in its state or goes on to the next one. It
    /// begins before the first state and ends in the last one. Row `t` has `t` letters before it, column `s` the states up to `s`;
    /// the directions are those that `systolic::traceback` follows: 1 goes on, 3 stays.
    pub kernel chain(
        x: [u8; K, T], stay: [f32; S], next: [f32; S], emit: [f32; S, L] border clamp,
    ) -> (score: [f32; K], directions: [u8; K, T + 1, S + 1]) {
        for k in 0..K, t in 0..T + 1, s in 0..S + 1 {
            P[k, t, s] = if t == 0 || s == 0 { -1e30 } else { V[k, t - 1, s] + stay[s - 1] };
            Q[k, t, s] = if t == 0 || s == 0 { -1e30 } else { V[k, t - 1, s - 1] + next[s - 1] };
            V[k, t, s] = if t == 0 && s == 0 { 0.0 } else if t == 0 || s == 0 { -1e30 }
                else { max(P[k, t, s], Q[k, t, s]) + emit[s - 1, x[k, t - 1]] };
            directions[k, t, s] = if t == 0 || s == 0 { 0 } else { if P[k, t, s] > Q[k, t, s] { 3 } else { 1 } };
            if t == T && s == S { score[k] = V[k, t, s]; }
        }
    }

    /// A pair hidden Markov model over a ragged batch: the probability of every read, summed over all ways to align it with its
    /// haplotype. It may begin anywhere.
    pub kernel pairs(
        read: [u8; B, N], err: [f32; B, N], n: [u32; B] in 1..=N,
        hap: [u8; B, M], m: [u32; B] in 1..=M,
        mm: f32, gm: f32, mi: f32, gap: f32,
    ) -> (p: [f32; B]) {
        for k in 0..B, i in 0..n[k], j in 0..m[k] {
            P[k, i, j] = if read[k, i] == hap[k, j] { 1.0 - err[k, i] } else { err[k, i] / 3.0 };
            X[k, i, j] = P[k, i, j] * (
                (if i == 0 || j == 0 { 0.0 }
                 else { mm * X[k, i - 1, j - 1] + gm * Y[k, i - 1, j - 1] + gm * Z[k, i - 1, j - 1] })
                + if i == 0 { 1.0 / m[k] as f32 } else { 0.0 });
            Y[k, i, j] = if i == 0 { 0.0 } else { mi * X[k, i - 1, j] + gap * Y[k, i - 1, j] };
            Z[k, i, j] = if j == 0 { 0.0 } else { mi * X[k, i, j - 1] + gap * Z[k, i, j - 1] };
            S[k, i, j] = if i == n[k] - 1 { X[k, i, j] + Y[k, i, j] + if j == 0 { 0.0 } else { S[k, i, j - 1] } } else { 0.0 };
            if i == n[k] - 1 && j == m[k] - 1 { p[k] = S[k, i, j]; }
        }
    }

    /// The same for one long pair, whose probability would underflow in `f32`.
    pub kernel long_pair(
        read: [u8; N], err: [f64; N], hap: [u8; M], mm: f64, gm: f64, mi: f64, gap: f64,
    ) -> (p: f64) {
        for i in 0..N, j in 0..M {
            P[i, j] = if read[i] == hap[j] { 1.0 - err[i] } else { err[i] / 3.0 };
            X[i, j] = P[i, j] * (
                (if i == 0 || j == 0 { 0.0 } else { mm * X[i - 1, j - 1] + gm * Y[i - 1, j - 1] + gm * Z[i - 1, j - 1] })
                + if i == 0 { 1.0 / M as f64 } else { 0.0 });
            Y[i, j] = if i == 0 { 0.0 } else { mi * X[i - 1, j] + gap * Y[i - 1, j] };
            Z[i, j] = if j == 0 { 0.0 } else { mi * X[i, j - 1] + gap * Z[i, j - 1] };
            S[i, j] = if i == N - 1 { X[i, j] + Y[i, j] + if j == 0 { 0.0 } else { S[i, j - 1] } } else { 0.0 };
            if i == N - 1 && j == M - 1 { p = S[i, j]; }
        }
    }
}
