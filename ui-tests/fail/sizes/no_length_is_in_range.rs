use systolic::systolic;

systolic! {
    kernel double(x: [f32; B, N], n: [u32; B] in 5..=3) -> (y: [f32; B, N] rest 0.0) {
        for k in 0..B, i in 0..n[k] {
            if i < N { y[k, i] = 2.0; }
        }
    }
}

fn main() {}
