use systolic::systolic;

systolic! {
    kernel twice(x: [f32; R, N]) -> (z: [f32; R, N]) {
        for r in 0..R, n in 0..N { z[r, n] = x[r, n]; }
        map { launches (r); tile n by 32 as (nb, ni); blocks (r, nb); lanes ni; }
    }
}

fn main() {}
