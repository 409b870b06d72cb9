use systolic::systolic;

systolic! {
    kernel smooth(x: [f32; N]) -> (y: [f32; N]) {
        for t in 0..4, n in 0..N {
            A[t, n] = if t == 0 || n == 0 { x[n] } else { A[t - 1, n] + A[t - 1, n - 1] };
            if t == 3 { y[n] = A[t, n]; }
        }
        map { tile n by 28 as (nb, ni); blocks (nb); overlap n by (3, 0); lanes ni; }
    }
}

fn main() {
    assert_eq!(smooth::reference(&[1.0, 1.0]).unwrap().to_vec(), [1.0, 4.0]);
}
