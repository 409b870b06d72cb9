use systolic::{Cpu, ndarray::Array2, systolic};

systolic! {
    kernel turn(x: [f32; R, C]) -> (y: [f32; C, R]) {
        for r in 0..R, c in 0..C { y[c, r] = x[r, c]; }
    }
}

fn main() {
    let (x, mut y) = (Array2::zeros((2, 3)), Array2::<f64>::zeros((3, 2)));
    println!("{:?}", turn::run_into(&Cpu, &x, &mut y));
}
