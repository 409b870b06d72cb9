use systolic::systolic;

systolic! {
    kernel mean(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n] / N;
        }
    }
}

fn main() {}
