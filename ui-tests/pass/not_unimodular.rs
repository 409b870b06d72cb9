use systolic::systolic;

systolic! {
    kernel diamond(x: [f32; 8, 8]) -> (y: [f32; 8, 8]) {
        for r in 0..8, c in 0..8 {
            S[r, c] = x[r, c] + if r == 0 || c == 0 { 0.0 } else { S[r - 1, c] + S[r, c - 1] };
            y[r, c] = S[r, c];
        }
        map { space_time (r, c) -> (s, t) = [[1, -1], [1, 1]]; lanes s; }
    }
}

fn main() {
    assert_eq!(diamond::describe().pes, 15);
}
