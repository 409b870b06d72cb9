use systolic::systolic;

systolic! {
    kernel far(x: [f32; N + 4000000000000]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = x[n];
        }
    }
}

fn main() {}
