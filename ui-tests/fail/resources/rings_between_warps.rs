use systolic::systolic;

systolic! {
    kernel lag(x: [f32; N, 32, 1024]) -> (y: [f32; N, 32, 1024]) {
        for n in 0..N, u in 0..32, k in 0..1024 {
            S[n, u, k] = x[n, u, k] + if n == 0 || k == 0 { 0.0 } else { S[n - 1, u, k - 1] };
            y[n, u, k] = S[n, u, k];
        }
        map { tile k by 32 as (kw, ki); warps (kw); lanes ki; unroll (u); }
    }
}

fn main() {}
