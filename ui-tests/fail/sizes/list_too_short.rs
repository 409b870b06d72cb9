use systolic::systolic;

systolic! {
    kernel blur(x: [f32; N]) -> (y: [f32; N]) {
        const K: [f32; 3] = [0.25, 0.5];
        for n in 0..N {
            y[n] = K[0] * x[n];
        }
    }
}

fn main() {}
