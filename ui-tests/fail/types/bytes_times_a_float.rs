use systolic::systolic;

systolic! {
    kernel scale(x: [u8; N], a: f32) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n] * a;
        }
    }
}

fn main() {}
