use systolic::systolic;

systolic! {
    kernel clip(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = max(x[n]);
        }
    }
}

fn main() {}
