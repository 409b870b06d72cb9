#![deny(warnings)]
use systolic::systolic;

systolic! {
    pub kernel folded(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N { y[n] = 2 * x[n]; }
        map { tile n by 160000 as (nb, ni); blocks (nb); lanes ni fold 5000; }
    }
}

fn main() {}
