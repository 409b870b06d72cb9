use systolic::systolic;

systolic! {
    kernel word(x: [f32; T, N]) -> (z: [f32; T, N]) {
        for t in 0..T, n in 0..N { z[t, n] = x[t, n]; }
        map { launches t; tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
    }
}

fn main() {}
