use systolic::systolic;

systolic! {
    kernel chain(x: [f32; B, N], n: [u32; B] in 1..=N) -> (y: [f32; B, N] rest 0.0) {
        for k in 0..B, i in 0..n[k] {
            S[k, i] = x[k, i] + S[k - 1, i];
            y[k, i] = S[k, i];
        }
    }
}

fn main() {}
