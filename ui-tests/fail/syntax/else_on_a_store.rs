use systolic::systolic;

systolic! {
    kernel clear(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            if n > 0 { y[n] = x[n]; } else { y[n] = 0.0; }
        }
    }
}

fn main() {}
