use systolic::{Cpu, systolic};

systolic! {
    kernel turn<type T in [f32, f64]>(picture: [T; R, C]) -> (y: [T; C, R]) {
        for r in 0..R, c in 0..C { y[c, r] = picture[r, c]; }
    }
}

fn main() {
    let list = vec![1.0, 2.0, 3.0, 4.0];
    println!("{:?}", turn::<f64>::run(&Cpu, &list));
}
