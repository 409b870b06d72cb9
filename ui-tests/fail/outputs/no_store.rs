use systolic::systolic;

systolic! {
    kernel sums(x: [f32; N]) -> (y: [f32; N], total: [f32; 1]) {
        for n in 0..N {
            y[n] = 2.0 * x[n];
        }
    }
}

fn main() {}
