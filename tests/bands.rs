//! Kernels whose points are few in the box around them: what lies between them takes neither time nor memory.
use std::time::{Duration, Instant};
use systolic::ndarray::Array2;
use systolic::{Cpu, Error, systolic};

systolic! {
    /// A band: only blocks and steps along the diagonal have points.
    kernel band(x: [i32; N + 1]) -> (y: [i32; N, 2]) {
        for i in 0..N, j in i..i + 2 { y[i, j - i] = 3 * x[j]; }
        map tall {
            tile j by 32 as (jb, ji);
            blocks (jb);
            lanes ji;
        }
        map wide {
            tile i by 32 as (ib, ii);
            blocks (ib);
            lanes ii;
        }
    }

    /// The same, with a block for every pair of `i` and `j`.
    kernel pairs(x: [i32; N + 1]) -> (y: [i32; N, 2, 32]) {
        for i in 0..N, j in i..i + 2, k in 0..32 { y[i, j - i, k] = 7 * x[j]; }
        map { blocks (i, j); lanes k; }
    }

    /// Few points far from each other, without a map.
    kernel far_along(x: [i32; N, 2]) -> (y: [i32; N, 2]) {
        for n in 0..N, k in 1000000 * n..1000000 * n + 2 { y[n, k - 1000000 * n] = 5 * x[n, k - 1000000 * n]; }
    }

    /// A band whose values all wait in memory: half of them follow each other upwards, half downwards.
    #[allow(point_by_point)]
    kernel both_ways(x: [i32; N]) -> (y: [i32; N], z: [i32; N]) {
        for i in 0..N, j in i - 1..i + 2 {
            U[i, j] = x[i] + if i == 0 || j == i + 1 { 0 } else { U[i - 1, j] };
            D[i, j] = x[i] + if i == N - 1 || j == i - 1 { 0 } else { D[i + 1, j] };
            if j == i { y[i] = U[i, j]; z[i] = D[i, j]; }
        }
    }
}

fn numbers(count: i32) -> Vec<i32> {
    (0..count).map(|n| n % 1000 * 7919 % 1000 - 500).collect()
}

/// Most blocks and steps of these maps have no point, so the calls run point by point.
#[test]
fn what_lies_between_the_points_costs_nothing() {
    let start = Instant::now();
    let x = numbers(1_000_001);
    let y = band_tall::run(&Cpu, &x).unwrap();
    assert_eq!(y, band::reference(&x).unwrap());
    assert_eq!(band_wide::run(&Cpu, &x).unwrap(), y);
    let x = numbers(40_001);
    assert_eq!(pairs::run(&Cpu, &x).unwrap(), pairs::reference(&x).unwrap());
    let x = Array2::from_shape_vec((1000, 2), numbers(2000)).unwrap();
    assert_eq!(far_along::run(&Cpu, &x).unwrap(), far_along::reference(&x).unwrap());
    // Without that they would take minutes.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_box_that_is_almost_empty_is_an_error() {
    // A variable of three billion points, of which 90,000 exist.
    let line = numbers(30_000);
    match both_ways::reference(&line) {
        Err(Error::Sparse { bytes, points, limit, .. }) => {
            assert!(bytes > 2_000_000_000 && points <= 90_000 && limit == 1 << 30, "{bytes} {points} {limit}");
        }
        other => panic!("{:?}", other.err()),
    }
    assert!(both_ways::reference(&line[..100]).is_ok());
}
