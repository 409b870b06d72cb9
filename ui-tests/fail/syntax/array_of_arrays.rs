use systolic::systolic;

systolic! {
    kernel rows(x: [[f32; C]; R]) -> (y: [f32; R]) {
        for r in 0..R {
            y[r] = x[r, 0];
        }
    }
}

fn main() {}
