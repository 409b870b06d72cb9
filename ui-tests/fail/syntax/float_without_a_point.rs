use systolic::systolic;

systolic! {
    kernel add(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n] + 1f32;
        }
    }
}

fn main() {}
