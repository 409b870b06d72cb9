use systolic::systolic;

systolic! {
    kernel halve(x: [i32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = 0.5 * x[n];
        }
    }
}

fn main() {}
