//! Kernels whose values are carried along a dimension of the mesh: ranks are a pipeline, and parts have the bits of one device.
#![allow(missing_docs)]
use super::table::{Case, Same, floats, ints, meshes, spread};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use systolic::{Cpu, systolic};
use systolic_mesh::{Lost, Mesh, Threads, Transport, threads};

systolic! {
    pub kernel running_sum(x: [f32; N]) -> (y: [f32; N]) {
        for n in 0..N { S[n] = x[n] + if n == 0 { 0.0 } else { S[n - 1] }; y[n] = S[n]; }
    }
    pub kernel summed_area(x: [f32; R, C]) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            P[r, c] = x[r, c] + if c == 0 { 0.0 } else { P[r, c - 1] };
            S[r, c] = P[r, c] + if r == 0 { 0.0 } else { S[r - 1, c] };
            y[r, c] = S[r, c];
        }
    }
    /// A recursive filter of order 2 down columns.
    pub kernel biquad(x: [f32; R, C], a: f32, b: f32) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            Y[r, c] = x[r, c] - a * if r < 1 { 0.0 } else { Y[r - 1, c] } - b * if r < 2 { 0.0 } else { Y[r - 2, c] };
            y[r, c] = Y[r, c];
        }
    }
    /// The same from the last row to the first.
    pub kernel biquad_back(x: [f32; R, C], a: f32, b: f32) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            Y[r, c] = x[r, c] - a * if r >= R - 1 { 0.0 } else { Y[r + 1, c] } - b * if r >= R - 2 { 0.0 } else { Y[r + 2, c] };
            y[r, c] = Y[r, c];
        }
    }
    /// Dynamic time warping of one pair; the cost of every prefix of the first sequence.
    pub kernel dtw(a: [f32; N], b: [f32; M]) -> (cost: [f32; N]) {
        for i in 0..N, j in 0..M {
            D[i, j] = (a[i] - b[j]) * (a[i] - b[j]) + if i == 0 && j == 0 { 0.0 } else {
                min(
                    if i == 0 { 1e30 } else { D[i - 1, j] },
                    min(if j == 0 { 1e30 } else { D[i, j - 1] }, if i == 0 || j == 0 { 1e30 } else { D[i - 1, j - 1] })
                )
            };
            if j == M - 1 { cost[i] = D[i, j]; }
        }
    }
    /// Smith-Waterman of one pair with affine gaps; the best score that ends in each letter of the first, and the best so far.
    pub kernel smith_waterman(a: [i32; N], b: [i32; M]) -> (row: [i32; N], so_far: [i32; N]) {
        for i in 0..N, j in 0..M {
            E[i, j] = if j == 0 { -1000 } else { max(E[i, j - 1] - 1, H[i, j - 1] - 3) };
            F[i, j] = if i == 0 { -1000 } else { max(F[i - 1, j] - 1, H[i - 1, j] - 3) };
            H[i, j] = max(0, max(
                if i == 0 || j == 0 { 0 } else { H[i - 1, j - 1] } + if a[i] == b[j] { 2 } else { -1 },
                max(E[i, j], F[i, j])
            ));
            B[i, j] = max(H[i, j], if j == 0 { 0 } else { B[i, j - 1] });
            T[i, j] = max(B[i, j], if i == 0 { 0 } else { T[i - 1, j] });
            if j == M - 1 { row[i] = B[i, j]; so_far[i] = T[i, j]; }
        }
    }
    /// The longest common subsequence: the whole table.
    pub kernel lcs(a: [i32; N], b: [i32; M]) -> (table: [i32; N, M]) {
        for i in 0..N, j in 0..M {
            L[i, j] = if a[i] == b[j] {
                1 + if i == 0 || j == 0 { 0 } else { L[i - 1, j - 1] }
            } else {
                max(if i == 0 { 0 } else { L[i - 1, j] }, if j == 0 { 0 } else { L[i, j - 1] })
            };
            table[i, j] = L[i, j];
        }
    }
    /// One sweep of Gauss-Seidel: neighbours before are new, neighbours after are old.
    pub kernel gauss_seidel(u: [f32; R, C] border clamp) -> (v: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            V[r, c] = if r == 0 || c == 0 || r == R - 1 || c == C - 1 { u[r, c] } else {
                0.25 * (V[r - 1, c] + V[r, c - 1] + u[r + 1, c] + u[r, c + 1])
            };
            v[r, c] = V[r, c];
        }
    }
    /// With nine points: the row above is new on both sides.
    pub kernel gauss_seidel9(u: [f32; R, C] border clamp) -> (v: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            V[r, c] = if r == 0 || c == 0 || c == C - 1 { u[r, c] } else {
                0.2 * (V[r - 1, c - 1] + V[r - 1, c] + V[r - 1, c + 1] + V[r, c - 1] + u[r, c + 1]) - 0.1 * u[r + 1, c]
            };
            v[r, c] = V[r, c];
        }
    }
    /// A value is carried along the last axis, and rows are read above and below.
    pub kernel rows_and_columns(x: [f32; R, C] border symmetric) -> (y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r - 1, c] + 0.5 * x[r + 1, c] + if c == 0 { 0.0 } else { 0.3 * S[r, c - 1] };
            y[r, c] = S[r, c];
        }
    }
    /// Carried along the first axis of three, read beside itself along the second.
    pub kernel slices(x: [f32; D, R, C] border clamp) -> (y: [f32; D, R, C]) {
        for d in 0..D, r in 0..R, c in 0..C {
            S[d, r, c] = x[d, r - 1, c] + x[d + 1, r + 1, c] - 0.25 * if d < 3 { x[d, r, c] } else { S[d - 3, r, c] };
            y[d, r, c] = S[d, r, c];
        }
    }
    /// Stores beside itself, remainders, several variables of several types, and iterations beyond the rows.
    pub kernel beside(x: [i32; N] border zero) -> (y: [i32; N], z: [i32; 2 * N], flag: [bool; N]) {
        for n in 0..N + 2 {
            A[n] = if n % 3 == 1 { x[n] } else { x[n - 1] * 3 } + if n < 2 { 1 } else { A[n - 2] };
            G[n] = if n == 0 { true } else { G[n - 1] != (x[n] > 0) };
            if n >= 2 { y[n - 2] = A[n]; }
            if n < N { z[2 * n] = A[n]; z[2 * n + 1] = x[n]; flag[n] = G[n]; }
        }
    }
    /// The loop begins before the rows, and values come from there.
    pub kernel before(x: [f32; N] border zero) -> (y: [f32; N]) {
        for n in -3..N + 1 {
            S[n] = x[n] + if n < -1 { 0.5 } else { 0.9 * S[n - 2] };
            if n >= 0 && n < N { y[n] = S[n]; }
        }
    }
    /// Carried down columns, with a border that goes around along rows, and an output per row from the first and the last column.
    pub kernel around(x: [f32; R, C] border wrap) -> (y: [f32; R, 2 * C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c - 1] + 0.5 * x[r, c + 2] + if r == 0 { 0.0 } else { 0.3 * S[r - 1, c] };
            y[r, 2 * c] = S[r, c];
            y[r, 2 * c + 1] = -S[r, c];
        }
    }
    /// Down columns and backwards along rows, with outputs of one column and a mirrored border.
    pub kernel to_the_left(x: [f32; R, C] border reflect) -> (first: [f32; R], last: [f32; R], y: [f32; R, C]) {
        for r in 0..R, c in 0..C {
            S[r, c] = x[r, c - 1] + if c >= C - 2 { 0.25 } else { 0.3 * S[r, c + 2] } + if r == 0 { 0.0 } else { 0.3 * S[r - 1, c] };
            y[r, c] = S[r, c];
            if c == 0 { first[r] = S[r, c]; }
            if c == C - 1 { last[r] = S[r, c]; }
        }
    }
    /// Inputs pass through variables, one of them along the loop.
    pub kernel passed<type T in [f32, f64], const Q: usize in [2, 4]>(x: [T; N, M], w: [T; M]) -> (y: [T; N, M]) {
        for n in 0..N, m in 0..M {
            W[n, m] = if n == 0 { w[m] } else { W[n - 1, m] };
            S[n, m] = x[n, m] * W[n, m] + if n < Q { 0.0 } else { S[n - Q, m] };
            y[n, m] = S[n, m];
        }
    }
}

