use systolic::systolic;

systolic! {
    kernel sum(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            Sum[n] = x[n] + if n == 0 { 0.0 } else { Sun[n - 1] };
            y[n] = Sum[n];
        }
    }
}

fn main() {}
