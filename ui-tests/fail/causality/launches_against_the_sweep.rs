use systolic::systolic;

systolic! {
    kernel sweeps(x: [f32; R, C], steps: size) -> (z: [f32; R, C]) {
        for t in 0..steps + 1, r in 0..R, c in 0..C {
            U[t, r, c] = if t == 0 { x[r, c] } else if r == 0 || r == R - 1 { U[t - 1, r, c] }
                else { 0.5 * (U[t, r - 1, c] + U[t - 1, r + 1, c]) };
            if t == steps { z[r, c] = U[t, r, c]; }
        }
        map { launches (r); tile c by 32 as (cb, ci); blocks (cb); lanes ci; }
    }
}

fn main() {}