/// A kernel, and the axes along which values are carried.
struct Pipe {
    case: Case,
    carried: &'static [usize],
}

macro_rules! spread_or_whole {
    (split $mesh:ident $x:ident) => {
        &spread($mesh, &$x)?
    };
    (whole $mesh:ident $x:ident) => {
        &$x
    };
    (value $mesh:ident $x:ident) => {
        $x
    };
}

macro_rules! taken {
    (value $x:ident) => {
        $x
    };
    ($how:ident $x:ident) => {
        &$x
    };
}

macro_rules! pipes {
    ($(($name:literal, $dims:literal, $carried:expr, $kernel:ty, |$a:tt, $b:tt, $c:tt| $(($x:ident: $how:ident = $value:expr))*))*) => {
        fn pipes() -> Vec<Pipe> {
            vec![$(Pipe { carried: &$carried, case: Case {
                name: $name,
                dims: $dims,
                run: |mesh, [$a, $b, $c]| {
                    $(let $x = $value;)*
                    let whole = <$kernel>::run(&Cpu, $(taken!($how $x)),*)?;
                    <$kernel>::run_on(mesh, &Cpu, $(spread_or_whole!($how mesh $x)),*)?.same(&whole)
                },
            }}),*]
        }
    };
}

pipes! {
    ("running sum", 1, [0], running_sum, |n, _, _| (x: split = floats(n)))
    ("running sum of a whole array", 1, [0], running_sum, |n, _, _| (x: whole = floats(n)))
    ("summed area", 2, [0, 1], summed_area, |r, c, _| (x: split = floats((r, c))))
    ("order 2", 2, [0], biquad, |r, c, _| (x: split = floats((r, c))) (a: value = 0.3) (b: value = -0.2))
    ("order 2, backwards", 2, [0], biquad_back, |r, c, _| (x: split = floats((r, c))) (a: value = 0.3) (b: value = -0.2))
    ("time warping", 1, [0], dtw, |n, m, _| (a: split = floats(n)) (b: split = floats(m)))
    ("common subsequence, distributed", 1, [0], lcs, |n, m, _| (a: split = ints(n) % 4) (b: split = ints(m) % 4))
    ("time warping, whole", 1, [0], dtw, |n, m, _| (a: split = floats(n)) (b: whole = floats(m)))
    ("smith-waterman", 1, [0], smith_waterman, |n, m, _| (a: split = ints(n) % 4) (b: whole = ints(m) % 4))
    ("common subsequence", 2, [0, 1], lcs, |n, m, _| (a: whole = ints(n) % 4) (b: whole = ints(m) % 4))
    ("gauss-seidel", 2, [0, 1], gauss_seidel, |r, c, _| (u: split = floats((r, c))))
    ("gauss-seidel of nine points", 1, [0], gauss_seidel9, |r, c, _| (u: split = floats((r, c))))
    ("along the second axis", 2, [1], rows_and_columns, |r, c, _| (x: split = floats((r, c))))
    ("to the left", 1, [0], to_the_left, |r, c, _| (x: split = floats((r, c))))
    ("around", 1, [0], around, |r, c, _| (x: whole = floats((r, c))))
    ("slices", 3, [0], slices, |d, r, c| (x: split = floats((d, r, c))))
    ("beside", 1, [0], beside, |n, _, _| (x: split = ints(n)))
    ("before", 1, [0], before, |n, _, _| (x: split = floats(n)))
    ("passed, 2", 2, [0], passed::<f32, 2>, |n, m, _| (x: split = floats((n, m))) (w: whole = floats(m)))
    ("passed, 4", 2, [0], passed::<f64, 4>, |n, m, _|
        (x: split = floats((n, m)).mapv(f64::from)) (w: whole = floats(m).mapv(f64::from)))
}

