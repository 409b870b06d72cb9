use systolic::systolic;

systolic! {
    kernel scale<const K: usize in [1]>(x: [f32; N], w: const [f32; 2 * K]) -> (y: [f32; N]) {
        for n in 0..N { y[n] = w[0] * x[n]; }
    }
}

fn main() {
    let w: Vec<f64> = vec![1.0, 2.0];
    println!("{:?}", scale::<1>::reference(&[1.0], &w));
}
