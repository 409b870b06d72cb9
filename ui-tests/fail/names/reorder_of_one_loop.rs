use systolic::systolic;

systolic! {
    kernel sums(x: [f32; R, C]) -> (y: [f32; R]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            if c == C - 1 { y[r] = S[r, c]; }
        }
        map { reorder (c); }
    }
}

fn main() {}
