use systolic::systolic;

systolic! {
    kernel flag(x: [i32; N]) -> (y: [bool; N]) {
        for n in 0..N {
            y[n] = x[n] as bool;
        }
    }
}

fn main() {}
