use systolic::systolic;

systolic! {
    kernel scale(x: [f32; B, N], n: [u32; B] in 1..=N) -> (y: [f32; B, N] rest 0.0) {
        for k in 0..B, i in 0..n[k] {
            y[k, i] = x[k, i] * n[k];
        }
    }
}

fn main() {}
