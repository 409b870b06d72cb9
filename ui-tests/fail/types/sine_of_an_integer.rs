use systolic::systolic;

systolic! {
    kernel waves(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            y[n] = sin(x[n]);
        }
    }
}

fn main() {}
