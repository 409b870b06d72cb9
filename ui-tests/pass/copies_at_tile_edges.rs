use systolic::systolic;

systolic! {
    /// The copy of `x` moves against the tiles and the blocks: at their edges it is fed.
    kernel sbm<const Q: usize in [2, 5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
            Z[c, q] = X[c, q] * w[q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 28 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 1], [0, 1]];
            lanes s;
        }
    }
}

fn main() {
    assert_eq!(sbm::<2>::reference(&[1.0, 2.0, 3.0], &[1.0, 1.0]).unwrap().to_vec(), [3.0, 5.0]);
}
