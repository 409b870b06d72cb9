use systolic::systolic;

systolic! {
    kernel sum<const Q: usize in [1, 2, 3]>(x: [f32; 8, 8]) -> (y: [f32; 8, 8]) {
        for r in 0..8, c in 0..8 { y[r, c] = 2.0 * x[r, c]; }
        map {
            space_time (r, c) -> (s, t) = [[1, 2], [1, Q]];
            lanes s;
        }
    }
}

fn main() {}
