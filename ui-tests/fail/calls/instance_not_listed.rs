use systolic::systolic;

systolic! {
    kernel taps<const Q: usize in [2, 5], type T in [f32, f64]>(x: [T; N]) -> (y: [T; N]) {
        for n in 0..N { y[n] = (Q as T) * x[n]; }
    }
}

fn main() {
    let y = taps::<3, f32>::reference(&[1.0, 2.0]);
    println!("{y:?}");
}
