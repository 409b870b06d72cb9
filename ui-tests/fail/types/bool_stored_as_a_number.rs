use systolic::systolic;

systolic! {
    kernel above(x: [f32; N], t: f32) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n] > t;
        }
    }
}

fn main() {}
