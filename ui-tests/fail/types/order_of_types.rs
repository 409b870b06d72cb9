use systolic::systolic;

systolic! {
    kernel double<type T in [f32, f64]>(x: [T; N]) -> (y: [T; N]) {
        for n in 0..N {
            y[n] = 2 as T * x[n];
        }
        map where T < f64 { tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
    }
}

fn main() {}
