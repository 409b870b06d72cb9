use systolic::systolic;

systolic! {
    kernel relax(x: [f32; N], steps: size) -> (z: [f32; N]) {
        for t in 0..steps + 1, n in 0..N {
            U[t, n] = if t == 0 { x[n] } else if n == 0 || n == N - 1 { U[t - 1, n] } else { U[t - 1, n - 1] + U[t - 1, n + 1] };
            if t == steps { z[n] = U[t, n]; }
        }
        map { tile t by 4 as (tb, ti); tile n by 32 as (nb, ni); launches (tb); blocks (nb); lanes ni; }
    }
}

fn main() {}
