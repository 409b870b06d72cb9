use systolic::systolic;

systolic! {
    kernel fill(value: f32) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = value;
        }
    }
}

fn main() {}
