use systolic::systolic;

systolic! {
    kernel sum(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            S[n] = if n > 0 && x[n] > 0.0 { S[n - 1] } else { x[n] };
            y[n] = S[n];
        }
    }
}

fn main() {}
