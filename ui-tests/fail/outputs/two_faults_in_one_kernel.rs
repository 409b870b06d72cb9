use systolic::systolic;

systolic! {
    kernel two(x: [f32; N]) -> (y: [f32; N], z: [f32; N]) {
        for n in 0..N {
            if n > 0 { y[n] = x[n]; }
            z[0] = x[n];
        }
    }
}

fn main() {}
