// Scans and recursive filters along both axes, without a map.

use systolic::systolic;

systolic! {
    /// Sums along every row, and down every column.
    pub kernel scans(x: [f32; R, C]) -> (along: [f32; R, C], down: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            A[r, c] = x[r, c] + if c == 0 { 0.0 } else { A[r, c - 1] };
            D[r, c] = x[r, c] + if r == 0 { 0.0 } else { D[r - 1, c] };
            along[r, c] = A[r, c];
            down[r, c] = D[r, c];
        }
    }

    /// A summed-area table.
    pub kernel areas(x: [f64; R, C]) -> (y: [f64; R, C]) {
        for r in 0..R, c in 0..C {
            A[r, c] = x[r, c] + if c == 0 { 0.0 } else { A[r, c - 1] };
            S[r, c] = A[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
            y[r, c] = S[r, c];
        }
    }

    /// A recursive filter of order 1 along rows.
    pub kernel rows1(x: [f32; R, C], a: f32) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            Y[r, c] = x[r, c] + a * (if c < 1 { 0.0 } else { Y[r, c - 1] });
            y[r, c] = Y[r, c];
        }
    }

    /// A recursive filter of order 1 down columns.
    pub kernel columns1(x: [f32; R, C], a: f32) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            Y[r, c] = x[r, c] + a * (if r < 1 { 0.0 } else { Y[r - 1, c] });
            y[r, c] = Y[r, c];
        }
    }

    /// A recursive filter of order 2 along rows.
    pub kernel rows2(x: [f32; R, C], a1: f32, a2: f32) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            Y[r, c] = x[r, c] + a1 * (if c < 1 { 0.0 } else { Y[r, c - 1] }) + a2 * (if c < 2 { 0.0 } else { Y[r, c - 2] });
            y[r, c] = Y[r, c];
        }
    }

    /// A recursive filter of order 2 down columns.
    pub kernel columns2(x: [f32; R, C], a1: f32, a2: f32) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            Y[r, c] = x[r, c] + a1 * (if r < 1 { 0.0 } else { Y[r - 1, c] }) + a2 * (if r < 2 { 0.0 } else { Y[r - 2, c] });
            y[r, c] = Y[r, c];
        }
    }

    /// Order 2 along rows, and then down columns.
    pub kernel plane2(x: [f32; R, C], a1: f32, a2: f32) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            X[r, c] = x[r, c] + a1 * (if c < 1 { 0.0 } else { X[r, c - 1] }) + a2 * (if c < 2 { 0.0 } else { X[r, c - 2] });
            Y[r, c] = X[r, c] + a1 * (if r < 1 { 0.0 } else { Y[r - 1, c] }) + a2 * (if r < 2 { 0.0 } else { Y[r - 2, c] });
            y[r, c] = Y[r, c];
        }
    }
}
