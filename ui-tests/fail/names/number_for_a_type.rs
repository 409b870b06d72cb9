use systolic::systolic;

systolic! {
    kernel scale<type T in [f32, f64], const Q: usize in [2, 5]>(x: [T; N]) -> (y: [T; N]) where T == Q {
        for n in 0..N {
            y[n] = Q as T * x[n];
        }
    }
}

fn main() {}
