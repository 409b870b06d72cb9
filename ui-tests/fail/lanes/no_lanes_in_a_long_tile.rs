use systolic::systolic;

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 2.0 * x[n]; }
        map { tile n by 128 as (nb, ni); blocks (nb); }
    }
}

fn main() {}
