use systolic::systolic;

systolic! {
    kernel double<type T in [f32, f64]>(x: [T; N]) -> (y: [T; N]) where T >= f64 {
        for n in 0..N {
            y[n] = 2 as T * x[n];
        }
    }
}

fn main() {}
