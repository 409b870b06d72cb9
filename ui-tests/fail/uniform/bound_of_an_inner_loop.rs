use systolic::systolic;

systolic! {
    kernel lower(x: [f32; N, N]) -> (y: [f32; N]) {
        for i in 0..j, j in 0..N {
            if i == 0 { y[j] = x[i, j]; }
        }
    }
}

fn main() {}
