use systolic::systolic;

systolic! {
    kernel ahead(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            A[n] = x[n] + x[n];
            B[n] = if n == N - 1 { 0.0 } else { A[n + 1] };
            y[n] = B[n];
        }
        map { tile n by 32 as (nb, ni); lanes ni; shift B by (1); shift B by (2); }
    }
}

fn main() {}
