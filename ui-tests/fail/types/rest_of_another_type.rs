use systolic::systolic;

systolic! {
    kernel double(x: [i32; N]) -> (y: [i32; N + 1] rest 0.5) {
        for i in 0..N {
            y[i] = 2 * x[i];
        }
    }
}

fn main() {}
