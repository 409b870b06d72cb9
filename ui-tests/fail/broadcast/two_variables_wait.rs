use systolic::systolic;

systolic! {
    kernel both(x: [f32; N, 32]) -> (y: [f32; N, 32]) {
        for n in 0..N, k in 0..32 {
            A[n, k] = x[n, k] + if k == 0 { 0.0 } else { B[n, k - 1] };
            B[n, k] = 2.0 * A[n, k];
            y[n, k] = B[n, k];
        }
        map { lanes k; }
    }
}

fn main() {}
