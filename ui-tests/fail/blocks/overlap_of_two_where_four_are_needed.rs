use systolic::systolic;

systolic! {
    kernel diffuse(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N, t in 0..3 {
            U[n, t] = if t == 0 { x[n] } else if n < 2 || n >= N - 2 { U[n, t - 1] } else {
                0.5 * (U[n - 2, t - 1] + U[n + 2, t - 1])
            };
            if t == 2 { y[n] = U[n, t]; }
        }
        map { tile n by 16 as (nb, ni); blocks (nb); overlap n by 2; lanes ni; }
    }
}

fn main() {}
