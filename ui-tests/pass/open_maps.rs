// Maps that the compiler completes: numbers that are `_`, clauses that `auto` leaves out.

use systolic::systolic;

systolic! {
    kernel filter(x: [f32; R + 2, C + 2], w: const [f32; 3, 3]) -> (z: [f32; R, C]) {
        for r in 0..R, c in 0..C, p in 0..3, q in 0..3 {
            Z[r, c, p, q] = x[r + p, c + q] * w[p, q]
                + if q > 0 { Z[r, c, p, q - 1] } else if p > 0 { Z[r, c, p - 1, q + 2] } else { 0.0 };
            if p == 2 && q == 2 { z[r, c] = Z[r, c, p, q]; }
        }
        map auto {}
        map numbers {
            tile c by _ as (cb, ci);
            tile r by _ as (rb, ri);
            blocks (rb, cb);
            lanes ci fold _;
            unroll (ri, p, q);
            resident _;
            ahead _;
        }
        map auto tiles { tile c by 128 as (cb, ci); tile r by _ as (rb, ri); resident 16; }
        map auto lanes { tile c by _ as (cb, ci); lanes ci fold 2; }
        map auto wishes on gpu { ahead 4; resident _; }
    }

    kernel skewed<const Q: usize in [2, 5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
        for c in 0..C, q in 0..Q {
            X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
            Z[c, q] = X[c, q] * w[q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
            if q == Q - 1 { z[c] = Z[c, q]; }
        }
        // 32 lanes less Q - 1, for every Q.
        map { tile c by _ as (cb, ci); blocks (cb); space_time (ci, q) -> (s, t) = [[1, 1], [0, 1]]; lanes s; }
        map auto matrix where Q > 2 { tile c by _ as (cb, ci); space_time (ci, q) -> (s, t) = [[1, 1], [0, 1]]; }
    }

    // No warp program at all, with and without `map auto {}`: it runs point by point.
    #[allow(deprecated)]
    kernel scattered(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N, m in 0..N {
            V[n, m] = x[n] + if n > 0 && m > 0 { V[n - 1, m - 1] } else { 0.0 };
            if m == 0 { y[n] = V[n, m]; }
        }
        map auto {}
    }
}

fn main() {
    let x = systolic::ndarray::Array2::from_shape_fn((9, 300), |(r, c)| (r * r + c) as f32);
    let w = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    let z = filter::reference(&x, &w).unwrap();
    assert_eq!(filter::run(&systolic::Cpu, &x, &w).unwrap(), z);
    assert_eq!(filter_auto::run(&systolic::Cpu, &x, &w).unwrap(), z);
    assert_eq!(filter_numbers::run(&systolic::Cpu, &x, &w).unwrap(), z);
    assert_eq!(filter_tiles::run(&systolic::Cpu, &x, &w).unwrap(), z);
    assert_eq!(filter_lanes::run(&systolic::Cpu, &x, &w).unwrap(), z);
    assert_eq!(filter_wishes::run(&systolic::Cpu, &x, &w).unwrap(), z);
    let x: Vec<f32> = (0..104).map(|n| (n * n % 17) as f32).collect();
    let w = [1.0, -2.0, 3.0, -4.0, 5.0];
    let z = skewed::<5>::reference(&x, &w).unwrap();
    assert_eq!(skewed::<5>::run(&systolic::Cpu, &x, &w).unwrap(), z);
    assert_eq!(skewed_matrix::<5>::run(&systolic::Cpu, &x, &w).unwrap(), z);
    assert!(skewed::<5>::describe(104).to_string().contains("28"));
    let y = scattered::reference(&x[..40]).unwrap();
    assert_eq!(scattered::run(&systolic::Cpu, &x[..40]).unwrap(), y);
    assert_eq!(scattered_auto::run(&systolic::Cpu, &x[..40]).unwrap(), y);
}
