use systolic::systolic;

systolic! {
    kernel conv<const Q: usize in [5]>(x: [f32; C + Q - 1]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            Z[c, q] = x[c + q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 28 as (cb, ci);
            space_time (ci, q) -> (s, t) = [[0, 1], [1, 0]]; lanes s;
        }
    }
}

fn main() {}
