use systolic::systolic;

systolic! {
    kernel sum(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            S[n] = x[n];
            S[n] = x[n] + 1.0;
            y[n] = S[n];
        }
    }
}

fn main() {}
