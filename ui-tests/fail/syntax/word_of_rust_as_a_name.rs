use systolic::systolic;

systolic! {
    kernel double(match: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = 2.0;
        }
    }
}

fn main() {}
