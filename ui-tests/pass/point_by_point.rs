#![deny(warnings)]
use systolic::{Cpu, systolic};

systolic! {
    /// Allowed, so there is no warning.
    #[allow(point_by_point, dead_code)]
    kernel sums(x: [i32; 1]) -> (y: [i32; 1]) {
        for a in 0..2, b in 0..2, c in 0..2, d in 0..2, e in 0..2, f in 0..2 {
            V[a, b, c, d, e, f] = x[0];
            if a + b + c + d + e + f == 0 { y[0] = V[a, b, c, d, e, f]; }
        }
        map { space_time (a, b, c, d, e, f) -> (s) = [[11, 17, 20, 22, 23, 24]]; lanes s fold 4; }
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
        pub kernel sums(x: [i32; 1]) -> (y: [i32; 1]) {
            for a in 0..2, b in 0..2, c in 0..2, d in 0..2, e in 0..2, f in 0..2 {
                V[a, b, c, d, e, f] = x[0];
                if a + b + c + d + e + f == 0 { y[0] = V[a, b, c, d, e, f]; }
            }
            map { space_time (a, b, c, d, e, f) -> (s) = [[11, 17, 20, 22, 23, 24]]; lanes s fold 4; }
        }
    }
}

fn main() {
    let y = sums::run(&Cpu, &[3]).unwrap();
    assert_eq!(y, elsewhere::sums::reference(&[3]).unwrap());
    assert!(sums::choice(&Cpu).point_by_point().is_some());
    assert!(sums::describe().point_by_point.is_some());
    assert!(up::choice(&Cpu).point_by_point().is_none());
    assert!(up::describe(3).point_by_point.is_none());
}
