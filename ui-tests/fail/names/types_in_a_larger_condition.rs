use systolic::systolic;

systolic! {
    kernel scale<type T in [f32, f64], const Q: usize in [2, 5]>(x: [T; N]) -> (y: [T; N]) {
        for n in 0..N {
            y[n] = Q as T * x[n];
        }
        map where (T != f64) == (Q == 5) { tile n by 32 as (nb, ni); lanes ni; }
    }
}

fn main() {}
