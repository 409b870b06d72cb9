use systolic::systolic;

systolic! {
    kernel filter(x: [f64; N], a: const [f64; 300], b: const [f64; 301]) -> (y: [f64; N]) {
        for n in 0..N { y[n] = a[0] * x[n] + b[0]; }
    }
}

fn main() {}
