use systolic::systolic;

systolic! {
    kernel sum(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n] + if n == 0 { 0.0 } else { y[n - 1] };
        }
    }
}

fn main() {}
