use systolic::systolic;

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = 2.0 * x[n];
        }
        map { til n by 32 as (nb, ni); lanes ni; }
    }
}

fn main() {}
