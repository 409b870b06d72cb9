use systolic::systolic;

systolic! {
    kernel double(x: [f32; 64, 32]) -> (y: [f32; 64, 32]) {
        for r in 0..64, c in 0..32 { y[r, c] = 2.0 * x[r, c]; }
        map { warps (r); lanes c; }
    }
}

fn main() {}
