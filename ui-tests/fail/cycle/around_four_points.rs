use systolic::systolic;

systolic! {
    kernel swirl(x: [f32; N, N]) -> (y: [f32; N, N]) {
        for i in 0..N, j in 0..N {
            A[i, j] = x[i, j] + if i == 0 { 0.0 } else { B[i - 1, j] };
            B[i, j] = if j == 0 { 0.0 } else { C[i, j - 1] };
            C[i, j] = if i == N - 1 { 0.0 } else { D[i + 1, j] };
            D[i, j] = if j == N - 1 { 0.0 } else { A[i, j + 1] };
            y[i, j] = D[i, j];
        }
    }
}

fn main() {}
