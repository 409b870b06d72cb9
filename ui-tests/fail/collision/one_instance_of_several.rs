use systolic::systolic;

systolic! {
    kernel double<const Q: usize in [8, 7, 6]>(x: [f32; 4, 8]) -> (y: [f32; 4, 8]) {
        for r in 0..4, c in 0..8 { y[r, c] = 2.0 * x[r, c]; }
        map {
            space_time (r, c) -> (s) = [[Q, 1]];
            lanes s;
        }
    }
}

fn main() {}
