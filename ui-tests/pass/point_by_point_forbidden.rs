#![forbid(deprecated, warnings)]
use systolic::{Cpu, systolic};

systolic! {
    /// Allowed, so there is nothing that the crate forbids.
    #[allow(point_by_point)]
    kernel up_and_down(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            A[n] = x[n] + if n == 0 { 0 } else { A[n - 1] };
            B[n] = A[n] + if n == N - 1 { 0 } else { B[n + 1] };
            y[n] = B[n];
        }
    }
}

fn main() {
    assert_eq!(up_and_down::run(&Cpu, &[1, 2, 3]).unwrap().to_vec(), [10, 9, 6]);
}
