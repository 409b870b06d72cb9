use systolic::systolic;

systolic! {
    kernel ends(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            if n < 2 { y[n] = 0.0; }
            if n > 2 { y[n] = x[n]; }
        }
    }
}

fn main() {}
