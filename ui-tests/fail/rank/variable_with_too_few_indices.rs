use systolic::systolic;

systolic! {
    kernel sum(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if c == 0 { 0.0 } else { S[c - 1] };
            y[r, c] = S[r, c];
        }
    }
}

fn main() {}
