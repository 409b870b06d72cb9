use systolic::systolic;

systolic! {
    kernel first(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            A[n] = x[n];
            y[n] = A[n] - A[0];
        }
    }
}

fn main() {}
