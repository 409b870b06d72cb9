use systolic::ndarray::{Array1, Array2, ArrayView2};
use systolic::systolic;

systolic! {
    pub kernel matvec<type T in [f32, f64]>(a: [T; R, C], x: [T; C]) -> (y: [T; R]) {
        for r in 0..R, c in 0..C {
            S[r, c] = a[r, c] * x[c] + if c == 0 { 0.0 } else { S[r, c - 1] };
            if c == C - 1 { y[r] = S[r, c]; }
        }
    }
}

fn both(a: ArrayView2<'_, f32>, x: &Array1<f32>) -> Result<f32, systolic::Error> {
    let y = matvec::<f32>::reference(a, x)?;
    let z = matvec::<f32>::reference(&a.to_owned(), x.as_slice().unwrap())?;
    Ok(y.sum() + z.sum())
}

fn main() {
    assert_eq!(both(Array2::ones((2, 3)).view(), &Array1::ones(3)).unwrap(), 12.0);
    let wrong = matvec::<f64>::reference(&Array2::ones((2, 3)), &Array1::ones(2));
    assert!(wrong.unwrap_err().to_string().contains('x'));
}
