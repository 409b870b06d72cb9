use systolic::systolic;

systolic! {
    kernel waves(x: [i32; N]) -> (y: [i32; N], z: [i32; N], r: [i32; N]) {
        for n in 0..N {
            y[n] = sin(x[n]);
            z[n] = pow(x[n], 2);
            r[n] = floor(x[n]);
        }
    }
}

fn main() {}
