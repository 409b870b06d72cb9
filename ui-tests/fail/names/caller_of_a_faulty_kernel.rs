use systolic::systolic;

systolic! {
    kernel twice<type T in [f32, f64]>(x: [T; N], by: T) -> (y: [T; N], z: [T; 1]) {
        for n in 0..N {
            y[n] = by * w[n];
            if n == 0 { z[n] = x[n]; }
        }
        map rows { tile n by 32 as (nb, ni); lanes ni; }
    }
}

fn main() {
    let (y, z) = twice::<f32>::reference(&[1.0, 2.0], 2.0).unwrap();
    println!("{} {} {}", y[0] + z[0], y.len(), twice_rows::<f64>::describe(16).pes);
}
