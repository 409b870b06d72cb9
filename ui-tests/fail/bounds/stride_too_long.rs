use systolic::systolic;

systolic! {
    kernel pairs(x: [f32; 2 * N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[2 * n] + x[2 * n + 2];
        }
    }
}

fn main() {}
