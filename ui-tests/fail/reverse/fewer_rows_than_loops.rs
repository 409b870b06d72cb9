use systolic::systolic;

systolic! {
    kernel sum(x: [f32; 4, 8]) -> (y: [f32; 4, 8]) {
        for r in 0..4, c in 0..8 { y[r, c] = 2.0 * x[r, c]; }
        map {
            space_time (r, c) -> (s) = [[8, 1]] reverse [[0], [1]];
            lanes s;
        }
    }
}

fn main() {}
