use systolic::systolic;

systolic! {
    kernel sum(x: [f32; 8, 8]) -> (y: [f32; 8, 8]) {
        for r in 0..8, c in 0..8 { y[r, c] = 2.0 * x[r, c]; }
        map {
            space_time (r, c) -> (s, t) = [[1, 1], [0, 1]] reverse [[1, -1]];
            lanes s;
        }
    }
}

fn main() {}
