use systolic::{Cpu, systolic};

systolic! {
    kernel turn(x: [f32; R, C]) -> (y: [f32; C, R]) {
        for r in 0..R, c in 0..C { y[c, r] = x[r, c]; }
    }
}

fn main() {
    println!("{:?}", turn::run(&Cpu, (&[1.0, 2.0], [1, 2, 1])));
}
