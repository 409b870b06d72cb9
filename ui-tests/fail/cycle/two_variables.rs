use systolic::systolic;

systolic! {
    kernel knot(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            A[n] = x[n] + B[n];
            B[n] = 2.0 * A[n];
            y[n] = B[n];
        }
    }
}

fn main() {}
