use systolic::systolic;

systolic! {
    kernel scan(x: [f32; N, 32]) -> (y: [f32; N, 32]) {
        for n in 0..N, k in 0..32 {
            S[n, k] = x[n, k] + if n == 0 { 0.0 } else { S[n - 1, k] };
            y[n, k] = S[n, k];
        }
        map { tile n by 16 as (nb, ni); reorder (ni, nb); lanes k; }
    }
}

fn main() {}
