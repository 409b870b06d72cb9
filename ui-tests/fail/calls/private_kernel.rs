mod inner {
    systolic::systolic! {
        kernel double(x: [f32; N]) -> (y: [f32; N]) {
            for n in 0..N { y[n] = 2.0 * x[n]; }
        }
    }
}

fn main() {
    println!("{:?}", inner::double::reference(&[1.0]));
}
