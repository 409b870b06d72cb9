use systolic::systolic;

systolic! {
    kernel trail<type T in [f32, f64]>(x: [T; N]) -> (y: [T; N]) {
        for n in 0..N {
            S[n] = x[n] + S[n - 1];
            y[n] = S[n];
        }

        map where T == f32 { tile n by 4; lanes [n]; time [n]; }
        map where T == f64 { tile n by 2; lanes [n]; time [n]; }
    }
}

fn main() {}
