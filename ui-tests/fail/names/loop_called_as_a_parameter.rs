use systolic::systolic;

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; N]) {
        for x in 0..N {
            y[x] = 2.0;
        }
    }
}

fn main() {}
