//! A fold of millions is told before any of its registers is looked at.
fn main() {}

systolic::systolic! {
    kernel twice(x: [f32; N]) -> (z: [f32; N]) {
        for n in 0..N {
            X[n] = x[n];
            z[n] = X[n] + X[n];
        }
        map {
            tile n by 2147483648 as (b, p);
            blocks (b);
            lanes p fold 67108864;
        }
    }
}
