use systolic::systolic;

systolic! {
    kernel tiled(x: [f32; R, N]) -> (z: [f32; R, N]) {
        for r in 0..R, n in 0..N { z[r, n] = x[r, n]; }
        map { tile r by 4 as (rb, ri); launches (r); tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
    }
}

fn main() {}
