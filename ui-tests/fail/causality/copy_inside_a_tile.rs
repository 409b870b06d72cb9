use systolic::systolic;

systolic! {
    kernel conv<const Q: usize in [5]>(x: [f32; C + Q - 1]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
            Z[c, q] = X[c, q] + if q == Q - 1 { 0.0 } else { Z[c, q + 1] };
            if q == 0 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 28 as (cb, ci); blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 0], [0, -1]]; lanes s;
        }
    }
}

fn main() {}
