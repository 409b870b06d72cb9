use systolic::systolic;

fn double(x: &[f32]) -> Vec<f32> {
    systolic! {
        kernel twice(x: [f32; N]) -> (y: [f32; N]) {
            for n in 0..N { y[n] = 2.0 * x[n]; }
        }
    }
    twice::reference(x).unwrap().to_vec()
}

fn main() {
    assert_eq!(double(&[1.0, 2.5]), [2.0, 5.0]);
}
