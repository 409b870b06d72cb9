use systolic::systolic;

systolic! {
    /// The product of two polynomials.
    kernel polymul(a: [i64; N], b: [i64; M]) -> (c: [i64; N + M - 1]) {
        for k in 0..N + M - 1, i in 0..N {
            S[k, i] = (if k - i >= 0 && k - i < M { a[i] * b[k - i] } else { 0 }) + if i == 0 { 0 } else { S[k, i - 1] };
            if i == N - 1 { c[k] = S[k, i]; }
        }
    }
}

fn main() -> Result<(), systolic::Error> {
    let polymul = polymul::reference(&[1, 2], &[3, 0, 1])?;
    assert_eq!(polymul.to_vec(), [3, 6, 1, 2]);
    Ok(())
}
