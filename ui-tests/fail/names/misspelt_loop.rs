use systolic::systolic;

systolic! {
    kernel add(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for row in 0..R, col in 0..C {
            y[row, col] = 1.0 + x[row, cal];
        }
    }
}

fn main() {}
