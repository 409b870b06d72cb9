//! Lawful maps that are too expensive for their points: gaps between steps are closed; a map that still has far more
//! steps than points runs point by point; and one that needs too much scratch memory gives an error before anything
//! runs.
use std::sync::RwLock;
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

    /// A read that only a very long loop would do: memory is for the iterations that there are.
    kernel far_back(x: [i32; N, 4]) -> (y: [i32; N, 4]) {
        for n in 0..N, i in 0..4 {
            S[n, i] = x[n, i] + if n < 1000000000 { 0 } else { S[n - 1000000000, i] } + if n < 1500 { 0 } else { S[n - 1500, i] };
            y[n, i] = S[n, i];
        }
        map lanes { lanes i; }
    }

    /// The same loop alone.
    kernel far_back_alone(x: [i32; N]) -> (y: [i32; N]) {
        for n in 0..N {
            S[n] = x[n] + if n < 1000000000 { 0 } else { S[n - 1000000000] } + if n < 1 { 0 } else { S[n - 1] };
            y[n] = S[n];
        }
    }

    /// Rows of earlier iterations of an outer loop, of which there may be fewer than are read back.
    kernel rows_back(x: [i32; N, C]) -> (y: [i32; N, C]) {
        for n in 0..N, c in 0..C {
            S[n, c] = x[n, c] + if n < 20 { 0 } else { S[n - 20, c] } + if n < 9 { 0 } else { S[n - 9, c] };
            y[n, c] = S[n, c];
        }
        map { tile c by 32 as (cb, ci); reorder (n, cb); lanes ci; }
        map backwards {
            tile c by 32 as (cb, ci);
            space_time (n, cb, ci) -> (t, u, s) = [[1, 0, 0], [0, -1, 0], [0, 0, 1]];
            lanes s;
        }
    }

    /// Steps a hundred apart within tiles: every lane has to divide to find its loops.
    kernel apart(x: [i32; I, J]) -> (y: [i32; I, J]) {
        for i in 0..I, j in 0..J {
            S[i, j] = x[i, j] + if i == 0 { 0 } else { S[i - 1, j] };
            T[i, j] = S[i, j] + if j == 0 { 0 } else { T[i, j - 1] };
            y[i, j] = T[i, j];
        }
        map {
            tile i by 32 as (ib, ii);
            tile j by 32 as (jb, ji);
            space_time (ib, jb, ii, ji) -> (a, b, t, s) = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 7, 100], [0, 0, 1, 0]];
            lanes s;
        }
    }

    /// Blocks of a single point, each of which waits for the one before it.
    kernel chain(x: [i32; T, N]) -> (y: [i32; T, N]) {
        for t in 0..T, n in 0..N {
            S[t, n] = x[t, n] + if t == 0 { 0 } else { S[t - 1, n] + if n == 0 { 0 } else { S[t - 1, n - 1] } };
            y[t, n] = S[t, n];
        }
        map { tile n by 1 as (nb, ni); blocks (nb) in order; lanes ni; }
    }
}

/// Limits belong to the process: whoever changes them is alone.
static LIMITS: RwLock<()> = RwLock::new(());

fn numbers<const N: usize>(shape: [usize; N]) -> Vec<i32> {
    (0..shape.iter().product::<usize>() as i32).map(|n| n * 7919 % 1000 - 500).collect()
}

#[test]
fn gaps_between_steps_cost_nothing() {
    let _limits = LIMITS.read().unwrap();
    let x = Array2::from_shape_vec((4, 4), numbers([4, 4])).unwrap();
    let start = Instant::now();
    assert_eq!(far_apart::run(&Cpu, &x).unwrap(), far_apart::reference(&x).unwrap());
    let x = Array3::from_shape_vec((2, 3, 4), numbers([2, 3, 4])).unwrap();
    assert_eq!(mixed::run(&Cpu, &x).unwrap(), mixed::reference(&x).unwrap());
    // Without closing the gaps they would take seconds and gigabytes instead of microseconds.
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert_eq!(far_apart::describe().steps, 4);
}

#[test]
fn what_waits_for_long_takes_no_more_memory_than_there_are_iterations() {
    let _limits = LIMITS.read().unwrap();
    for n in [1, 3, 10, 19, 20, 21, 1501, 4044] {
        let x = Array2::from_shape_vec((n, 4), numbers([n, 4])).unwrap();
        let expected = far_back::reference(&x).unwrap();
        assert_eq!(far_back::run(&Cpu, &x).unwrap(), expected);
        assert_eq!(far_back_lanes::run(&Cpu, &x).unwrap(), expected);
        let shape = [n % 100, n / 30 + 1];
        let x = Array2::from_shape_vec(shape, numbers(shape)).unwrap();
        let expected = rows_back::reference(&x).unwrap();
        assert_eq!(rows_back::run(&Cpu, &x).unwrap(), expected);
        assert_eq!(rows_back_backwards::run(&Cpu, &x).unwrap(), expected);
        let x = numbers([n]);
        assert_eq!(far_back_alone::run(&Cpu, &x).unwrap(), far_back_alone::reference(&x).unwrap());
    }
}

#[test]
fn lanes_that_divide_and_blocks_of_a_point_are_affordable() {
    let _limits = LIMITS.read().unwrap();
    let start = Instant::now();
    for shape in [[3, 5], [200, 70], [30_000, 3]] {
        let x = Array2::from_shape_vec(shape, numbers(shape)).unwrap();
        assert_eq!(apart::run(&Cpu, &x).unwrap(), apart::reference(&x).unwrap());
    }
    for shape in [[3, 5], [1, 30_000], [30_000, 1]] {
        let x = Array2::from_shape_vec(shape, numbers(shape)).unwrap();
        assert_eq!(chain::run(&Cpu, &x).unwrap(), chain::reference(&x).unwrap());
    }
    // Without optimisation the first took minutes.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn what_asks_for_too_much_is_an_error() {
    let _limits = LIMITS.write().unwrap();
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
