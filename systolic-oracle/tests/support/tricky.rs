//! Kernels and maps designed to be accepted wrongly. The expected law is given, and brute force is consulted in any
//! case.
use systolic_compiler::fault::Law::{self, *};

pub struct Tricky {
    pub about: &'static str,
    pub text: String,
    /// The law that it breaks; `None` if it is lawful.
    pub law: Option<Law>,
}

/// A sum along `i` with this distance, over `i in LOW..HIGH, j in 0..M`, under this map.
fn sum(about: &'static str, bounds: &str, distance: &str, map: &str, law: Option<Law>) -> Tricky {
    let (low, high) = bounds.split_once("..").expect("bounds");
    let (di, dj) = distance.split_once(',').expect("two distances");
    let guard = |name: &str, d: &str, low: &str, high: &str| match d.trim().parse::<i64>().expect("a number") {
        0 => String::new(),
        d if d > 0 => format!(" || {name} < {low} + {d}"),
        d => format!(" || {name} >= {high} - {}", -d),
    };
    let outside = format!("1 == 2{}{}", guard("i", di, low, high), guard("j", dj, "0", "M"));
    let shift = |name: &str, d: &str| format!("{name} - ({})", d.trim());
    let text = format!(
        "kernel k(x: [i32; N, M] border zero) -> (y: [i32; {high} - ({low}), M]) {{
    for i in {low}..{high}, j in 0..M {{
        S[i, j] = x[i, j] + if {outside} {{ 0 }} else {{ S[{}, {}] }};
        y[i - ({low}), j] = S[i, j];
    }}
    map {{ {map} }}
}}
",
        shift("i", di),
        shift("j", dj),
    );
    Tricky { about, text, law }
}

fn whole(about: &'static str, text: &str, law: Option<Law>) -> Tricky {
    Tricky { about, text: text.to_string(), law }
}

