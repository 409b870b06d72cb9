use systolic::systolic;

systolic! {
    kernel sums(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            if n == 0 { S[n] = x[n]; } else { S[n] = S[n - 1] + x[n]; }
            y[n] = S[n];
        }
    }
}

fn main() {}
