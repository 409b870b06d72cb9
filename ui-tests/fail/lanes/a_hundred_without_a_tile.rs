use systolic::systolic;

systolic! {
    kernel double(x: [f32; N, 100]) -> (y: [f32; N, 100]) {
        for n in 0..N, k in 0..100 { y[n, k] = 2.0 * x[n, k]; }
        map { blocks (n); lanes k; }
    }
}

fn main() {}
