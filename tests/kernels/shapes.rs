// Ranks, sizes, bounds and constants of every form.

use systolic::systolic;

systolic! {
    /// One dimension, read backwards.
    pub kernel backwards(x: [i64; N]) -> (y: [i64; N]) {
        for i in 0..N { y[i] = x[N - 1 - i]; }
    }

    /// Two dimensions, exchanged.
    pub kernel transpose(x: [u8; R, C]) -> (y: [u8; C, R]) {
        for r in 0..R, c in 0..C { y[c, r] = x[r, c]; }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            lanes ci;
        }
    }

    /// Three dimensions, rotated.
    pub kernel rotate(x: [f64; A, B, C]) -> (y: [f64; C, A, B]) {
        for a in 0..A, b in 0..B, c in 0..C { y[c, a, b] = x[a, b, c]; }
    }

    /// Four dimensions, reversed.
    pub kernel permute(x: [i32; A, B, C, D]) -> (y: [i32; D, C, B, A]) {
        for a in 0..A, b in 0..B, c in 0..C, d in 0..D { y[d, c, b, a] = x[a, b, c, d]; }
    }

    /// Several outputs of several ranks and types.
    pub kernel statistics(
        x: [i32; R, C],
    ) -> (low: [i32; R], high: [i32; R], total: [i64; R], running: [i64; R, C]) {
        for r in 0..R, c in 0..C {
            L[r, c] = if c == 0 { x[r, c] } else { min(L[r, c - 1], x[r, c]) };
            H[r, c] = if c == 0 { x[r, c] } else { max(H[r, c - 1], x[r, c]) };
            S[r, c] = x[r, c] as i64 + if c == 0 { 0 } else { S[r, c - 1] };
            running[r, c] = S[r, c];
            if c == C - 1 { low[r] = L[r, c]; high[r] = H[r, c]; total[r] = S[r, c]; }
        }
        map {
            tile r by 32 as (rb, ri);
            blocks (rb);
            lanes ri;
        }
    }

    /// A size with a coefficient.
    pub kernel deinterleave(both: [i32; 2 * N]) -> (even: [i32; N], odd: [i32; N]) {
        for i in 0..N { even[i] = both[2 * i]; odd[i] = both[2 * i + 1]; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Several stores to one output.
    pub kernel interleave(first: [i32; N], second: [i32; N]) -> (both: [i32; 2 * N]) {
        for i in 0..N { both[2 * i] = first[i]; both[2 * i + 1] = second[i]; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// An output of the sum of two sizes.
    pub kernel concatenate(first: [i32; N], second: [i32; M]) -> (both: [i32; N + M]) {
        for i in 0..N + M { both[i] = if i < N { first[i] } else { second[i - N] }; }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// A size that is known only after a later parameter has given another one.
    pub kernel split(both: [i32; N + M], first: [i32; N]) -> (sum: [i32; N], rest: [i32; M]) {
        for i in 0..N + M {
            if i < N { sum[i] = both[i] + first[i]; }
            if i >= N { rest[i - N] = both[i]; }
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// A size with a coefficient and a constant; the output is every third element.
    pub kernel thirds(x: [i32; 3 * N + 1]) -> (y: [i32; N], last: [i32; 1]) {
        for i in 0..N {
            y[i] = x[3 * i];
            if i == N - 1 { last[0] = x[3 * i + 3]; }
        }
    }

    /// An output larger than its input.
    pub kernel spread(x: [i32; N]) -> (y: [i32; 3 * N - 2]) {
        for i in 0..N {
            y[3 * i] = x[i];
            if i < N - 1 { y[3 * i + 1] = 0; y[3 * i + 2] = -x[i + 1]; }
        }
    }

    /// A size that is a parameter and a dimension.
    pub kernel repeat(x: [f32; N], times: size) -> (y: [f32; times, N]) {
        for t in 0..times, i in 0..N { y[t, i] = x[i]; }
        map {
            tile i by 32 as (ib, ii);
            blocks (t, ib);
            lanes ii;
        }
    }

    /// A size that is a parameter and a bound.
    pub kernel iterate(x: [f32; N], a: f32, steps: size) -> (y: [f32; N]) {
        for i in 0..N, t in 0..steps {
            V[i, t] = a * if t == 0 { x[i] } else { V[i, t - 1] };
            if t == steps - 1 { y[i] = V[i, t]; }
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Legal only for sizes that satisfy the conditions.
    pub kernel quarters(x: [i32; R, C]) -> (y: [i32; R, C]) where R % 4 == 0, 3 <= C {
        for r in 0..R, c in 0..C {
            y[r, c] = x[r, 2] + if r % 4 == 3 { x[r, c] } else { x[r + 1, c] };
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (r, cb);
            lanes ci;
        }
    }

    /// One size bounds another.
    pub kernel shorter(long: [i32; N], short: [i32; M]) -> (sum: [i32; M]) where M <= N {
        for j in 0..M { sum[j] = long[j] + short[j]; }
        map {
            tile j by 32 as (jb, ji);
            blocks (jb);
            lanes ji;
        }
    }

    /// A condition on generics drops instances.
    pub kernel squares<const P: usize in [2, 3], const Q: usize in [2, 3]>(
        x: [i32; N],
        w: const [i32; P, Q],
    ) -> (y: [i32; N]) where P == Q {
        for i in 0..N { y[i] = x[i] * w[P - 1, Q - 1] + w[0, Q - 1]; }
    }

    /// Loops below the diagonal.
    pub kernel prefixes(x: [i64; N]) -> (y: [i64; N]) {
        for i in 0..N, j in 0..i + 1 {
            S[i, j] = x[j] + if j == 0 { 0 } else { S[i, j - 1] };
            if j == i { y[i] = S[i, j]; }
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Loops above the diagonal.
    pub kernel suffixes(x: [i64; N]) -> (y: [i64; N]) {
        for i in 0..N, j in i..N {
            S[i, j] = x[j] + if j == i { 0 } else { S[i, j - 1] };
            if j == N - 1 { y[i] = S[i, j]; }
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Loops along the diagonal, from below zero.
    pub kernel band(x: [i32; N] border zero) -> (y: [i32; N]) {
        for i in 0..N, j in i - 1..i + 2 {
            S[i, j] = x[j] + if j == i - 1 { 0 } else { S[i, j - 1] };
            if j == i + 1 { y[i] = S[i, j]; }
        }
    }

    /// A loop from below zero to above it, and a constant parameter with a computed dimension.
    pub kernel centred<const K: usize in [1, 3]>(
        x: [f32; N] border zero,
        w: const [f32; 2 * K + 1],
    ) -> (y: [f32; N]) {
        for i in 0..N, k in -K..K + 1 {
            Z[i, k] = x[i + k] * w[k + K] + if k == -K { 0.0 } else { Z[i, k - 1] };
            if k == K { y[i] = Z[i, k]; }
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// A loop that starts below zero and grows with a size.
    pub kernel warm_up(x: [f32; N], a: f32) -> (y: [f32; N]) {
        for n in -4..N {
            S[n] = a + 0.5 * if n == -4 { 1.0 } else { S[n - 1] };
            if n >= 0 { y[n] = S[n] * x[n]; }
        }
    }

    /// Constants of the body: a number, a row, a table.
    pub kernel constants(x: [i32; N]) -> (y: [i32; N], z: [f32; N]) {
        const OFFSET: i32 = -7;
        const ROW: [f32; 3] = [0.25, -0.5, 1e-3];
        const TABLE: [i32; 2, 3] = [[1, -2, 3], [40, 50, -60]];
        for i in 0..N, p in 0..2, q in 0..3 {
            Y[i, p, q] = x[i] * TABLE[p, q]
                + if q > 0 { Y[i, p, q - 1] } else if p > 0 { Y[i, p - 1, q + 2] } else { OFFSET };
            Z[i, p, q] = ROW[q] + if q > 0 { Z[i, p, q - 1] } else { ROW[2] * x[i] as f32 };
            if p == 1 && q == 2 { y[i] = Y[i, p, q]; z[i] = Z[i, p, q]; }
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// Parameters and loops that are not used.
    pub kernel unused(
        x: [f32; N],
        ignored: [f32; M, 2],
        w: const [f32; 2],
        a: f32,
        times: size,
    ) -> (y: [f32; N]) {
        for i in 0..N, j in 0..2 {
            if j == 1 { y[i] = x[i]; }
        }
    }

    /// Constant dimensions.
    pub kernel fixed(grid: [i32; 4, 3]) -> (y: [i32; 12]) {
        for i in 0..4, j in 0..3 { y[3 * i + j] = grid[i, j]; }
    }

    /// Only a size parameter.
    pub kernel naturals(n: size) -> (y: [u32; n]) {
        for i in 0..n { y[i] = i as u32; }
    }

    /// No parameters.
    pub kernel evens() -> (y: [u32; 5]) {
        for i in 0..5 { y[i] = 2 * i as u32; }
    }
}
