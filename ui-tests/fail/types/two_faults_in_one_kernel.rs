use systolic::systolic;

systolic! {
    kernel mix(x: [f32; N], k: [i32; N]) -> (y: [f32; N], z: [u8; N]) {
        for n in 0..N {
            y[n] = x[n] + k[n];
            z[n] = 256;
        }
    }
}

fn main() {}
