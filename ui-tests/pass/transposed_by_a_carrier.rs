//! A transposed read of a variable, as the help for it says: `T` and `U` carry its values one step at a time along `k`.
use systolic::ndarray::arr2;
use systolic::systolic;

systolic! {
    kernel turn(x: [f32; N, N]) -> (y: [f32; N, N]) {
        for p in 0..N, s in 0..N, k in 0..N {
            V[p, s, k] = x[p, s] + if s == 0 { 0.0 } else { V[p, s - 1, k] };
            T[p, s, k] = if k == 0 || p == 0 || s == N - 1 { V[p, s, k] } else { T[p - 1, s + 1, k - 1] };
            U[p, s, k] = if k == 0 || s == 0 || p == N - 1 { V[p, s, k] } else { U[p + 1, s - 1, k - 1] };
            if k == p - s { y[p, s] = T[p, s, k]; }
            if k == s - p && p < s { y[p, s] = U[p, s, k]; }
        }
    }
}

fn main() {
    let x = arr2(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
    let wanted = arr2(&[[1.0, 4.0, 7.0], [3.0, 9.0, 15.0], [6.0, 15.0, 24.0]]);
    assert_eq!(turn::reference(&x).unwrap(), wanted);
    assert_eq!(turn::run(&systolic::Cpu, &x).unwrap(), wanted);
}
