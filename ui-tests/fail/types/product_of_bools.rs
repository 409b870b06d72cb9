use systolic::systolic;

systolic! {
    kernel both(a: [bool; N], b: [bool; N]) -> (y: [bool; N]) {
        for n in 0..N {
            y[n] = a[n] * b[n];
        }
    }
}

fn main() {}
