use systolic::systolic;

systolic! {
    kernel root(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            y[n] = sqrt(x[n]);
        }
    }
}

fn main() {}
