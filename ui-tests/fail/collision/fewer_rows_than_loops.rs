use systolic::systolic;

systolic! {
    kernel conv<const P: usize = 3, const Q: usize = 4>(x: [f32; R + 2, 32]) -> (z: [f32; R, 29]) {
        for r in 0..R, c in 0..29, q in 0..Q {
            Z[r, c, q] = x[r, c + q] + if q == 0 { 0.0 } else { Z[r, c, q - 1] };
            if q == Q - 1 { z[r, c] = Z[r, c, q]; }
        }
        map {
            space_time (r, c, q) -> (s, t) = [[0, 1, 1], [P, 0, 1]];
            lanes s;
        }
    }
}

fn main() {}
