use systolic::systolic;

systolic! {
    kernel conv<const P: usize in [3], const Q: usize in [3]>(
        x: [f32; R + P - 1, C + Q - 1],
        w: const [f32; P, Q],
    ) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..P, q in 0..Q {
            X[r, c, p, q] = if q == 0 || c == C - 1 { x[r + p, c + q] } else { X[r, c + 1, p, q - 1] };
            Z[r, c, p, q] = X[r, c, p, q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + Q - 1] } else { 0.0 };
            if p == P - 1 && q == Q - 1 { z[r, c] = Z[r, c, p, q]; }
        }
        map rows on gpu where P == 3 {
            tile c by 128 as (cb, ci);
            tile r by 64 as (rb, ri);
            blocks (rb, cb);
            space_time (ci, ri, p, q) -> (s, t, u, v) =
                [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, -1, 0], [0, 0, 0, 1]]
                reverse [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, -1, 0], [0, 0, 0, 1]];
            lanes s fold 4;
            unroll (u, v);
            stage x in shared at rb;
        }
        map patches on cpu {
            tile c by 8 as (cb, ci);
            tile r by 4 as (rb, ri);
            lanes (ri, ci);
            blocks (cb);
            reorder (rb, p, q);
        }
        map warps {
            tile c by 32 as (cb, ci);
            tile r by 8 as (rb, ri);
            warps (ri);
            lanes ci;
            stage x in registers at p;
        }
    }
}

fn main() {
    let x = systolic::ndarray::Array2::ones((4, 5));
    let z = conv::<3, 3>::reference(&x, &[[1.0; 3]; 3]).unwrap();
    assert_eq!((z.dim(), z[[1, 2]]), ((2, 3), 9.0));
    assert_eq!(conv_rows::<3, 3>::reference(&x, &[[1.0; 3]; 3]).unwrap(), z);
    assert!(conv_patches::<3, 3>::describe(8, 8).pes > 0 && conv_warps::<3, 3>::describe(8, 8).pes > 0);
}
