use systolic::systolic;

systolic! {
    kernel relax(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            A[n] = x[n] + if n == 0 || n == N - 1 { 0.0 } else { A[n - 1] + A[n + 1] };
            y[n] = A[n];
        }
    }
}

fn main() {}
