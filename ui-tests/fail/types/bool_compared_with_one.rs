use systolic::systolic;

systolic! {
    kernel chosen(x: [f32; N], m: [bool; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = if m[n] == 1 { x[n] } else { 0.0 };
        }
    }
}

fn main() {}
