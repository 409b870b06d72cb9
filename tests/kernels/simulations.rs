// Simulations with a number of steps that is known when the program runs, without a map.

use systolic::systolic;

systolic! {
    /// Heat in a body of three dimensions, whose surface keeps its temperature.
    pub kernel heat(x: [f32; L, R, C], steps: size, a: f32) -> (z: [f32; L, R, C]) {
        for t in 0..steps + 1, l in 0..L, r in 0..R, c in 0..C {
            U[t, l, r, c] = if t == 0 { x[l, r, c] }
                else if l == 0 || l == L - 1 || r == 0 || r == R - 1 || c == 0 || c == C - 1 { U[t - 1, l, r, c] }
                else {
                    U[t - 1, l, r, c] + a * (U[t - 1, l - 1, r, c] + U[t - 1, l + 1, r, c] + U[t - 1, l, r - 1, c]
                        + U[t - 1, l, r + 1, c] + U[t - 1, l, r, c - 1] + U[t - 1, l, r, c + 1] - 6.0 * U[t - 1, l, r, c])
                };
            if t == steps { z[l, r, c] = U[t, l, r, c]; }
        }
    }

    /// A wave on a membrane that is held at its edge: every step reads the two before it.
    pub kernel membrane(x: [f32; R, C], v: [f32; R, C], steps: size, a: f32) -> (z: [f32; R, C]) {
        for t in 0..steps + 2, r in 0..R, c in 0..C {
            U[t, r, c] = if r == 0 || r == R - 1 || c == 0 || c == C - 1 { 0.0 }
                else if t == 0 { x[r, c] - v[r, c] } else if t == 1 { x[r, c] }
                else {
                    2.0 * U[t - 1, r, c] - U[t - 2, r, c] + a * (U[t - 1, r - 1, c] + U[t - 1, r + 1, c]
                        + U[t - 1, r, c - 1] + U[t - 1, r, c + 1] - 4.0 * U[t - 1, r, c])
                };
            if t == steps + 1 { z[r, c] = U[t, r, c]; }
        }
    }

    /// Yee's method in two dimensions: an electric field across the plane, a magnetic field in it, and a source in the middle of the
    /// second row. The edge conducts. Cells may differ in what they are made of.
    pub kernel fields(
        start: [f32; R, C], material: [f32; R, C], source: [f32; steps], a: f32,
    ) -> (electric: [f32; R, C], across: [f32; R, C], down: [f32; R, C]) {
        for t in 0..steps, r in 0..R, c in 0..C {
            P[t, r, c] = (if t == 0 { 0.0 } else { P[t - 1, r, c] })
                - if r == R - 1 { 0.0 } else { a * ((if t == 0 { start[r + 1, c] } else { E[t - 1, r + 1, c] })
                    - if t == 0 { start[r, c] } else { E[t - 1, r, c] }) };
            Q[t, r, c] = (if t == 0 { 0.0 } else { Q[t - 1, r, c] })
                + if c == C - 1 { 0.0 } else { a * ((if t == 0 { start[r, c + 1] } else { E[t - 1, r, c + 1] })
                    - if t == 0 { start[r, c] } else { E[t - 1, r, c] }) };
            E[t, r, c] = if r == 0 || r == R - 1 || c == 0 || c == C - 1 { 0.0 }
                else {
                    (if t == 0 { start[r, c] } else { E[t - 1, r, c] })
                        + material[r, c] * (Q[t, r, c] - Q[t, r, c - 1] - (P[t, r, c] - P[t, r - 1, c]))
                        + if r == 1 && c == 1 { source[t] } else { 0.0 }
                };
            if t == steps - 1 { electric[r, c] = E[t, r, c]; across[r, c] = P[t, r, c]; down[r, c] = Q[t, r, c]; }
        }
    }

    /// Yee's method in one dimension.
    pub kernel fields_on_line(start: [f64; N], source: [f64; T], a: f64) -> (electric: [f64; N], magnetic: [f64; N]) {
        for t in 0..T, n in 0..N {
            H[t, n] = (if t == 0 { 0.0 } else { H[t - 1, n] })
                + if n == N - 1 { 0.0 } else { a * ((if t == 0 { start[n + 1] } else { E[t - 1, n + 1] })
                    - if t == 0 { start[n] } else { E[t - 1, n] }) };
            E[t, n] = (if n == 0 { source[t] } else { (if t == 0 { start[n] } else { E[t - 1, n] }) + a * (H[t, n] - H[t, n - 1]) });
            if t == T - 1 { electric[n] = E[t, n]; magnetic[n] = H[t, n]; }
        }
    }

    /// Gauss–Seidel sweeps with a right-hand side and over-relaxation.
    pub kernel seidel(x: [f64; R, C], f: [f64; R, C], steps: size, w: f64) -> (z: [f64; R, C]) {
        for t in 0..steps + 1, r in 0..R, c in 0..C {
            U[t, r, c] = if t == 0 { x[r, c] }
                else if r == 0 || r == R - 1 || c == 0 || c == C - 1 { U[t - 1, r, c] }
                else {
                    U[t - 1, r, c] + w * (0.25 * (U[t, r - 1, c] + U[t, r, c - 1] + U[t - 1, r + 1, c] + U[t - 1, r, c + 1]
                        - f[r, c]) - U[t - 1, r, c])
                };
            if t == steps { z[r, c] = U[t, r, c]; }
        }
    }
}
