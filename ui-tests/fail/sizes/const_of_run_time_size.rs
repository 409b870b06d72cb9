use systolic::systolic;

systolic! {
    kernel scale(x: [f32; N], w: const [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = w[n] * x[n];
        }
    }
}

fn main() {}
