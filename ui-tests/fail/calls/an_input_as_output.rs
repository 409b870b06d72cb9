use systolic::{Cpu, ndarray::Array1, systolic};

systolic! {
    kernel scale(x: [f32; N], by: f32) -> (y: [f32; N]) {
        for n in 0..N { y[n] = by * x[n]; }
    }
}

fn main() {
    let mut x = Array1::zeros(4);
    println!("{:?}", scale::run_into(&Cpu, &x, 2.0, &mut x));
}
