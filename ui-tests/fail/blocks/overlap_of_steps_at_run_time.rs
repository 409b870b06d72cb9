use systolic::systolic;

systolic! {
    kernel smooth(x: [f32; N], steps: size) -> (y: [f32; N]) {
        for n in 0..N, t in 0..steps + 1 {
            U[n, t] = if t == 0 { x[n] } else { U[n, t - 1] + if n == 0 { 0.0 } else { U[n - 1, t - 1] } };
            if t == steps { y[n] = U[n, t]; }
        }
        map { tile n by 16 as (nb, ni); blocks (nb); overlap n by 3; lanes ni; }
    }
}

fn main() {}
