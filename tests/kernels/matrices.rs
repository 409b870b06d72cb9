// Products and factorisations of matrices.

use systolic::systolic;

systolic! {
    /// `c = a · b`, with each of the classical projections.
    pub kernel product(a: [f32; M, K], b: [f32; K, N]) -> (c: [f32; M, N]) {
        for i in 0..M, j in 0..N, k in 0..K {
            A[i, j, k] = if j == 0 { a[i, k] } else { A[i, j - 1, k] };
            B[i, j, k] = if i == 0 { b[k, j] } else { B[i - 1, j, k] };
            C[i, j, k] = A[i, j, k] * B[i, j, k] + if k == 0 { 0.0 } else { C[i, j, k - 1] };
            if k == K - 1 { c[i, j] = C[i, j, k]; }
        }
        map c_stays {
            tile j by 32 as (jb, ji);
            tile i by 4 as (ib, ii);
            blocks (ib, jb);
            space_time (ji, ii, k) -> (s, t, u) = [[1, 0, 0],
                                                   [0, 0, 1],
                                                   [0, 1, 0]];
            lanes s;
            unroll (u);
        }
        map a_stays {
            tile k by 32 as (kb, ki);
            blocks (i);
            space_time (ki, j) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
        map b_stays {
            tile k by 32 as (kb, ki);
            blocks (j);
            space_time (ki, i) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
        map grid {
            tile i by 4 as (ib, ii);
            tile j by 8 as (jb, ji);
            blocks (ib, jb);
            space_time (ii, ji, k) -> (s1, s2, t) = [[1, 0, 0],
                                                     [0, 1, 0],
                                                     [1, 1, 1]];
            lanes (s1, s2);
        }
        map folded {
            tile j by 128 as (jb, ji);
            tile i by 8 as (ib, ii);
            blocks (ib, jb);
            space_time (ji, ii, k) -> (s, t, u) = [[1, 0, 0],
                                                   [0, 0, 1],
                                                   [0, 1, 0]];
            lanes s fold 4;
            unroll (u);
            resident 8;
        }
    }

    /// `y = a · x`.
    pub kernel matvec(a: [f64; M, N], x: [f64; N]) -> (y: [f64; M]) {
        for i in 0..M, j in 0..N {
            Y[i, j] = a[i, j] * x[j] + if j == 0 { 0.0 } else { Y[i, j - 1] };
            if j == N - 1 { y[i] = Y[i, j]; }
        }
        map {
            tile i by 32 as (ib, ii);
            blocks (ib);
            space_time (ii, j) -> (s, t) = [[1, 0],
                                            [0, 1]];
            lanes s;
        }
    }

    /// Solves `l · x = b` for a lower triangular `l`.
    pub kernel trisolve(l: [f64; N, N], b: [f64; N]) -> (x: [f64; N]) {
        for i in 0..N, j in 0..i + 1 {
            S[i, j] = if j == 0 { 0.0 } else { S[i, j - 1] + l[i, j - 1] * X[i, j - 1] };
            X[i, j] = if j == i { (b[i] - S[i, j]) / l[i, i] } else { X[i - 1, j] };
            if j == i { x[i] = X[i, j]; }
        }
        map {
            tile i by 32 as (ib, ii);
            space_time (ii, j) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
    }

    /// LU factorisation without pivoting, both factors in one matrix.
    pub kernel lu(a: [f64; N, N]) -> (f: [f64; N, N]) {
        for k in 0..N, i in k..N, j in k..N {
            A[k, i, j] = if k == 0 { a[i, j] } else { A[k - 1, i, j] - L[k - 1, i, j] * U[k - 1, i, j] };
            U[k, i, j] = if i == k { A[k, i, j] } else { U[k, i - 1, j] };
            L[k, i, j] = if j == k { A[k, i, j] / U[k, i, j] } else { L[k, i, j - 1] };
            if i == k { f[i, j] = U[k, i, j]; }
            if j == k && i > k { f[i, j] = L[k, i, j]; }
        }
        map {
            tile j by 32 as (jb, ji);
            reorder (k, jb);
            space_time (ji, i) -> (s, t) = [[1, 0],
                                            [1, 1]];
            lanes s;
        }
    }

    /// Dot product in 32 interleaved sums.
    pub kernel dot(
        x: [f32; N] border zero,
        y: [f32; N] border zero,
        m: size,
    ) -> (d: [f32; 1]) where N <= 32 * m {
        for i in 0..32, n in 0..m {
            S[i, n] = x[32 * n + i] * y[32 * n + i] + if n == 0 { 0.0 } else { S[i, n - 1] };
            D[i, n] = if n == m - 1 { S[i, n] + if i == 0 { 0.0 } else { D[i - 1, n] } } else { 0.0 };
            if i == 31 && n == m - 1 { d[0] = D[i, n]; }
        }
        map {
            space_time (i, n) -> (s, t) = [[1, 0],
                                           [1, 1]];
            lanes s;
        }
    }
}
