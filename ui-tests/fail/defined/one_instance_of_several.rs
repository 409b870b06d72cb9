use systolic::systolic;

systolic! {
    kernel lag<const Q: usize in [1, 2, 3]>(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            S[n] = x[n] + if n < 2 { 0.0 } else { S[n - Q] };
            y[n] = S[n];
        }
    }
}

fn main() {}
