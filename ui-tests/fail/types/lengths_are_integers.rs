use systolic::systolic;

systolic! {
    kernel double(x: [f32; B, N], n: [f32; B] in 1..=N) -> (y: [f32; B, N] rest 0.0) {
        for k in 0..B, i in 0..n[k] {
            y[k, i] = 2.0 * x[k, i];
        }
    }
}

fn main() {}
