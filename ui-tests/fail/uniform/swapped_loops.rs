use systolic::systolic;

systolic! {
    kernel turn(x: [f32; N, N]) -> (y: [f32; N, N]) {
        for i in 0..N, j in 0..N {
            A[i, j] = x[i, j];
            y[i, j] = A[j, i];
        }
    }
}

fn main() {}
