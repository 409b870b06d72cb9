use systolic::systolic;

systolic! {
    kernel diffuse<const T: usize in [2, 4]>(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N, t in 0..T + 2 {
            U[n, t] = if t == 0 { x[n] } else { U[n, t - 1] + if n == 0 { 0.0 } else { U[n - 1, t - 1] } };
            if t == T + 1 { y[n] = U[n, t]; }
        }
        map { tile n by 16 as (nb, ni); blocks (nb); overlap n by (T, 0); lanes ni; }
    }
}

fn main() {}