pub fn tricky() -> Vec<Tricky> {
    let mut all = vec![
        // Tiles of tiles.
        sum(
            "a distance longer than the inner tile",
            "0..N",
            "5,0",
            "tile i by 8 as (io, ii); tile ii by 3 as (ia, ib); blocks (j); lanes ib;",
            None,
        ),
        sum(
            "a distance of two outer tiles and a bit",
            "0..N",
            "7,0",
            "tile i by 3 as (io, ii); blocks (j); lanes ii;",
            None,
        ),
        sum(
            "backwards over the inner tile, forwards over the outer",
            "0..N",
            "4,0",
            "tile i by 6 as (io, ii); tile ii by 4 as (ia, ib); blocks (j); reorder (ia, io); lanes ib;",
            Some(Causality),
        ),
        sum(
            "inner tile that does not divide the outer",
            "0..N",
            "1,0",
            "tile i by 5 as (io, ii); tile ii by 2 as (ia, ib); blocks (j); space_time (ia, ib) -> (s, t) = [[1, 0], [1, 1]]; lanes s;",
            Some(Broadcast),
        ),
        sum(
            "the same, with time enough",
            "0..N",
            "1,0",
            "tile i by 5 as (io, ii); tile ii by 2 as (ia, ib); blocks (j); space_time (ia, ib) -> (s, t) = [[1, 0], [2, 1]]; lanes s;",
            None,
        ),
        sum("a distance of exactly one tile", "0..N", "4,0", "tile i by 4 as (io, ii); blocks (j); lanes ii;", None),
        sum(
            "a negative distance of one tile",
            "0..N",
            "-4,0",
            "tile i by 4 as (io, ii); blocks (j); lanes ii;",
            Some(Causality),
        ),
        // Negative lower bounds.
        sum(
            "tiles of a loop that starts below zero",
            "-5..N",
            "1,0",
            "tile i by 4 as (io, ii); blocks (j); space_time (ii) -> (t) = [[1]]; lanes j;",
            Some(Names),
        ),
        sum(
            "the same in order",
            "-5..N",
            "1,0",
            "tile i by 4 as (io, ii); tile j by 8 as (jo, ji); blocks (jo); lanes ji;",
            None,
        ),
        sum(
            "blocks of a loop that starts below zero",
            "-5..N",
            "1,0",
            "tile i by 4 as (io, ii); tile j by 8 as (jo, ji); blocks (io); lanes ji;",
            Some(Blocks),
        ),
        sum("lanes of a loop that starts below zero", "-40..-9", "0,1", "lanes i;", None),
        sum("one lane too many below zero", "-40..-7", "0,1", "lanes i;", Some(Lanes)),
        // Folds.
        sum(
            "a fold that the distance divides",
            "0..N",
            "2,0",
            "tile i by 64 as (io, ii); blocks (j); lanes ii fold 2;",
            Some(Broadcast),
        ),
        sum(
            "registers flow up inside a lane only",
            "0..N",
            "1,0",
            "tile i by 2 as (io, ii); blocks (j); lanes ii fold 2;",
            None,
        ),
        sum(
            "a fold of a negative row",
            "0..N",
            "1,0",
            "tile i by 8 as (io, ii); blocks (j); space_time (ii) -> (s) = [[-1]]; lanes s fold 4;",
            Some(Broadcast),
        ),
        sum(
            "a fold of a negative row, one lane",
            "0..N",
            "1,0",
            "tile i by 4 as (io, ii); blocks (j); space_time (ii) -> (s) = [[-1]]; lanes s fold 4;",
            None,
        ),
        sum(
            "lanes of a doubled row: 63 values",
            "0..N",
            "0,1",
            "tile i by 32 as (io, ii); space_time (ii, j) -> (s, t) = [[2, 0], [0, 1]]; lanes s;",
            Some(Lanes),
        ),
        sum(
            "lanes of a doubled row: 31 values",
            "0..N",
            "0,1",
            "tile i by 16 as (io, ii); space_time (ii, j) -> (s, t) = [[2, 0], [0, 1]]; lanes s;",
            None,
        ),
        // Warps.
        sum(
            "warps that also stand in time",
            "0..N",
            "1,0",
            "tile i by 4 as (io, ii); tile j by 8 as (jo, ji); blocks (jo); space_time (ii, ji) -> (w, s, t) = [[1, 0], [0, 1], [1, 0]]; warps (w); lanes s;",
            Some(Matrix),
        ),
        sum(
            "warps as a pipeline",
            "0..N",
            "1,1",
            "tile i by 4 as (io, ii); tile j by 8 as (jo, ji); space_time (ii, jo, ji) -> (w, t, s) = [[1, 0, 0], [1, 1, 0], [0, 0, 1]]; warps (w); lanes s;",
            None,
        ),
        sum(
            "a pipeline that runs the wrong way",
            "0..N",
            "1,0",
            "tile i by 4 as (io, ii); tile j by 8 as (jo, ji); space_time (ii, jo, ji) -> (w, t, s) = [[1, 0, 0], [-1, 1, 0], [0, 0, 1]]; warps (w); lanes s;",
            Some(Causality),
        ),
        sum(
            "a pipeline without delay",
            "0..N",
            "1,0",
            "tile i by 4 as (io, ii); tile j by 8 as (jo, ji); space_time (ii, jo, ji) -> (w, t, s) = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]; warps (w); lanes s;",
            Some(Broadcast),
        ),
        sum(
            "33 warps",
            "0..N",
            "0,1",
            "tile i by 33 as (io, ii); tile j by 8 as (jo, ji); warps (ii); lanes ji; reorder (io, jo);",
            Some(Lanes),
        ),
        // Overlaps.
        sum(
            "an overlap cannot hold an endless chain",
            "0..N",
            "1,0",
            "tile i by 8 as (io, ii); blocks (io); overlap i by 4; lanes ii;",
            Some(Blocks),
        ),
        sum(
            "an overlap on a loop without carry",
            "0..N",
            "0,1",
            "tile i by 8 as (io, ii); blocks (io); overlap i by 4; lanes ii;",
            None,
        ),
        sum(
            "an overlap that widens the lanes beyond 32",
            "0..N",
            "0,1",
            "tile i by 32 as (io, ii); blocks (io); overlap i by (1, 0); lanes ii;",
            Some(Lanes),
        ),
        // Order of the sequential loops.
        sum(
            "skewed tiles in the wrong order",
            "0..N",
            "1,-1",
            "tile j by 4 as (jo, ji); reorder (jo, i); lanes ji;",
            Some(Causality),
        ),
        sum(
            "skewed tiles in the right order",
            "0..N",
            "1,-1",
            "tile j by 4 as (jo, ji); reorder (i, jo); lanes ji;",
            None,
        ),
        // Fewer rows, and rows that are not unimodular.
        sum(
            "two loops in one row, apart by their bounds",
            "0..4",
            "0,1",
            "tile j by 8 as (jo, ji); space_time (i, ji) -> (s, t) = [[1, 0], [0, 1]]; lanes s;",
            None,
        ),
        sum(
            "one time row of two loops, just apart",
            "0..N",
            "1,0",
            "tile i by 4 as (io, ii); tile j by 3 as (jo, ji); space_time (ii, ji, jo) -> (s, t) = [[0, 1, 0], [1, 0, 4]]; lanes s;",
            None,
        ),
        sum(
            "one time row of two loops, one too near",
            "0..N",
            "1,0",
            "tile i by 4 as (io, ii); tile j by 3 as (jo, ji); space_time (ii, ji, jo) -> (s, t) = [[0, 1, 0], [1, 0, 3]]; lanes s;",
            Some(Collision),
        ),
        sum(
            "a sheared pair of rows with determinant 3",
            "0..N",
            "1,0",
            "tile i by 4 as (io, ii); tile j by 4 as (jo, ji); space_time (ii, ji) -> (s, t) = [[1, -1], [2, 1]]; lanes s;",
            None,
        ),
    ];
    all.extend([
        whole("a triangle in blocks, carried inside a row", "\
kernel k(x: [i32; N, N]) -> (y: [i32; N]) {
    for i in 0..N, j in 0..i + 1 {
        S[i, j] = x[i, j] + if j == 0 { 0 } else { S[i, j - 1] };
        if j == i { y[i] = S[i, j]; }
    }
    map { tile i by 4 as (io, ii); blocks (io); lanes ii; }
}", None),
        whole("a triangle in blocks, carried over the diagonal", "\
kernel k(x: [i32; N, N]) -> (y: [i32; N]) {
    for i in 0..N, j in 0..i + 1 {
        S[i, j] = x[i, j] + if j == 0 { 0 } else { S[i - 1, j - 1] };
        if j == i { y[i] = S[i, j]; }
    }
    map { tile i by 4 as (io, ii); blocks (io); lanes ii; }
}", Some(Blocks)),
        whole("a triangle read above its diagonal", "\
kernel k(x: [i32; N, N]) -> (y: [i32; N]) {
    for i in 0..N, j in 0..i + 1 {
        S[i, j] = x[i, j] + if i == 0 { 0 } else { S[i - 1, j] };
        if j == i { y[i] = S[i, j]; }
    }
}", Some(Defined)),
        whole("a remainder guards the read", "\
kernel k(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N {
        S[i] = x[i] + if i % 4 == 0 { 0 } else { S[i - 1] };
        y[i] = S[i];
    }
    map { tile i by 4 as (io, ii); blocks (io); space_time (ii) -> (t) = [[1]]; lanes io; }
}", Some(Names)),
        whole("a remainder keeps the blocks apart", "\
kernel k(x: [i32; N, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M {
        S[i, j] = x[i, j] + if i % 4 == 0 { 0 } else { S[i - 1, j] };
        y[i, j] = S[i, j];
    }
    map { tile i by 4 as (io, ii); tile j by 8 as (jo, ji); blocks (io, jo); lanes ji; }
}", None),
        whole("a remainder that is off by one does not", "\
kernel k(x: [i32; N, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M {
        S[i, j] = x[i, j] + if i % 4 == 1 || i == 0 { 0 } else { S[i - 1, j] };
        y[i, j] = S[i, j];
    }
    map { tile i by 4 as (io, ii); tile j by 8 as (jo, ji); blocks (io, jo); lanes ji; }
}", Some(Blocks)),
        whole("sizes tied by where keep a read inside", "\
kernel k(x: [i32; N], w: [i32; M]) -> (y: [i32; M]) where M <= N {
    for i in 0..M { y[i] = x[i] + w[i]; }
}", None),
        whole("sizes tied the other way do not", "\
kernel k(x: [i32; N], w: [i32; M]) -> (y: [i32; M]) where M <= N + 1 {
    for i in 0..M { y[i] = x[i] + w[i]; }
}", Some(Bounds)),
        whole("a length tied by a remainder is stored in full", "\
kernel k(x: [i32; 2 * N]) -> (y: [i32; 2 * N]) where N % 3 == 0 {
    for i in 0..N, p in 0..2 { y[2 * i + p] = x[2 * i + p]; }
}", None),
        whole("a stride of 3 leaves elements out", "\
kernel k(x: [i32; 3 * N]) -> (y: [i32; 3 * N]) {
    for i in 0..N, p in 0..2 { y[3 * i + p] = x[3 * i + p]; }
}", Some(Outputs)),
        whole("overlapping strides store twice", "\
kernel k(x: [i32; 2 * N + 1]) -> (y: [i32; 2 * N + 1]) {
    for i in 0..N, p in 0..3 { y[2 * i + p] = x[2 * i + p]; }
}", Some(Outputs)),
        whole("an empty domain for N = 1 stores nothing of one element", "\
kernel k(x: [i32; N]) -> (y: [i32; 1]) {
    for i in 1..N { if i == N - 1 { y[0] = x[i]; } }
}", Some(Outputs)),
        whole("an empty domain for N = 1 with an empty output", "\
kernel k(x: [i32; N]) -> (y: [i32; N - 1]) {
    for i in 1..N { y[i - 1] = x[i]; }
}", None),
        whole("a copy through a copy at the wrong offset is computed", "\
kernel k(x: [i32; N + 1, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M {
        A[i, j] = x[i, j];
        B[i, j] = if i == 0 { x[i + 1, j] } else { A[i - 1, j] };
        y[i, j] = if j == 0 { 0 } else { B[i, j - 1] };
    }
    map { tile j by 8 as (jo, ji); blocks (i, jo); lanes ji; }
}", Some(Blocks)),
        whole("a copy through a copy at the right offset is fed", "\
kernel k(x: [i32; N + 1, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M {
        A[i, j] = x[i + 1, j];
        B[i, j] = if i == 0 { x[i, j] } else { A[i - 1, j] };
        y[i, j] = if j == 0 { 0 } else { B[i, j - 1] };
    }
    map { tile j by 8 as (jo, ji); blocks (i, jo); lanes ji; }
}", None),
        whole("a copy that runs backwards inside a tile", "\
kernel k(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N, t in 0..3 {
        A[i, t] = if t == 2 { x[i] } else { A[i, t + 1] };
        if t == 0 { y[i] = A[i, t]; }
    }
    map { tile i by 32 as (io, ii); blocks (io); lanes ii; }
}", Some(Causality)),
        whole("a copy of a value by a select is none", "\
kernel k(x: [i32; N], s: i32) -> (y: [i32; N]) {
    for i in 0..N {
        A[i] = x[i];
        B[i] = if s > 0 { A[i] } else { A[i] };
        y[i] = if i == 0 { 0 } else { B[i - 1] };
    }
    map { tile i by 8 as (io, ii); blocks (io); lanes ii; }
}", Some(Blocks)),
        whole("a generic in the bounds: one instance of two fits", "\
kernel k<const Q: usize in [4, 5]>(x: [i32; N, M]) -> (y: [i32; N]) where M == 4 {
    for i in 0..N, j in 0..Q {
        S[i, j] = x[i, j] + if j == 0 { 0 } else { S[i, j - 1] };
        if j == Q - 1 { y[i] = S[i, j]; }
    }
}", Some(Bounds)),
        whole("a generic as a distance that may be zero", "\
kernel k<const D: usize in [0, 1]>(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N {
        S[i] = x[i] + if i < D { 0 } else { S[i - D] };
        y[i] = S[i];
    }
}", Some(Cycle)),
        whole("two variables that wait for each other around a corner", "\
kernel k(x: [i32; N, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M {
        A[i, j] = x[i, j] + if i == 0 { 0 } else { B[i - 1, j] };
        B[i, j] = A[i, j] + if i == N - 1 || j == 0 { 0 } else { A[i + 1, j - 1] };
        y[i, j] = B[i, j];
    }
}", None),
        whole("the same with the corner closed", "\
kernel k(x: [i32; N, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M {
        A[i, j] = x[i, j] + if i == 0 { 0 } else { B[i - 1, j] };
        B[i, j] = A[i, j] + if i == N - 1 || j == 0 { 0 } else { A[i + 1, j] };
        y[i, j] = B[i, j];
    }
}", Some(Cycle)),
        whole("two registers that exchange values in one step", "\
kernel k(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N {
        A[i] = x[i] + if i % 2 == 0 { 0 } else { B[i - 1] };
        B[i] = x[i] + if i % 2 == 1 || i == N - 1 { 0 } else { A[i + 1] };
        y[i] = A[i] + B[i];
    }
    map { tile i by 64 as (io, ii); blocks (io); lanes ii fold 2; }
}", Some(Cycle)),
        whole("registers of two variables in opposite order", "\
kernel k(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N {
        A[i] = x[i] + if i % 4 == 0 { 0 } else { B[i - 1] };
        B[i] = x[i] + if i % 4 == 3 { 0 } else { 1 };
        y[i] = A[i] + B[i];
    }
    map { tile i by 64 as (io, ii); blocks (io); lanes ii fold 4; }
}", None),
        whole("nested overlaps, the inner too narrow", "\
kernel k(x: [i32; N, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M, t in 0..3 {
        U[i, j, t] = if t == 0 { x[i, j] } else { U[i, j, t - 1] + if i == 0 { 0 } else { U[i - 1, j, t - 1] } };
        if t == 2 { y[i, j] = U[i, j, t]; }
    }
    map { tile i by 8 as (io, ii); overlap i by (2, 0); tile j by 8 as (jo, ji); blocks (io, jo); lanes ji; tile ii by 4 as (ia, ib); overlap ii by (1, 0); }
}", Some(Names)),
        whole("an overlap in one loop pays for a diagonal", "\
kernel k(x: [i32; N, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M, t in 0..2 {
        U[i, j, t] = if t == 0 { x[i, j] } else { U[i, j, t - 1] + if i == 0 || j == 0 { 0 } else { U[i - 1, j - 1, t - 1] } };
        if t == 1 { y[i, j] = U[i, j, t]; }
    }
    map { tile i by 8 as (io, ii); overlap i by (1, 0); tile j by 8 as (jo, ji); blocks (io, jo); lanes ji; }
}", Some(Blocks)),
        whole("lanes of a triangle are as many as its longest row", "\
kernel k(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N, j in 0..4, k in j..4 {
        S[i, j, k] = x[i] + if k == j { 0 } else { S[i, j, k - 1] };
        if j == 0 && k == 3 { y[i] = S[i, j, k]; }
    }
    map { tile i by 8 as (io, ii); blocks (io); lanes (ii, j); }
}", None),
        whole("lanes of a run-time triangle", "\
kernel k(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N, j in i..i + 4 {
        S[i, j] = x[i] + if j == i { 0 } else { S[i, j - 1] };
        if j == i + 3 { y[i] = S[i, j]; }
    }
    map { lanes j; }
}", Some(Lanes)),
        whole("a band whose difference is a constant number of lanes", "\
kernel k(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N, j in i..i + 4 {
        S[i, j] = x[i] + if j == i { 0 } else { S[i, j - 1] };
        if j == i + 3 { y[i] = S[i, j]; }
    }
    map { space_time (i, j) -> (s, t) = [[-1, 1], [0, 1]]; lanes s; }
}", None),
        whole("a product of sizes too long for a line of lanes", "\
kernel k(x: [i32; N, 6]) -> (y: [i32; N, 6]) {
    for i in 0..N, j in 0..6 { y[i, j] = x[i, j]; }
    map { tile i by 6 as (io, ii); blocks (io); lanes (ii, j); }
}", Some(Lanes)),
        whole("an unguarded side of a value condition", "\
kernel k(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N { y[i] = if x[i] > 0 && i > 0 { x[i - 1] } else { 0 }; }
}", Some(Bounds)),
        whole("else if remembers what was excluded", "\
kernel k(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N { y[i] = if i == 0 { x[0] } else if i != N - 1 { x[i - 1] + x[i + 1] } else { x[i - 1] }; }
}", None),
        whole("a remainder that never comes", "\
kernel k(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N { y[i] = if i % 4 == 5 || (i - 9) % 4 == -1 { x[i - 100] } else { x[i] }; }
}", None),
        whole("a remainder of a negative number is not negative", "\
kernel k(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N { y[i] = if (i - 5) % 4 == 3 { x[i - 1] } else { x[i] }; }
}", Some(Bounds)),
        whole("a tile and a guard by a generic keep the blocks apart", "\
kernel k<const Q: usize in [1, 2, 5]>(x: [i32; N, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M {
        S[i, j] = x[i, j] + if i % Q == 0 { 0 } else { S[i - 1, j] };
        y[i, j] = S[i, j];
    }
    map { tile i by Q as (io, ii); tile j by 8 as (jo, ji); blocks (io, jo); lanes ji; }
}", None),
        whole("a tile by the generic and one does not", "\
kernel k<const Q: usize in [1, 2, 5]>(x: [i32; N, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M {
        S[i, j] = x[i, j] + if i % Q == 0 { 0 } else { S[i - 1, j] };
        y[i, j] = S[i, j];
    }
    map { tile i by (Q + 1) as (io, ii); tile j by 8 as (jo, ji); blocks (io, jo); lanes ji; }
}", Some(Blocks)),
        whole("an overlap of a loop that starts below zero", "\
kernel k(x: [i32; N, M] border zero) -> (y: [i32; N + 5, M]) {
    for i in -5..N, j in 0..M, t in 0..2 {
        U[i, j, t] = if t == 0 { x[i, j] } else { U[i, j, t - 1] + if i == -5 { 0 } else { U[i - 1, j, t - 1] } };
        if t == 1 { y[i + 5, j] = U[i, j, t]; }
    }
    map { tile i by 4 as (io, ii); overlap i by (1, 0); tile j by 8 as (jo, ji); blocks (io, jo); lanes ji; }
}", None),
        whole("the same with the rim on the wrong side", "\
kernel k(x: [i32; N, M] border zero) -> (y: [i32; N + 5, M]) {
    for i in -5..N, j in 0..M, t in 0..2 {
        U[i, j, t] = if t == 0 { x[i, j] } else { U[i, j, t - 1] + if i == -5 { 0 } else { U[i - 1, j, t - 1] } };
        if t == 1 { y[i + 5, j] = U[i, j, t]; }
    }
    map { tile i by 4 as (io, ii); overlap i by (0, 1); tile j by 8 as (jo, ji); blocks (io, jo); lanes ji; }
}", Some(Blocks)),
        whole("a rim of a tile before the first of a loop that follows another", "\
kernel k(x: [i32; N]) -> (y: [i32; N, 3]) {
    for i in 0..N, j in 2..5, k in j..j + 3 {
        V[i, j, k] = x[i] + if k == j { 0 } else { V[i, j, k - 1] };
        if k == j + 2 { y[i, j - 2] = V[i, j, k]; }
    }
    map { tile k by 1 as (ko, ki); overlap k by 2; blocks (ko, ki); lanes j; }
}", Some(Blocks)),
        whole("two tiles that meet in every way at even sizes only", "\
kernel k(x: [i32; N]) -> (y: [i32; N - 1]) where N % 2 == 0 {
    for i in 1..N, k in i..i + 2 { if k == i { y[i - 1] = x[i]; } }
    map {
        tile i by 6 as (io, ii); tile k by 28 as (ko, ki);
        space_time (ii, ki) -> (s, t) = [[1, -1], [2, 2]]; lanes s;
    }
}", Some(Lanes)),
        whole("an overlap whose tiles run in order needs no rim for one step", "\
kernel k(x: [i32; N, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M, t in 0..2 {
        U[i, j, t] = if t == 0 { x[i, j] } else { U[i, j, t - 1] + if i == 0 { 0 } else { U[i - 1, j, t - 1] } };
        if t == 1 { y[i, j] = U[i, j, t]; }
    }
    map { tile i by 4 as (io, ii); overlap i by (1, 0); tile j by 8 as (jo, ji); blocks (jo); lanes ji; }
}", None),
        whole("a read of the future that a where rules out", "\
kernel k(x: [i32; N], m: size) -> (y: [i32; N]) where m == 3 {
    for i in 0..N {
        S[i] = x[i] + if i < m { 0 } else { S[i - 3] };
        y[i] = S[i];
    }
    map { tile i by 3 as (io, ii); lanes ii; }
}", None),
        whole("the same without the where", "\
kernel k(x: [i32; N], m: size) -> (y: [i32; N]) {
    for i in 0..N {
        S[i] = x[i] + if i < m { 0 } else { S[i - 3] };
        y[i] = S[i];
    }
    map { tile i by 3 as (io, ii); lanes ii; }
}", Some(Defined)),
    ]);
    all
}
