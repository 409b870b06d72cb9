#![deny(warnings)]
use systolic::{Cpu, systolic};

systolic! {
    /// Allowed, so there is no warning.
    #[allow(point_by_point, dead_code)]
    kernel folded(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N { y[n] = 2 * x[n]; }
        map { tile n by 160000 as (nb, ni); blocks (nb); lanes ni fold 5000; }
    }

    /// It has a map, so there is none either.
    kernel up(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            A[n] = x[n] + if n == 0 { 0 } else { A[n - 1] };
            y[n] = A[n];
        }
    }
}

#[allow(deprecated)]
mod elsewhere {
    systolic::systolic! {
        pub kernel folded(x: [i32; N]) -> (y: [i32; N]) {
            for n in 0..N { y[n] = 2 * x[n]; }
            map { tile n by 160000 as (nb, ni); blocks (nb); lanes ni fold 5000; }
        }
    }
}

fn main() {
    let y = folded::run(&Cpu, &[1, 2, 3]).unwrap();
    assert_eq!(y, elsewhere::folded::reference(&[1, 2, 3]).unwrap());
    assert!(folded::choice(&Cpu).point_by_point().is_some());
    assert!(folded::describe(3).point_by_point.is_some());
    assert!(up::choice(&Cpu).point_by_point().is_none());
    assert!(up::describe(3).point_by_point.is_none());
}
