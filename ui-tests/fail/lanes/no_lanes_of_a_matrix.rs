use systolic::systolic;

systolic! {
    kernel sums(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
            y[r, c] = S[r, c];
        }
        map { space_time (c, r) -> (s, t) = [[1, 0], [0, 1]]; }
    }
}

fn main() {}
