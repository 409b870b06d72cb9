#![deny(warnings)]
use systolic::{Cpu, systolic};

systolic! {
    /// Allowed, so there is no warning.
    #[allow(point_by_point, dead_code)]
    kernel up_and_down(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            A[n] = x[n] + if n == 0 { 0 } else { A[n - 1] };
            B[n] = A[n] + if n == N - 1 { 0 } else { B[n + 1] };
            y[n] = B[n];
        }
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
        pub kernel up_and_down(x: [i32; N]) -> (y: [i32; N]) {
            for n in 0..N {
                A[n] = x[n] + if n == 0 { 0 } else { A[n - 1] };
                B[n] = A[n] + if n == N - 1 { 0 } else { B[n + 1] };
                y[n] = B[n];
            }
        }
    }
}

fn main() {
    let y = up_and_down::run(&Cpu, &[1, 2, 3]).unwrap();
    assert_eq!(y, elsewhere::up_and_down::reference(&[1, 2, 3]).unwrap());
    assert!(up_and_down::choice(&Cpu).point_by_point().is_some());
    assert!(up_and_down::describe(3).point_by_point.is_some());
    assert!(up::choice(&Cpu).point_by_point().is_none());
    assert!(up::describe(3).point_by_point.is_none());
}
