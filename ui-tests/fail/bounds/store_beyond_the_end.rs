use systolic::systolic;

systolic! {
    kernel shift(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n + 1] = x[n];
        }
    }
}

fn main() {}
