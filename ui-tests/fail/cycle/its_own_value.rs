use systolic::systolic;

systolic! {
    kernel grow(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            S[n] = S[n] + x[n];
            y[n] = S[n];
        }
    }
}

fn main() {}
