use systolic::systolic;

systolic! {
    kernel double(x: [f32; 8, 8]) -> (y: [f32; 8, 8]) {
        for r in 0..8, c in 0..8 { y[r, c] = 2.0 * x[r, c]; }
        map { lanes (r, c); }
    }
}

fn main() {}
