use systolic::systolic;

systolic! {
    kernel solve(l: [f64; N, N], b: [f64; N]) -> (x: [f64; N]) {
        for i in 0..N, j in 0..i + 1 {
            V[i, j] = if i == j { S[i, j] / l[i, j] } else { V[i - 1, j] };
            S[i, j] = if j == 0 { b[i] } else { S[i, j - 1] - l[i, j - 1] * V[i, j - 1] };
            if i == j { x[i] = V[i, j]; }
        }
    }
}

fn main() {
    let l = [[2.0, 0.0], [1.0, 4.0]];
    assert_eq!(solve::reference(&l, &[2.0, 9.0]).unwrap().to_vec(), [1.0, 2.0]);
}
