use systolic::systolic;

systolic! {
    kernel half(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            S[n] = x[n] + if n == 0 { 0.0 } else { S[2 * n] };
            y[n] = S[n];
        }
    }
}

fn main() {}
