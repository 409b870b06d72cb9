use systolic::systolic;

systolic! {
    kernel add(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            y[r, c] = 1.0 + x[r];
        }
    }
}

fn main() {}
