use systolic::systolic;

systolic! {
    kernel columns(x: [f32; R, 32]) -> (y: [f32; R, 32]) {
        for r in 0..R, c in 0..32 {
            S[r, c] = x[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
            y[r, c] = S[r, c];
        }
        map { blocks (r); lanes c; }
    }
}

fn main() {}
