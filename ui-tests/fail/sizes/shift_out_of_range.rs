use systolic::systolic;

systolic! {
    kernel ahead<const Q: usize in [1, 9]>(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            A[n] = x[n] + x[n];
            B[n] = if n == N - 1 { 0.0 } else { A[n + 1] };
            y[n] = B[n];
        }
        map { tile n by 32 as (nb, ni); lanes ni; shift B by (1000 * Q); }
    }
}

fn main() {}
