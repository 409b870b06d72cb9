use systolic::systolic;

systolic! {
    kernel sums(x: [f32; N, M]) -> (y: [f32; N]) {
        for n in 0..N, m in 0..M {
            M[n, m] = x[n, m] + if m == 0 { 0.0 } else { M[n, m - 1] };
            if m == M - 1 { y[n] = M[n, m]; }
        }
    }
}

fn main() {}
