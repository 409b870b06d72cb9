use systolic::systolic;

systolic! {
    kernel copy(x: [f32; A, B, C, D, E]) -> (y: [f32; A]) {
        for a in 0..A {
            y[a] = 1.0;
        }
    }
}

fn main() {}
