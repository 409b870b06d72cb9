//! Lawful maps that are too expensive for their points: gaps between steps are closed; a map that still has far more
//! steps than points runs point by point; and one that needs too much scratch memory gives an error before anything
//! runs.
use std::time::{Duration, Instant};
use systolic::ndarray::{Array, Array2, Array3};
use systolic::{Cpu, Error, Limits, systolic};

systolic! {
    /// 16 points, ten million steps apart.
    kernel far_apart(x: [i32; 4, 4]) -> (y: [i32; 4, 4]) {
        for i in 0..4, j in 0..4 {
            S[i, j] = x[i, j] + if j == 0 { 0 } else { S[i, j - 1] };
            y[i, j] = S[i, j];
        }
        map {
            space_time (i, j) -> (s, t) = [[1, 0], [0, 10000000]];
            lanes s;
        }
    }

    /// Two rows with large entries, over loops of constant length.
    kernel mixed(x: [i32; 2, 3, 4]) -> (y: [i32; 2, 3, 4]) {
        for i in 0..2, j in 0..3, k in 0..4 {
            S[i, j, k] = x[i, j, k] + if k == 0 { 0 } else { S[i, j, k - 1] };
            T[i, j, k] = S[i, j, k] + if j == 0 { 0 } else { T[i, j - 1, k] };
            y[i, j, k] = T[i, j, k];
        }
        map {
            space_time (i, j, k) -> (s, t, u) = [[1, 0, 0], [0, 1000003, 618034], [0, 5000000, 999999]];
            lanes s;
        }
    }

    /// A row over two loops of run-time length, whose gaps cannot be closed.
    kernel sparse(x: [i32; 4, J, K]) -> (y: [i32; 4, J, K]) {
        for i in 0..4, j in 0..J, k in 0..K { y[i, j, k] = 2 * x[i, j, k]; }
        map {
            space_time (i, j, k) -> (s, t, u) = [[1, 0, 0], [0, 10007, 6185], [0, 0, 1]];
            lanes s;
        }
    }

    /// Sums down the columns, a row of tiles at a time: the sums of a whole row wait in scratch memory.
    kernel down(x: [i32; R, C, D]) -> (y: [i32; R, C, D]) {
        for r in 0..R, c in 0..C, d in 0..D {
            S[r, c, d] = x[r, c, d] + if r == 0 { 0 } else { S[r - 1, c, d] };
            y[r, c, d] = S[r, c, d];
        }
        map {
            tile c by 32 as (cb, ci);
            tile d by 1 as (db, di);
            blocks (db);
            reorder (r, cb, di);
            lanes ci;
        }
    }

    /// 192 points, three times along all loops. The reads of `T` never happen: their distance must cost no memory.
    kernel never(x: [i32; 4, 6, 8]) -> (y: [i32; 4, 6, 8]) {
        for i in 0..4, j in 0..6, k in 0..8 {
            S[i, j, k] = x[i, j, k] + if k == 0 { 0 } else { S[i, j, k - 1] };
            T[i, j, k] = S[i, j, k] + if i > 1000000 { T[i - 1000000, j, k] } else if j > 70 && k > 90 { T[i, j - 60, k - 80] } else { 0 };
            y[i, j, k] = T[i, j, k];
        }
        map skewed { space_time (i, j, k) -> (s, t, u) = [[1, 0, 0], [2, 3, 1], [3, 1, 3]]; lanes s; }
        map warps { space_time (i, j, k) -> (s, t, u) = [[0, 1, 0], [3, 2, 3], [1, 0, 2]]; lanes s; }
    }
}

fn numbers<const N: usize>(shape: [usize; N]) -> Vec<i32> {
    (0..shape.iter().product::<usize>() as i32).map(|n| n * 7919 % 1000 - 500).collect()
}

#[test]
fn gaps_between_steps_cost_nothing() {
    let x = Array2::from_shape_vec((4, 4), numbers([4, 4])).unwrap();
    let start = Instant::now();
    assert_eq!(far_apart::run(&Cpu, &x).unwrap(), far_apart::reference(&x).unwrap());
    let x = Array3::from_shape_vec((2, 3, 4), numbers([2, 3, 4])).unwrap();
    assert_eq!(mixed::run(&Cpu, &x).unwrap(), mixed::reference(&x).unwrap());
    // Without closing the gaps they would take seconds and gigabytes instead of microseconds.
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert_eq!(far_apart::describe().steps, 4);
}

/// Limits belong to the process, so only one test changes them.
#[test]
fn what_asks_for_too_much_is_an_error() {
    let shape = [4, 5, 5];
    let x = Array::from_shape_vec(shape, numbers(shape)).unwrap();
    let expected = sparse::reference(&x).unwrap();
    let started = Instant::now();
    assert_eq!(sparse::run(&Cpu, &x).unwrap(), expected);
    let by_points = started.elapsed();
    // With the limit raised it runs its 323845 steps.
    let mut limits = Limits::get();
    limits.evaluations_per_point = 10_000;
    limits.set();
    let started = Instant::now();
    assert_eq!(sparse::run(&Cpu, &x).unwrap(), expected);
    assert!(started.elapsed() > 4 * by_points, "{:?} by its map, {by_points:?} point by point", started.elapsed());
    Limits::default().set();

    // Reads that never happen need no memory, however far they look.
    let shape = [4, 6, 8];
    let x = Array::from_shape_vec(shape, numbers(shape)).unwrap();
    let expected = never::reference(&x).unwrap();
    limits.scratch_bytes = 1 << 16;
    limits.set();
    assert_eq!(never_skewed::run(&Cpu, &x).unwrap(), expected);
    assert_eq!(never_warps::run(&Cpu, &x).unwrap(), expected);

    let shape = [3, 3200, 5];
    let x = Array::from_shape_vec(shape, numbers(shape)).unwrap();
    let expected = down::reference(&x).unwrap();
    // Two rows of 100 tiles of 32 lanes.
    let bytes = 2 * 100 * 32 * 4;
    for blocks in [0, 1, 3, 1000] {
        limits = Limits::default();
        limits.scratch_bytes = blocks * bytes;
        limits.set();
        let found = down::run(&Cpu, &x);
        if blocks == 0 {
            assert_eq!(found.unwrap_err(), Error::Scratch { bytes: bytes.into(), limit: 0 });
        } else {
            assert_eq!(found.unwrap(), expected);
        }
    }
    Limits::default().set();
}
