use systolic::systolic;

systolic! {
    kernel lag<const Q: usize in [0, 1]>(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            S[n] = x[n] + if n < Q { 0.0 } else { S[n - Q] };
            y[n] = S[n];
        }
    }
}

fn main() {}
