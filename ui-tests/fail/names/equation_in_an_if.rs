use systolic::systolic;

systolic! {
    kernel sum(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            if n == 0 { S[n] = x[n]; }
            y[n] = S[n];
        }
    }
}

fn main() {}
