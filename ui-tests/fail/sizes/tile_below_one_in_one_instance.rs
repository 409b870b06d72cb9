use systolic::systolic;

systolic! {
    kernel taps<const Q: usize in [2, 5]>(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = 2.0 * x[n];
        }
        map { tile n by (Q - 2) as (nb, ni); lanes ni; }
    }
}

fn main() {}
