use systolic::systolic;

systolic! {
    fn double(x: f32) -> f32 {
        2.0 * x
    }
}

fn main() {}
