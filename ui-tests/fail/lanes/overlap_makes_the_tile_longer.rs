use systolic::systolic;

systolic! {
    kernel blur(x: [f32; N] border zero) -> (y: [f32; N]) {
        for n in 0..N {
            A[n] = 0.5 * x[n];
            y[n] = A[n];
        }
        map { tile n by 32 as (nb, ni); blocks (nb); overlap n by 1; lanes ni; }
    }
}

fn main() {}
