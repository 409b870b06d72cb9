use systolic::systolic;

systolic! {
    kernel far<const K: usize = 9223372036854775807>(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N {
            y[n] = if n < K * K * K { x[n] } else { 0.0 };
        }
    }
}

fn main() {}
