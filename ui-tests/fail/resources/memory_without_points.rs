//! A skewed time row: the row of memory that carries `S` past it has room for far more steps than there are points.
systolic::systolic! {
    kernel planes(x: [f32; 4, 3000, 1000]) -> (y: [f32; 4, 3000, 1000]) {
        for h in 0..4, i in 0..1, j in 0..3000, k in 0..1000 {
            S[h, i, j, k] = x[h, j, k] + if h == 0 { 0.0 } else { S[h - 1, i, j, k] };
            if i == 0 { y[h, j, k] = S[h, i, j, k]; }
        }
        map {
            reorder (h);
            space_time (i, j, k) -> (s, t, u) = [[1, 0, 0], [0, 1, 0], [0, 2, 1]];
            lanes s;
        }
    }
}

fn main() {}
