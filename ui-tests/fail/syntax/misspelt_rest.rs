use systolic::systolic;

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; N + 1] rst 0.0) {
        for i in 0..N { y[i] = 2.0 * x[i]; }
    }
}

fn main() {}
