use systolic::systolic;

systolic! {
    kernel fibonacci(x: [u64; N]) -> (y: [u64; N]) {
        for n in 0..N {
            F[n] = if n == 0 { x[n] } else { F[n - 1] + F[n - 2] };
            y[n] = F[n];
        }
    }
}

fn main() {}
