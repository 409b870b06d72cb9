use systolic::systolic;

systolic! {
    kernel root(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = sqr(x[n]);
        }
    }
}

fn main() {}
