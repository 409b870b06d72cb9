use systolic::systolic;

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; N]) where N > 1 && N < 9 {
        for n in 0..N {
            y[n] = 2.0 * x[n];
        }
    }
}

fn main() {}
