use systolic::systolic;

systolic! {
    kernel sum(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            Row[r] = x[r, 0];
            y[r, c] = x[r, c] + Row[r, c];
        }
    }
}

fn main() {}
