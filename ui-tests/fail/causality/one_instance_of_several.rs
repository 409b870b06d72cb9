use systolic::systolic;

systolic! {
    kernel scan<const Q: usize in [1, 2]>(x: [f32; N, 8]) -> (y: [f32; N, 8]) {
        for n in 0..N, k in 0..8 {
            S[n, k] = x[n, k] + if n == 0 || k < 2 { 0.0 } else { S[n - 1, k - Q] };
            y[n, k] = S[n, k];
        }
        map {
            space_time (n, k) -> (s, t) = [[0, 1], [3, -2]];
            lanes s;
        }
    }
}

fn main() {}
