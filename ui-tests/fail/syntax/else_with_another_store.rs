use systolic::systolic;

systolic! {
    kernel split(x: [i32; 2 * N]) -> (low: [i32; N], high: [i32; N]) {
        for n in 0..2 * N {
            if n < N { low[n] = x[n]; } else { high[n - N] = x[n]; }
        }
    }
}

fn main() {}
