use systolic::systolic;

systolic! {
    kernel double<type f32 in [f64, i32]>(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n] + x[n];
        }
    }
}

fn main() {}