/// Parts of one row, of several, and of different numbers of rows.
const SIZES: [[usize; 3]; 3] = [[6, 6, 6], [7, 13, 9], [37, 50, 6]];

/// Runs all kernels on all meshes, with chunks of at least so many iteration points if that is given.
fn run_all(grain: Option<i64>, all: &[usize], sizes: &[[usize; 3]]) -> usize {
    let mut runs = 0;
    for ranks in all {
        for shape in meshes(*ranks) {
            let is_one = |carried: &[usize]| {
                carried.iter().filter(|axis| shape.get(**axis).is_some_and(|ranks| *ranks > 1)).count() <= 1
            };
            for result in threads(*ranks, |rank| {
                let mesh = Mesh::new(rank, &shape).map_err(|error| error.to_string())?;
                grain.into_iter().for_each(|points| mesh.set_grain(points));
                let mut runs = 0;
                for Pipe { case, .. } in pipes().iter().filter(|p| p.case.dims >= shape.len() && is_one(p.carried)) {
                    for sizes in sizes {
                        let told = |error| format!("{} at {sizes:?} on {shape:?}: {error}", case.name);
                        (case.run)(&mesh, *sizes).map_err(told)?;
                        runs += 1;
                    }
                }
                Ok::<usize, String>(runs)
            }) {
                runs += result.expect("no rank panics").unwrap_or_else(|why| panic!("{why}"));
            }
        }
    }
    runs
}

