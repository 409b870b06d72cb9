use systolic::systolic;

systolic! {
    kernel lower(x: [f32; N]) -> (y: [f32; N]) {
        for i in 0..N, j in 0..i + 1 {
            S[i, j] = x[j] + if i == 0 { 0.0 } else { S[i - 1, j] };
            if j == i { y[i] = S[i, j]; }
        }
    }
}

fn main() {}
