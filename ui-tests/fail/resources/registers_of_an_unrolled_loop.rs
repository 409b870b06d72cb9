use systolic::systolic;

systolic! {
    kernel lag(x: [f32; N, 64, 32]) -> (y: [f32; N, 64, 32]) {
        for n in 0..N, u in 0..64, k in 0..32 {
            S[n, u, k] = x[n, u, k] + if n < 5 { 0.0 } else { S[n - 5, u, k] };
            y[n, u, k] = S[n, u, k];
        }
        map { lanes k; unroll (u); }
    }
}

fn main() {}
