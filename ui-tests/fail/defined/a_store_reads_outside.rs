use systolic::systolic;

systolic! {
    kernel next(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            A[n] = 2.0 * x[n];
            y[n] = A[n + 1];
        }
    }
}

fn main() {}
