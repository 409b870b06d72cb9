use systolic::systolic;

systolic! {
    kernel scan(x: [f32; N, 32]) -> (y: [f32; N, 32]) {
        for n in 0..N, k in 0..32 {
            S[n, k] = x[n, k] + if n == 0 { 0.0 } else { S[n - 1, k] };
            y[n, k] = S[n, k];
        }
        map forth { lanes k; }
        map back { space_time (n, k) -> (s, t) = [[0, 1], [-1, 0]]; lanes s; }
    }
}

fn main() {}
