use systolic::systolic;

systolic! {
    kernel wave(x: [f32; N], lag: size) -> (y: [f32; N]) {
        for n in 0..N {
            S[n] = x[n] + if n < lag { 0.0 } else { S[n - lag] };
            y[n] = S[n];
        }
    }
}

fn main() {}
