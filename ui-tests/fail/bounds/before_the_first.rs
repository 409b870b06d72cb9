use systolic::systolic;

systolic! {
    kernel difference(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n] - x[n - 1];
        }
    }
}

fn main() {}