#[test]
fn values_that_are_carried_have_the_bits_of_one_device_on_every_mesh() {
    assert!(run_all(None, &[1, 2, 3, 4, 6], &SIZES) > 2000);
}

#[test]
fn so_have_those_that_are_computed_in_chunks() {
    // One iteration of the other loop at a time, and some.
    run_all(Some(1), &[2, 3, 6], &SIZES[1..2]);
    run_all(Some(40), &[2, 4], &SIZES[2..]);
}

/// A transport that counts messages.
struct Counted {
    inner: Threads,
    sent: Arc<AtomicUsize>,
}

impl Transport for Counted {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn ranks(&self) -> usize {
        self.inner.ranks()
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<(), Lost> {
        self.sent.fetch_add(1, Ordering::Relaxed);
        self.inner.send(to, message)
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, Lost> {
        self.inner.receive(from)
    }

    fn give_up(&self, lost: &Lost) {
        self.inner.give_up(lost);
    }
}

/// How many messages two ranks send, with chunks of one iteration of the other loop or without chunks.
fn messages(case: &Case, grain: Option<i64>) -> usize {
    let sent = Arc::new(AtomicUsize::new(0));
    for result in threads(2, |inner| {
        let mesh = Mesh::new(Counted { inner, sent: sent.clone() }, &[2])?;
        grain.into_iter().for_each(|points| mesh.set_grain(points));
        (case.run)(&mesh, [10, 16, 8])
    }) {
        result.expect("no rank panics").unwrap_or_else(|error| panic!("{}: {error}", case.name));
    }
    sent.load(Ordering::Relaxed)
}

#[test]
fn ranks_work_at_the_same_time_where_another_loop_allows_it() {
    for Pipe { case, carried } in pipes().iter().filter(|p| p.carried.contains(&0)) {
        let (whole, chunks) = (messages(case, None), messages(case, Some(1)));
        // There is no other loop, or values go along it both ways.
        let is_chain =
            ["running sum", "running sum of a whole array", "gauss-seidel of nine points", "beside", "before"];
        match is_chain.contains(&case.name) {
            true => assert_eq!(whole, chunks, "{} along {carried:?}", case.name),
            false => assert!(whole + 3 <= chunks, "{}: {whole} and {chunks}", case.name),
        }
    }
}
