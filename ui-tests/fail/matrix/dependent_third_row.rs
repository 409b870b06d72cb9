use systolic::systolic;

systolic! {
    kernel copy(x: [f32; 4, 4, 4]) -> (y: [f32; 4, 4, 4]) {
        for a in 0..4, b in 0..4, c in 0..4 { y[a, b, c] = x[a, b, c]; }
        map {
            space_time (a, b, c) -> (s, t, u) = [[1, 0, 1], [0, 1, 1], [2, -3, -1]];
            lanes s;
        }
    }
}

fn main() {}
