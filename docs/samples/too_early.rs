//! README's error: the time row runs backwards.
use systolic::systolic;

systolic! {
    pub kernel conv1d(x: [f32; C + 4], w: const [f32; 5]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..5 {
            Z[c, q] = x[c + q] * w[q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == 4 { z[c] = Z[c, q]; }
        }
        map {
            tile c by 32 as (cb, ci);
            blocks (cb);
            space_time (ci, q) -> (s, t) = [[1, 0], [0, -1]];
            lanes s;
        }
    }
}
