use systolic::systolic;

systolic! {
    kernel double(x: [f32; A, B, 32]) -> (y: [f32; A, B, 32]) {
        for a in 0..A, b in 0..B, c in 0..32 { y[a, b, c] = 2.0 * x[a, b, c]; }
        map { reorder (b, c, a); resident 8; }
    }
}

fn main() {}
