use systolic::systolic;

systolic! {
    kernel negate(x: [u32; N]) -> (y: [u32; N]) {
        for n in 0..N {
            y[n] = -x[n];
        }
    }
}

fn main() {}
