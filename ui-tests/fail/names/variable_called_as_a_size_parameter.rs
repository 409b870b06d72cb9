use systolic::systolic;

systolic! {
    kernel powers(x: [f32; N], steps: size) -> (y: [f32; N]) {
        for n in 0..N, t in 0..steps {
            steps[n, t] = x[n] * if t == 0 { 1.0 } else { steps[n, t - 1] };
            if t == steps - 1 { y[n] = steps[n, t]; }
        }
    }
}

fn main() {}
