use systolic::systolic;

systolic! {
    kernel sums(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            S[n] = x[n] + if n == 0 { 0.0 } else { S[n - 1] };
            y[n] = S[n];
        }
        map { reorder (n); }
    }
}

fn main() {}
