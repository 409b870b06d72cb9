use systolic::systolic;

systolic! {
    kernel taps<const P: usize in [1, 2], type T in [f32, i64], const Q: usize = 3>(
        x: [T; N + P * Q],
        w: const [T; Q],
    ) -> (y: [T; N])
    where P < Q, N >= 1 {
        for n in 0..N, q in 0..Q {
            S[n, q] = w[q] * x[n + P * q] + if q == 0 { 0 as T } else { S[n, q - 1] };
            if q == Q - 1 { y[n] = S[n, q]; }
        }
        map wide where P == 2 { tile n by (32 - P) as (nb, ni); blocks (nb); lanes ni; }
    }
}

fn main() {
    let y = taps::<1, i64, 3>::reference(&[1, 2, 3, 4, 5], &[1, 10, 100]).unwrap();
    assert_eq!(y.to_vec(), [321, 432]);
    let y = taps::<2, f32, 3>::reference(&[1.0; 7], &[1.0, 10.0, 100.0]).unwrap();
    assert_eq!(y.to_vec(), [111.0]);
    assert_eq!(taps_wide::<2, f32, 3>::describe(40).pes, 30);
}
