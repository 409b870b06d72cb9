use systolic::systolic;

systolic! {
    kernel add(a: [f32; N], b: [f32; M]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = a[n] + b[n];
        }
    }
}

fn main() {}
