use systolic::systolic;

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 2.0 * x[n]; }
    }
    kernel double(x: [f64; N]) -> (y: [f64; N]) {
        for n in 0..N { y[n] = 2.0 * x[n]; }
    }
}

fn main() {}
