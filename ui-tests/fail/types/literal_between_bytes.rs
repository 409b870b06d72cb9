use systolic::systolic;

systolic! {
    kernel blend(x: [u8; N], by: [u8; N]) -> (y: [u8; N]) {
        for n in 0..N {
            y[n] = fma(x[n], 0.5, by[n]);
        }
    }
}

fn main() {}
