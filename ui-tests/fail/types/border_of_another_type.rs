use systolic::systolic;

systolic! {
    kernel next(x: [f32; N] border constant(k), k: i32) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n + 1];
        }
    }
}

fn main() {}
