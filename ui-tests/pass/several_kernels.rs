use systolic::systolic;

systolic! {
    /// The first.
    kernel first(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[n] + 1.0; }
    }
    /** The second, with `first`'s words. */
    kernel second(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = x[n] + 2.0; }
    }
}

fn main() {
    let y = first::reference(&[1.0]).unwrap();
    assert_eq!(second::reference(&y).unwrap()[0], 4.0);
}
