use systolic::systolic;

systolic! {
    kernel even(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = if n % 0 == 0 { x[n] } else { 0.0 };
        }
    }
}

fn main() {}
