use systolic::systolic;

systolic! {
    kernel double(x: [f32; 8]) -> (y: [f32; 8]) {
        for n in 0..8 { y[n] = 2.0 * x[n]; }
        map {
            space_time (n) -> (s, t) = [[1], [1]];
            lanes s;
        }
    }
}

fn main() {}
