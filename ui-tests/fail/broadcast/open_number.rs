// Whatever the tile is, the terms of a sum wait for each other in one step.

systolic::systolic! {
    kernel add(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N, k in 0..4 {
            S[n, k] = x[n] + if k == 0 { 0.0 } else { S[n, k - 1] };
            if k == 3 { y[n] = S[n, k]; }
        }
        map {
            tile n by _ as (nb, ni);
            blocks (nb);
            space_time (ni, k) -> (s) = [[1, 1]];
            lanes s;
        }
    }
}

fn main() {}
