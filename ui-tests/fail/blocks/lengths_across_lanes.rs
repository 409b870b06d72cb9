use systolic::systolic;

systolic! {
    kernel total(x: [f32; B, N], n: [u32; B] in 1..=N) -> (y: [f32; B]) {
        for k in 0..B, i in 0..n[k] {
            S[k, i] = x[k, i] + if i == 0 { 0.0 } else { S[k, i - 1] };
            if i == n[k] - 1 { y[k] = S[k, i]; }
        }
        map { tile k by 32 as (kb, ki); blocks (kb); lanes ki; }
    }
}

fn main() {}
