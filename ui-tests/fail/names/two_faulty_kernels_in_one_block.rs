use systolic::systolic;

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 2.0 * z[n]; }
    }
    kernel fine(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 3.0 * x[n]; }
    }
    kernel triple(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = thrice(x[n]); }
    }
}

fn main() {}
