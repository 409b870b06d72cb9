use systolic::systolic;

systolic! {
    kernel double(x: [f32; COUNT]) -> (y: [f32; COUMT]) {
        for n in 0..COUNT {
            y[n] = 2.0 * x[n];
        }
    }
}

fn main() {}
