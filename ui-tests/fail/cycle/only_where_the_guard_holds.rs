use systolic::systolic;

systolic! {
    kernel turn(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            A[n] = if n == 0 { x[n] } else if n == 5 { B[n] } else { A[n - 1] };
            B[n] = if n == 5 { A[n] } else { x[n] };
            y[n] = B[n];
        }
    }
}

fn main() {}
