use systolic::systolic;

systolic! {
    kernel pick(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            y[n] = if x[n] { 1 } else { 2 };
        }
    }
}

fn main() {}
