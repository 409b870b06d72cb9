use systolic::{ndarray::Array1, systolic};

systolic! {
    kernel turn(x: [f32; R, C]) -> (y: [f32; C, R]) {
        for r in 0..R, c in 0..C { y[c, r] = x[r, c]; }
    }
}

fn main() {
    println!("{:?}", turn::reference(&Array1::<f32>::zeros(4)));
}
