// Factors and triangular systems, without a map.

use systolic::systolic;

systolic! {
    /// Cholesky's factor of a symmetric matrix, of which only the lower triangle is read: `a = l · lᵀ`.
    pub kernel cholesky(a: [f64; N, N]) -> (l: [f64; N, N] rest 0.0) {
        for k in 0..N, i in k..N, j in k..i + 1 {
            A[k, i, j] = if k == 0 { a[i, j] } else { A[k - 1, i, j] - L[k - 1, i, j] * T[k - 1, i, j] };
            // The root on the diagonal goes down the first column.
            D[k, i, j] = if j > k { 0.0 } else if i == k { sqrt(A[k, i, j]) } else { D[k, i - 1, j] };
            // Column `k` of the factor: row `i` of it goes along the row, and from the diagonal down column `i`.
            L[k, i, j] = if j > k { L[k, i, j - 1] } else if i == k { D[k, i, j] } else { A[k, i, j] / D[k, i, j] };
            T[k, i, j] = if i == j { L[k, i, j] } else { T[k, i - 1, j] };
            if j == k { l[i, k] = L[k, i, j]; }
        }
    }

    /// Solves `l · x = b` for many columns of `b`, with a lower triangular `l`.
    pub kernel forward(l: [f64; N, N], b: [f64; N, M]) -> (x: [f64; N, M]) {
        for c in 0..M, i in 0..N, j in 0..i + 1 {
            S[c, i, j] = if j == 0 { b[i, c] } else { S[c, i, j - 1] - l[i, j - 1] * X[c, i, j - 1] };
            X[c, i, j] = if j == i { S[c, i, j] / l[i, i] } else { X[c, i - 1, j] };
            if j == i { x[i, c] = X[c, i, j]; }
        }
    }

    /// Solves `lᵀ · x = b`, from the last row to the first.
    pub kernel backward(l: [f64; N, N], b: [f64; N, M]) -> (x: [f64; N, M]) {
        for c in 0..M, i in 0..N, j in 0..i + 1 {
            S[c, i, j] = if j == 0 { b[N - 1 - i, c] } else { S[c, i, j - 1] - l[N - j, N - 1 - i] * X[c, i, j - 1] };
            X[c, i, j] = if j == i { S[c, i, j] / l[N - 1 - i, N - 1 - i] } else { X[c, i - 1, j] };
            if j == i { x[N - 1 - i, c] = X[c, i, j]; }
        }
    }

    /// LU factors without pivots.
    pub kernel factored(a: [f32; N, N]) -> (f: [f32; N, N]) {
        for k in 0..N, i in k..N, j in k..N {
            A[k, i, j] = if k == 0 { a[i, j] } else { A[k - 1, i, j] - L[k - 1, i, j] * U[k - 1, i, j] };
            U[k, i, j] = if i == k { A[k, i, j] } else { U[k, i - 1, j] };
            L[k, i, j] = if j == k { A[k, i, j] / U[k, i, j] } else { L[k, i, j - 1] };
            if i == k { f[i, j] = U[k, i, j]; }
            if j == k && i > k { f[i, j] = L[k, i, j]; }
        }
    }
}
