use systolic::systolic;

systolic! {
    kernel repeat(w: [f32; 4], x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = w[n % 4] * x[n];
        }
    }
}

fn main() {}
