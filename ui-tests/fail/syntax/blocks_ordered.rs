use systolic::systolic;

systolic! {
    kernel word(x: [f32; N]) -> (z: [f32; N]) {
        for n in 0..N { z[n] = x[n]; }
        map { tile n by 32 as (nb, ni); blocks (nb) ordered; lanes ni; }
    }
}

fn main() {}
