use systolic::{Cpu, ndarray::Array1, systolic};

systolic! {
    kernel double(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = 2.0 * x[n]; }
    }
}

fn main() {
    println!("{:?}", double::run(&Cpu, &Array1::from_elem(4, 1i32)));
}
