use systolic::systolic;

systolic! {
    kernel scale(x: [u8; N], a: f32) -> (y: [u8; N]) {
        for n in 0..N {
            y[n] = x[n] * a + 0.5;
        }
    }
}

fn main() {}
