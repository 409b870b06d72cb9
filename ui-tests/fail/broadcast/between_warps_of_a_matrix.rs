use systolic::systolic;

systolic! {
    kernel pipe(x: [f32; N, 8, 32]) -> (y: [f32; N, 8, 32]) {
        for n in 0..N, w in 0..8, k in 0..32 {
            S[n, w, k] = x[n, w, k] + if w == 0 { 0.0 } else { S[n, w - 1, k] };
            y[n, w, k] = S[n, w, k];
        }
        map {
            space_time (n, w, k) -> (v, s, t) = [[0, 1, 0], [0, 0, 1], [1, 0, 0]];
            warps (v); lanes s;
        }
    }
}

fn main() {}
