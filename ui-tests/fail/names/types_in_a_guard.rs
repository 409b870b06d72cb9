use systolic::systolic;

systolic! {
    kernel scale<type T in [f32, f64]>(x: [T; N]) -> (y: [T; N]) {
        for n in 0..N {
            y[n] = if T == f64 { 2 as T * x[n] } else { x[n] };
        }
    }
}

fn main() {}
