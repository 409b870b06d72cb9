use systolic::systolic;

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 2.0 * x[n]; }
        map narrow { tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
        map wide { tile n by 128 as (nb, ni); blocks (nb); lanes ni; }
    }
}

fn main() {}
