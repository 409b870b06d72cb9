use systolic::systolic;

systolic! {
    kernel lag(x: [f64; N, 512]) -> (y: [f64; N, 512]) {
        for n in 0..N, k in 0..512 {
            S[n, k] = x[n, k] + if n < 9 { 0.0 } else { S[n - 9, k] };
            y[n, k] = S[n, k];
        }
        map wide on cpu { lanes k fold 16; }
        map narrow { tile k by 32 as (kb, ki); blocks (kb); lanes ki; }
        map heavy on gpu { lanes k fold 16; }
    }
}

fn main() {}
