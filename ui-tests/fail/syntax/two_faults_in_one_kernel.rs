use systolic::systolic;

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            D[n] = x[n] +;
            y[n] = D[n]
        }
    }
}

fn main() {}
