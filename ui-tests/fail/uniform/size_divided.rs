use systolic::systolic;

systolic! {
    kernel half(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N / 2 {
            y[n] = x[2 * n];
        }
    }
}

fn main() {}
