use systolic::systolic;

systolic! {
    kernel square<const P: usize in [3], const Q: usize in [5]>(x: [f32; N]) -> (y: [f32; N])
    where P == Q {
        for n in 0..N {
            y[n] = 2.0 * x[n];
        }
    }
}

fn main() {}
