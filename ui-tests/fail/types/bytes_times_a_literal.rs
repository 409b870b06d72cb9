use systolic::systolic;

systolic! {
    kernel half(x: [u8; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n] * 0.5;
        }
    }
}

fn main() {}
