use systolic::systolic;

systolic! {
    kernel double(x: [f32; 4, 8]) -> (y: [f32; 4, 8]) {
        for r in 0..4, c in 0..8 { y[r, c] = 2.0 * x[r, c]; }
        map rows { lanes c; }
        map packed {
            space_time (r, c) -> (s) = [[4, 1]];
            lanes s;
        }
    }
}

fn main() {}
