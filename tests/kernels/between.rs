// Values that go from block to block, and from launch to launch.

use systolic::systolic;

systolic! {
    /// The sums of all rectangles that begin in the first corner.
    pub kernel area(x: [i32; R, C]) -> (z: [i32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c]
                + (if r == 0 { 0 } else { S[r - 1, c] })
                + (if c == 0 { 0 } else { S[r, c - 1] })
                - (if r == 0 || c == 0 { 0 } else { S[r - 1, c - 1] });
            z[r, c] = S[r, c];
        }
        map {
            tile r by 16 as (rb, ri); tile c by 32 as (cb, ci);
            blocks (rb, cb) in order;
            space_time (ci, ri) -> (s, t) = [[1, 0], [1, 1]];
            lanes s;
        }
        map columns {
            tile c by 64 as (cb, ci);
            blocks (cb) in order;
            space_time (ci, r) -> (s, t) = [[1, 0], [1, 2]];
            lanes s fold 2;
        }
        map launched {
            tile r by 8 as (rb, ri); tile c by 32 as (cb, ci);
            launches (rb); blocks (cb) in order;
            space_time (ci, ri) -> (s, t) = [[1, 0], [1, 1]];
            lanes s;
        }
        map each {
            tile r by 8 as (rb, ri); tile c by 32 as (cb, ci);
            launches (rb, cb);
            space_time (ci, ri) -> (s, t) = [[1, 0], [1, 1]];
            lanes s;
        }
    }

    /// The cost of the cheapest path that warps one signal into another, and its cost at every end.
    pub kernel warping(x: [f32; N], y: [f32; M]) -> (distance: [f32; 1], ends: [f32; N]) {
        for i in 0..N, j in 0..M {
            D[i, j] = abs(x[i] - y[j]) + (
                if i == 0 && j == 0 { 0.0 } else if i == 0 { D[i, j - 1] } else if j == 0 { D[i - 1, j] }
                else { min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1]) });
            if i == N - 1 && j == M - 1 { distance[0] = D[i, j]; }
            if j == M - 1 { ends[i] = D[i, j]; }
        }
        map {
            tile i by 32 as (ib, ii); tile j by 40 as (jb, jj);
            blocks (ib, jb) in order;
            space_time (ii, jj) -> (s, t) = [[1, 0], [1, 1]];
            lanes s;
        }
    }

    /// Local alignment of one pair with affine gaps: the best score.
    pub kernel align_pair(a: [u8; N], b: [u8; M], hit: i32, miss: i32, open: i32, extend: i32) -> (best: [i32; 1]) {
        for i in 0..N, j in 0..M {
            A[i, j] = if j == 0 { a[i] } else { A[i, j - 1] };
            B[i, j] = if i == 0 { b[j] } else { B[i - 1, j] };
            E[i, j] = if j == 0 { -open } else { max(E[i, j - 1] - extend, H[i, j - 1] - open) };
            F[i, j] = if i == 0 { -open } else { max(F[i - 1, j] - extend, H[i - 1, j] - open) };
            H[i, j] = max(0, E[i, j], F[i, j],
                (if i == 0 || j == 0 { 0 } else { H[i - 1, j - 1] }) + (if A[i, j] == B[i, j] { hit } else { -miss }));
            T[i, j] = max(H[i, j], if j == 0 { 0 } else { T[i, j - 1] },
                if i > 0 && j == M - 1 { T[i - 1, j] } else { 0 });
            if i == N - 1 && j == M - 1 { best[0] = T[i, j]; }
        }
        map {
            tile i by 128 as (ib, ii); tile ii by 4 as (il, ir); tile j by 96 as (jb, jj);
            blocks (ib, jb) in order;
            space_time (il, ir, jj) -> (s, t, u) = [[1, 0, 0], [1, 0, 1], [0, 1, 0]];
            lanes s; unroll (u);
        }
    }

    /// Gaussian elimination without pivots, in place of loops over blocks by hand.
    pub kernel factors(a: [f32; N, N]) -> (lower: [f32; N, N], upper: [f32; N, N]) {
        for k in 0..N, i in k..N, j in k..N {
            A[k, i, j] = if k == 0 { a[i, j] } else { A[k - 1, i, j] - L[k - 1, i, j] * U[k - 1, i, j] };
            U[k, i, j] = if i == k { A[k, i, j] } else { U[k, i - 1, j] };
            L[k, i, j] = if j == k { A[k, i, j] / U[k, i, j] } else { L[k, i, j - 1] };
            if i == k { upper[k, j] = U[k, i, j]; }
            if j == k { lower[i, k] = L[k, i, j]; }
            if i == k && j > k { lower[k, j] = 0.0; }
            if j == k && i > k { upper[i, k] = 0.0; }
        }
        map {
            tile k by 4 as (kb, ki); tile i by 8 as (ib, ii); tile j by 32 as (jb, jj);
            blocks (kb, ib, jb) in order;
            space_time (jj, ki, ii) -> (s, t, u) = [[1, 0, 0], [0, 1, 0], [1, 0, 1]];
            lanes s;
        }
        map launched {
            tile i by 8 as (ib, ii); tile j by 32 as (jb, jj);
            launches (k); blocks (ib, jb) in order;
            space_time (jj, ii) -> (s, t) = [[1, 0], [1, 1]];
            lanes s;
        }
    }

    /// Heat in a rod, any number of steps: four of them fused in a launch.
    pub kernel rod(x: [f32; N], steps: size, a: f32) -> (z: [f32; N]) {
        for t in 0..steps + 1, n in 0..N {
            U[t, n] = if t == 0 { x[n] }
                else if n == 0 || n == N - 1 { U[t - 1, n] }
                else { U[t - 1, n] + a * (U[t - 1, n - 1] - 2.0 * U[t - 1, n] + U[t - 1, n + 1]) };
            if t == steps { z[n] = U[t, n]; }
        }
        map {
            tile t by 4 as (tb, ti); tile n by 58 as (nb, ni); overlap n by 3;
            launches (tb); blocks (nb);
            lanes ni fold 2;
        }
        map single { launches (t); tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
    }

    /// Heat in a plate, any number of steps, one in a launch.
    pub kernel plate(x: [f32; R, C], steps: size, a: f32) -> (z: [f32; R, C]) {
        for t in 0..steps + 1, r in 0..R, c in 0..C {
            U[t, r, c] = if t == 0 { x[r, c] }
                else if r == 0 || r == R - 1 || c == 0 || c == C - 1 { U[t - 1, r, c] }
                else {
                    U[t - 1, r, c] + a * (U[t - 1, r - 1, c] + U[t - 1, r + 1, c]
                        + U[t - 1, r, c - 1] + U[t - 1, r, c + 1] - 4.0 * U[t - 1, r, c])
                };
            if t == steps { z[r, c] = U[t, r, c]; }
        }
        map {
            launches (t); tile r by 8 as (rb, ri); tile c by 64 as (cb, ci);
            blocks (rb, cb); lanes ci fold 2;
        }
        map fused {
            tile t by 3 as (tb, ti); tile r by 12 as (rb, ri); tile c by 28 as (cb, ci);
            overlap r by 2; overlap c by 2;
            launches (tb); blocks (rb, cb); lanes ci; unroll (ti); shift U by (0, 1, 0);
        }
    }

    /// A wave on a string: every step reads the two before it.
    pub kernel string(x: [f32; N], steps: size, a: f32) -> (z: [f32; N]) {
        for t in 0..steps + 2, n in 0..N {
            U[t, n] = if t < 2 { x[n] } else if n == 0 || n == N - 1 { 0.0 }
                else { 2.0 * U[t - 1, n] - U[t - 2, n] + a * (U[t - 1, n - 1] - 2.0 * U[t - 1, n] + U[t - 1, n + 1]) };
            if t == steps + 1 { z[n] = U[t, n]; }
        }
        map { launches (t); tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
    }

    /// Gauss–Seidel sweeps over a plate, any number of them.
    pub kernel sweeps(x: [f32; R, C], steps: size) -> (z: [f32; R, C]) {
        for t in 0..steps + 1, r in 0..R, c in 0..C {
            U[t, r, c] = if t == 0 { x[r, c] }
                else if r == 0 || r == R - 1 || c == 0 || c == C - 1 { U[t - 1, r, c] }
                else { 0.25 * (U[t, r - 1, c] + U[t, r, c - 1] + U[t - 1, r + 1, c] + U[t - 1, r, c + 1]) };
            if t == steps { z[r, c] = U[t, r, c]; }
        }
        map {
            launches (t); tile r by 8 as (rb, ri); tile c by 32 as (cb, ci);
            blocks (rb, cb) in order;
            space_time (ci, ri) -> (s, v) = [[1, 0], [1, 1]];
            lanes s;
        }
    }

    /// Sums of every row of a matrix from its end, in strips of columns; the last strip first.
    pub kernel sums_back(x: [i64; R, N]) -> (z: [i64; R, N]) {
        for r in 0..R, n in 0..N {
            S[r, n] = x[r, n] + (if n == N - 1 { 0 } else { S[r, n + 1] });
            z[r, n] = S[r, n];
        }
        map {
            tile r by 32 as (rb, ri); tile n by 16 as (nb, ni); blocks (rb, nb) in order;
            space_time (ri, ni) -> (s, t) = [[1, 0], [0, -1]];
            lanes s;
        }
    }

    /// Paths that come from above and from the right: blocks wait in a slanted order.
    pub kernel slanted(x: [i32; R, C]) -> (z: [i32; R, C]) {
        for r in 0..R, c in 0..C {
            P[r, c] = x[r, c] + max(if r == 0 { 0 } else { P[r - 1, c] },
                if r == 0 || c >= C - 1 { 0 } else { P[r - 1, c + 1] }, if c == 0 { 0 } else { P[r, c - 1] / 2 });
            z[r, c] = P[r, c];
        }
        map {
            tile r by 1 as (rb, ri); tile c by 32 as (cb, ci); blocks (rb, cb) in order;
            space_time (ci, ri) -> (s, t) = [[1, 0], [1, 1]];
            lanes s;
        }
    }
}
