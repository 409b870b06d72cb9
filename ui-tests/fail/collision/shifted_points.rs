use systolic::systolic;

systolic! {
    kernel ahead(x: [f32; N, 4]) -> (y: [f32; N, 4]) {
        for n in 0..N, k in 0..4 {
            A[n, k] = x[n, k] + x[n, k];
            B[n, k] = if n == N - 1 { 0.0 } else { A[n + 1, k] };
            y[n, k] = B[n, k];
        }
        map { tile n by 32 as (nb, ni); space_time (ni, nb, k) -> (s, t) = [[1, 0, 0], [0, 3, 1]]; lanes s; shift B by (1, 0); }
    }
}

fn main() {}
