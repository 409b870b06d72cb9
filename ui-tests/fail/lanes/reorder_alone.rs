use systolic::systolic;

systolic! {
    kernel double(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C { y[r, c] = 2.0 * x[r, c]; }
        map { reorder (c, r); }
    }
}

fn main() {}
