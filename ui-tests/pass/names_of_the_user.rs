//! Items of the user's that are called as what a kernel names, and names that emitted code uses itself.
#![allow(dead_code, non_upper_case_globals, non_camel_case_types)]
#![forbid(deprecated, non_snake_case, unused_variables)]

use systolic::Cpu;

const N: usize = 3;
static x: i32 = 7;
struct y;
type Q = u8;
trait i64 {}

systolic::systolic! {
    kernel weighted<const Q: usize in [1, 2]>(x: [i32; N], w: const [i32; Q], x_of_weighted: i32) -> (y: [i32; N]) {
        for n in 0..N { y[n] = x[n] * w[Q - 1] + x_of_weighted; }
    }

    kernel Some(Ok: [i32; N], device: i32) -> (Err: [i32; N]) {
        for n in 0..N { Err[n] = Ok[n] + device; }
    }

    kernel k(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N { y[n] = x[n]; }
    }

    kernel __k_Instance(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N { y[n] = -x[n]; }
    }
}

mod sized {
    systolic::systolic! {
        pub kernel usize<const device: usize in [2]>(None: [i32; N]) -> (call: [i32; N]) {
            for n in 0..N { call[n] = None[n] * 2; }
        }
    }
}

mod bare {
    #![no_implicit_prelude]
    ::systolic::systolic! {
        pub kernel doubled(x: [i32; N]) -> (y: [i32; N]) where N > 1 {
            for n in 0..N { y[n] = 2 * x[n]; }
            map fast { tile n by 32 as (nb, ni); blocks (nb); lanes ni; }
        }
    }
}

fn main() {
    let given = [1; N];
    assert_eq!(weighted::<2>::run(&Cpu, &given, &[5, x], 1).unwrap().to_vec(), [8; N]);
    assert_eq!(Some::run(&Cpu, &given, 4).unwrap().to_vec(), [5; N]);
    assert_eq!(sized::usize::<2>::reference(&given).unwrap().to_vec(), [2; N]);
    assert_eq!(k::run(&Cpu, &given).unwrap().to_vec(), [1; N]);
    assert_eq!(__k_Instance::run(&Cpu, &given).unwrap().to_vec(), [-1; N]);
    assert_eq!(bare::doubled_fast::run(&Cpu, &given).unwrap().to_vec(), [2; N]);
    // Conditions are checked by every function, also where there is nothing to compute.
    let nothing: [i32; 0] = [];
    let refused = "`where N > 1` does not hold with N = 0 (from `x`)";
    assert_eq!(bare::doubled::reference(&nothing).unwrap_err().to_string(), refused);
    assert_eq!(bare::doubled::run(&Cpu, &nothing).unwrap_err().to_string(), refused);
    assert_eq!(bare::doubled_fast::run(&Cpu, &nothing).unwrap_err().to_string(), refused);
    let mut into = systolic::ndarray::Array1::<i32>::zeros(0);
    assert_eq!(bare::doubled::run_into(&Cpu, &nothing, &mut into).unwrap_err().to_string(), refused);
    assert_eq!(bare::doubled::describe(0).steps, 0);
}
