use systolic::systolic;

systolic! {
    kernel mask(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n] & 255.0;
        }
    }
}

fn main() {}
