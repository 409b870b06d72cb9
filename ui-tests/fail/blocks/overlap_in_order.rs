use systolic::systolic;

systolic! {
    kernel both(x: [f32; R, N]) -> (z: [f32; R, N]) {
        for r in 0..R, n in 0..N {
            V[r, n] = 2.0 * x[r, n];
            U[r, n] = (if n == 0 { 0.0 } else { V[r, n - 1] }) + if r == 0 { 0.0 } else { U[r - 1, n] };
            z[r, n] = U[r, n];
        }
        map { tile r by 4 as (rb, ri); tile n by 31 as (nb, ni); overlap n by (1, 0); blocks (rb, nb) in order; lanes ni; }
    }
}

fn main() {}
