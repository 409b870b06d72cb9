use systolic::systolic;

systolic! {
    kernel positive(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            if x[n] > 0.0 { y[n] = x[n]; }
        }
    }
}

fn main() {}
