use systolic::systolic;

systolic! {
    kernel scan(x: [f32; R, C, 32]) -> (y: [f32; R, C, 32]) {
        for r in 0..R, c in 0..C, k in 0..32 {
            S[r, c, k] = x[r, c, k] + if r == 0 || c == C - 1 { 0.0 } else { S[r - 1, c + 1, k] };
            y[r, c, k] = S[r, c, k];
        }
        map { reorder (c, r); lanes k; }
    }
}

fn main() {}
