use systolic::systolic;

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 2.0 * x[n]; }
    }
}

fn main() {
    let x: Vec<f64> = vec![1.0, 2.0];
    println!("{:?}", double::reference(&x));
}
