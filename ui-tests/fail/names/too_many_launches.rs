use systolic::systolic;

systolic! {
    kernel many(x: [f32; A, B, C, N]) -> (z: [f32; A, B, C, N]) {
        for a in 0..A, b in 0..B, c in 0..C, n in 0..N { z[a, b, c, n] = x[a, b, c, n]; }
        map { launches (a, b, c); tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
    }
}

fn main() {}
