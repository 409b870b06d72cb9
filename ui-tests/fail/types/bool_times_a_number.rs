use systolic::systolic;

systolic! {
    kernel masked(x: [f32; N], m: [bool; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = m[n] * x[n];
        }
    }
}

fn main() {}
