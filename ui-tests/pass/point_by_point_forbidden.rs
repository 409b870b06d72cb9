#![forbid(deprecated, warnings)]
use systolic::{Cpu, systolic};

systolic! {
    /// Allowed, so there is nothing that the crate forbids.
    #[allow(point_by_point)]
    kernel folded(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N { y[n] = 2 * x[n]; }
        map { tile n by 160000 as (nb, ni); blocks (nb); lanes ni fold 5000; }
    }
}

fn main() {
    assert_eq!(folded::run(&Cpu, &[1, 2, 3]).unwrap().to_vec(), [2, 4, 6]);
}
