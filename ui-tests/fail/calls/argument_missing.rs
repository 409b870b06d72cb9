use systolic::systolic;

systolic! {
    kernel scale(x: [f32; N], by: f32) -> (y: [f32; N]) {
        for n in 0..N { y[n] = by * x[n]; }
    }
}

fn main() {
    println!("{:?}", scale::reference(&[1.0]));
}
