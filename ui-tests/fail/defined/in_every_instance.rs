use systolic::systolic;

systolic! {
    kernel trail<type T in [f32, f64]>(x: [T; N]) -> (y: [T; N]) {
        for n in 0..N {
            S[n] = x[n] + S[n - 1];
            y[n] = S[n];
        }

        map where T == f32 { tile n by 32 as (nb, ni); lanes ni; }
        map where T == f64 { tile n by 16 as (nb, ni); lanes ni; }
    }
}

fn main() {}
