use systolic::systolic;

systolic! {
    /// A size from a shape, one that follows from it, one that is a parameter.
    kernel steps(x: [f32; N, M + N], rounds: size) -> (y: [f32; M, rounds])
    where M % 2 == 0, rounds <= M {
        for m in 0..M, r in 0..rounds {
            y[m, r] = x[0, m];
        }
    }
}

fn main() {
    let x = systolic::ndarray::Array2::zeros((3, 7));
    assert_eq!(steps::reference(&x, 2).unwrap().dim(), (4, 2));
    assert!(steps::reference(&x, 5).is_err());
}
