use systolic::systolic;

systolic! {
    kernel scale(x: [f32; N], w: const [f32; 2]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = w[2] * x[n];
        }
    }
}

fn main() {}
