use systolic::systolic;

systolic! {
    kernel neighbours(x: [f32; N] border nearest) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n - 1] + x[n + 1];
        }
    }
}

fn main() {}
