use systolic::systolic;

systolic! {
    kernel score(x: [u8; N], counts: [i32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = -x[n] * 0.5 + counts[n];
        }
    }
}

fn main() {}
