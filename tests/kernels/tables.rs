// Arrays that are read at indices which are values: tables, gathers, score matrices.

use systolic::systolic;

systolic! {
    /// An element for every index of a list; the nearest one outside.
    pub kernel gather<type I in [u8, i16, i32, u64, i64]>(x: [f32; N] border clamp, at: [I; M]) -> (y: [f32; M]) {
        for m in 0..M { y[m] = x[at[m]]; }
    }

    /// The same with a border that repeats the array, in two dimensions.
    pub kernel gather2d(x: [i32; R, C] border wrap, r: [i32; M], c: [i32; M]) -> (y: [i32; M]) {
        for m in 0..M { y[m] = x[r[m], c[m]]; }
    }

    /// A table for bytes, passed by value.
    pub kernel recolour(x: [u8; R, C], table: const [u8; 256] border zero) -> (y: [u8; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = table[x[r, c]]; }
    }

    /// A table of the body, which has fewer entries than there are indices.
    pub kernel cosines(x: [i32; N]) -> (y: [f32; N]) {
        const QUARTER: [f32; 5] border reflect = [1.0, 0.92387953, 0.70710677, 0.38268343, 0.0];
        for n in 0..N { y[n] = QUARTER[x[n]]; }
    }

    /// A float as an index: NaN counts as 0, and infinity is far outside.
    pub kernel steps(x: [f32; N], table: const [i16; 3, 2] border constant(outside), outside: i16) -> (y: [i16; N]) {
        for n in 0..N { y[n] = table[x[n] as i32, n - 1]; }
    }

    /// Local alignment with affine gaps and any table of scores; the best score.
    pub kernel align(
        a: [u8; N], b: [u8; M], score: const [i32; 4, 4] border constant(-3), open: i32, extend: i32
    ) -> (best: [i32; 1]) {
        for i in 0..N, j in 0..M {
            E[i, j] = if j == 0 { -open } else { max(E[i, j - 1] - extend, H[i, j - 1] - open) };
            F[i, j] = if i == 0 { -open } else { max(F[i - 1, j] - extend, H[i - 1, j] - open) };
            H[i, j] = max(0, E[i, j], F[i, j],
                (if i == 0 || j == 0 { 0 } else { H[i - 1, j - 1] }) + score[a[i], b[j]]);
            R[i, j] = if j == 0 { H[i, j] } else { max(R[i, j - 1], H[i, j]) };
            B[i, j] = if i == 0 { R[i, j] } else { max(B[i - 1, j], R[i, j]) };
            if i == N - 1 && j == M - 1 { best[0] = B[i, j]; }
        }
        map waves {
            tile i by 32 as (ib, ii);
            space_time (ii, j) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
    }

    /// A state machine: the next state depends on the last one and on a letter.
    pub kernel machine(x: [u8; K, N], next: [u8; S, 2] border clamp) -> (y: [u8; K, N]) {
        for k in 0..K, n in 0..N {
            Q[k, n] = next[if n == 0 { 0 } else { Q[k, n - 1] }, x[k, n]];
            y[k, n] = Q[k, n];
        }
    }
}
