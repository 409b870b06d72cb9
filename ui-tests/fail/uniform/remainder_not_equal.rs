use systolic::systolic;

systolic! {
    kernel odd(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = if n % 2 != 0 { x[n] } else { 0.0 };
        }
    }
}

fn main() {}
