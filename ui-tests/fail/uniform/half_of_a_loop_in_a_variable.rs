use systolic::systolic;

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; 2 * N]) {
        for n in 0..2 * N {
            V[n] = if n == 0 { 0.0 } else if n < N { V[n - 1] + x[n] } else { V[n - 1] };
            y[n] = V[n / 2];
        }
    }
}

fn main() {}
