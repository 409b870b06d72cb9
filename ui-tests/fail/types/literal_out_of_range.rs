use systolic::systolic;

systolic! {
    kernel shade(x: [u8; N]) -> (y: [u8; N]) {
        for n in 0..N {
            y[n] = x[n] + 300;
        }
    }
}

fn main() {}
