use systolic::systolic;

systolic! {
    kernel root<type T in [f32, i32, f64]>(x: [T; N]) -> (y: [T; N]) {
        for n in 0..N {
            y[n] = sqrt(x[n]);
        }
    }
}

fn main() {}
