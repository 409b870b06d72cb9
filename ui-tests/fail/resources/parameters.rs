use systolic::systolic;

systolic! {
    kernel filter<const Q: usize in [8, 2000]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            Z[c, q] = x[c + q] * w[q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
    }
}

fn main() {}
