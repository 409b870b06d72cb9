use systolic::systolic;

systolic! {
    kernel spread(x: [f32; N]) -> (y: [f32; 2 * N]) {
        for n in 0..N {
            y[2 * n] = x[n];
        }
    }
}

fn main() {}
