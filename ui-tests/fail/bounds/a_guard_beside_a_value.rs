use systolic::systolic;

systolic! {
    kernel rises(x: [i32; N]) -> (y: [u8; N]) {
        for n in 0..N {
            y[n] = if n > 0 && x[n] > x[n - 1] { 1 } else { 0 };
        }
    }
}

fn main() {}
