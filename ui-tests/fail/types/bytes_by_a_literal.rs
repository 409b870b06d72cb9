use systolic::systolic;

systolic! {
    kernel normal(x: [u8; N], gain: f64) -> (y: [f64; N]) {
        for n in 0..N {
            y[n] = x[n] / 255.0 * gain;
        }
    }
}

fn main() {}
