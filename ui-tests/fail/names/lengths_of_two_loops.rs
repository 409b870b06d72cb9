use systolic::systolic;

systolic! {
    kernel pairs(x: [f32; B, N], n: [u32; B] in 1..=N) -> (y: [f32; B, B, N] rest 0.0) {
        for k in 0..B, l in 0..B, i in 0..n[k] {
            if i < n[l] { y[k, l, i] = x[k, i] * x[l, i]; }
        }
    }
}

fn main() {}
