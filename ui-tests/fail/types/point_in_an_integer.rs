use systolic::systolic;

systolic! {
    kernel half(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            y[n] = x[n] * 0.5;
        }
    }
}

fn main() {}
