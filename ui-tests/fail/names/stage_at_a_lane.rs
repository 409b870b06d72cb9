use systolic::systolic;

systolic! {
    kernel double(x: [f32; R, 32]) -> (y: [f32; R, 32]) {
        for r in 0..R, c in 0..32 {
            y[r, c] = 2.0 * x[r, c];
        }
        map { blocks (r); lanes c; stage x in shared at c; }
    }
}

fn main() {}
