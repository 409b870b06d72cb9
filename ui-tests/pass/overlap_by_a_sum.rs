//! The width of an overlap is any constant: a sum of generics, with or without parentheses.
use systolic::systolic;

systolic! {
    kernel diffuse<const T: usize in [1, 2]>(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N, t in 0..2 * T + 1 {
            U[n, t] = if t == 0 { x[n] } else {
                (if n == 0 { 0.0 } else { U[n - 1, t - 1] }) + if n == N - 1 { 0.0 } else { U[n + 1, t - 1] }
            };
            if t == 2 * T { y[n] = U[n, t]; }
        }
        map sum { tile n by 16 as (nb, ni); blocks (nb); overlap n by T + T; lanes ni; }
        map product { tile n by 16 as (nb, ni); blocks (nb); overlap n by (T + 1) * 2 - 2; lanes ni; }
        map sides { tile n by 16 as (nb, ni); blocks (nb); overlap n by (T + T, 2 * T); lanes ni; }
    }
}

fn main() {
    let x = [0.0, 0.0, 1.0, 0.0, 0.0];
    let wanted = diffuse_sum::<2>::reference(&x).unwrap();
    assert_eq!(wanted.to_vec(), [3.0, 0.0, 6.0, 0.0, 3.0]);
    assert_eq!(diffuse_sum::<2>::run(&systolic::Cpu, &x).unwrap(), wanted);
    assert_eq!(diffuse_product::<2>::run(&systolic::Cpu, &x).unwrap(), wanted);
    assert_eq!(diffuse_sides::<2>::run(&systolic::Cpu, &x).unwrap(), wanted);
}
