use systolic::systolic;

systolic! {
    kernel scale<const Q: usize in [2]>(x: [f32; N], w: const [f32; Q]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = w[0] * x[n]; }
    }
}

fn main() {
    println!("{:?}", scale::<2>::reference(&[1.0], &[1.0, 2.0, 3.0]));
}
