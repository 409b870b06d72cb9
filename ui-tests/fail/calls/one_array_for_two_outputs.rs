use systolic::{Cpu, ndarray::Array1, systolic};

systolic! {
    kernel halves(x: [f32; 2 * N]) -> (y: [f32; N], z: [f32; N]) {
        for n in 0..N { y[n] = x[2 * n]; z[n] = x[2 * n + 1]; }
    }
}

fn main() {
    let (x, mut y) = (Array1::zeros(4), Array1::zeros(2));
    println!("{:?}", halves::run_into(&Cpu, &x, &mut y, &mut y));
}
