//! Rejections written by hand: a lawful kernel with a change, the law, the tokens pointed at, and the witness.
use systolic_compiler::fault::Law;

pub const CONV: &str = "\
kernel conv<const Q: usize in [5]>(x: [f32; C + Q - 1], w: const [f32; Q]) -> (z: [f32; C]) {
    for c in 0..C, q in 0..Q {
        X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else { X[c + 1, q - 1] };
        W[c, q] = w[q];
        Z[c, q] = X[c, q] * W[c, q] + if q == 0 { 0.0 } else { Z[c, q - 1] };
        if q == Q - 1 { z[c] = Z[c, q]; }
    }
    map {
        tile c by 28 as (cb, ci);
        blocks (cb);
        space_time (ci, q) -> (s, t) = [[1, 1], [0, 1]];
        lanes s;
    }
}
";
pub const LINE: &str = "\
kernel line(x: [u8; N]) -> (y: [u8; N]) {
    for i in 0..N { y[i] = x[i]; }
    map { tile i by 32 as (ib, ii); blocks (ib); lanes ii; }
}
";
/// Sums from the right, in loops that run to the right.
pub const LINE2: &str = "\
kernel line2(x: [i32; N]) -> (y: [i32; 1]) {
    for i in 0..N {
        S[i] = x[i] + if i == N - 1 { 0 } else { S[i + 1] };
        if i == 0 { y[0] = S[i]; }
    }
    map { tile i by 8 as (ib, ii); lanes ii; }
}
";
pub const TRI: &str = "\
kernel tri(l: [f64; N, N], b: [f64; N]) -> (x: [f64; N]) {
    for i in 0..N, j in 0..i + 1 {
        S[i, j] = if j == 0 { 0.0 } else { S[i, j - 1] + l[i, j - 1] * X[i, j - 1] };
        X[i, j] = if j == i { (b[i] - S[i, j]) / l[i, i] } else { X[i - 1, j] };
        if j == i { x[i] = X[i, j]; }
    }
    map {
        tile i by 32 as (ib, ii);
        space_time (ii, j) -> (s, t) = [[1, 0], [1, 1]];
        lanes s;
    }
}
";
/// Three variables that depend on each other at one column.
pub const RING: &str = "\
kernel ring(x: [i32; N]) -> (y: [i32; N]) {
    for i in 0..N {
        A[i] = if i == 3 { B[i] } else { x[i] };
        B[i] = if i >= 3 { C[i] } else { 0 };
        C[i] = if i <= 3 { A[i] } else { 1 };
        y[i] = A[i] + C[i];
    }
}
";
pub const LCS: &str = "\
kernel lcs(a: [u8; N], b: [u8; M]) -> (l: [i32; 1]) {
    for i in 0..N, j in 0..M {
        L[i, j] = if a[i] == b[j] { 1 + if i == 0 || j == 0 { 0 } else { L[i - 1, j - 1] } }
            else { max(if i == 0 { 0 } else { L[i - 1, j] }, if j == 0 { 0 } else { L[i, j - 1] }) };
        if i == N - 1 && j == M - 1 { l[0] = L[i, j]; }
    }
    map {
        tile i by 32 as (ib, ii);
        space_time (ii, j) -> (s, t) = [[1, 0], [1, 1]];
        lanes s;
    }
}
";
/// Sums over warps in one step.
pub const LCSW: &str = "\
kernel warped(x: [i32; N, M]) -> (y: [i32; M]) {
    for i in 0..N, j in 0..M {
        S[i, j] = x[i, j] + if i == 0 { 0 } else { S[i - 1, j] };
        if i == N - 1 { y[j] = S[i, j]; }
    }
    map {
        tile i by 4 as (ib, iw);
        tile j by 32 as (jb, ji);
        blocks (jb);
        warps (iw);
        lanes ji;
    }
}
";
/// Registers of a fold that depend on each other within a step.
pub const FOLD: &str = "\
kernel folded(x: [i32; N, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M {
        S[i, j] = x[i, j] + if j == 0 { 0 } else { S[i, j - 1] };
        y[i, j] = S[i, j];
    }
    map {
        tile j by 64 as (jb, ji);
        blocks (i);
        lanes ji fold 2;
    }
}
";
pub const MM: &str = "\
kernel product(a: [f32; M, K], b: [f32; K, N]) -> (c: [f32; M, N]) {
    for i in 0..M, j in 0..N, k in 0..K {
        A[i, j, k] = if j == 0 { a[i, k] } else { A[i, j - 1, k] };
        B[i, j, k] = if i == 0 { b[k, j] } else { B[i - 1, j, k] };
        C[i, j, k] = A[i, j, k] * B[i, j, k] + if k == 0 { 0.0 } else { C[i, j, k - 1] };
        if k == K - 1 { c[i, j] = C[i, j, k]; }
    }
    map {
        tile j by 32 as (jb, ji);
        tile i by 4 as (ib, ii);
        blocks (ib, jb);
        space_time (ji, ii, k) -> (s, t, u) = [[1, 0, 0], [0, 0, 1], [0, 1, 0]];
        lanes s;
    }
}
";
/// The 2-D design with fewer rows than loops.
pub const SBM2: &str = "\
kernel sbm2<const P: usize = 3>(x: [f32; R + P - 1, C + P - 1], w: const [f32; P, P]) -> (z: [f32; R, C]) {
    for r in 0..R, c in 0..C, p in 0..P, q in 0..P {
        X[r, c, p, q] = x[r + p, c + q];
        Z[r, c, p, q] = X[r, c, p, q] * w[p, q]
            + if p > 0 { Z[r, c, p - 1, q] } else if q > 0 { Z[r, c, p + P - 1, q - 1] } else { 0.0 };
        if p == P - 1 && q == P - 1 { z[r, c] = Z[r, c, p, q]; }
    }
    map {
        tile c by 28 as (cb, ci);
        blocks (r, cb);
        space_time (ci, p, q) -> (s, t) = [[1, 0, 1], [0, 1, P]];
        lanes s;
    }
}
";
pub const JACOBI: &str = "\
kernel jacobi<const T: usize = 2>(x: [f32; R, C], a: f32) -> (y: [f32; R, C]) {
    for r in 0..R, c in 0..C, t in 0..T + 1 {
        U[r, c, t] = if t == 0 { x[r, c] } else {
            a * ((if r == 0 { 0.0 } else { U[r - 1, c, t - 1] })
               + (if r == R - 1 { 0.0 } else { U[r + 1, c, t - 1] })
               + (if c == 0 { 0.0 } else { U[r, c - 1, t - 1] })
               + (if c == C - 1 { 0.0 } else { U[r, c + 1, t - 1] }))
        };
        if t == T { y[r, c] = U[r, c, t]; }
    }
    map {
        tile c by 16 as (cb, ci);
        tile r by 8 as (rb, ri);
        blocks (rb, cb);
        overlap c by T;
        overlap r by T;
        space_time (ci, ri, t) -> (s, u, v) = [[1, 0, 0], [0, 1, 1], [0, 0, 1]];
        lanes s;
        unroll (v);
    }
}
";
/// A rotation in every register of a large fold.
pub const FAT: &str = "\
kernel fat(x: [f64; N, M]) -> (y: [f64; M]) {
    for i in 0..N, j in 0..M {
        S[i, j] = x[i, j] + if i < 4 { 0.0 } else { S[i - 4, j] };
        if i == N - 1 { y[j] = S[i, j]; }
    }
    map {
        tile j by 1024 as (jb, ji);
        blocks (jb);
        lanes ji fold 32;
    }
}
";
/// Sums along the other diagonal.
pub const SKEW: &str = "\
kernel skew(x: [i32; N, M]) -> (y: [i32; N, M]) {
    for i in 0..N, j in 0..M {
        S[i, j] = x[i, j] + if i == 0 || j == M - 1 { 0 } else { S[i - 1, j + 1] };
        y[i, j] = S[i, j];
    }
    map { tile j by 4 as (jb, ji); lanes ji; }
}
";

pub struct Rejection {
    pub law: Law,
    base: &'static str,
    changes: &'static [(&'static str, &'static str)],
    /// The tokens pointed at.
    pub at: &'static str,
    /// Sizes | point | other point | element.
    pub witness: &'static str,
}

impl Rejection {
    pub fn text(&self) -> String {
        let mut text = self.base.to_string();
        for (from, to) in self.changes {
            assert!(text.contains(from), "`{from}` is not in\n{text}");
            text = text.replacen(from, to, 1);
        }
        text
    }
}

const fn no(
    law: Law,
    base: &'static str,
    changes: &'static [(&'static str, &'static str)],
    at: &'static str,
    witness: &'static str,
) -> Rejection {
    Rejection { law, base, changes, at, witness }
}

pub const REJECTIONS: &[Rejection] = &[
    no(Law::Syntax, CONV, &[("kernel conv", "kernl conv")], "kernl", ""),
    no(Law::Syntax, CONV, &[("W[c, q] = w[q];", "W[c, q] = w[q]")], "Z", ""),
    no(Law::Syntax, CONV, &[("tile c by 28", "til c by 28")], "til", ""),
    no(Law::Syntax, CONV, &[("if q == Q - 1 { z", "if q = Q - 1 { z")], "=", ""),
    no(Law::Syntax, CONV, &[("lanes s;", "lanes s; lanes s;")], "lanes", ""),
    no(Law::Syntax, CONV, &[("for c in 0..C", "for match in 0..C")], "match", ""),
    no(Law::Syntax, CONV, &[("w[q];", "abs(w[q]).max(1);")], ".", ""),
    no(Law::Syntax, CONV, &[("blocks (cb);", "blocks cb;")], "cb", ""),
    no(Law::Names, CONV, &[("X[c + 1, q - 1]", "XX[c + 1, q - 1]")], "XX", ""),
    no(Law::Names, CONV, &[("w[q];", "w[p];")], "p", ""),
    no(Law::Names, CONV, &[("W[c, q] = w[q];", "W[c, q] = w[q]; W[c, q] = w[q];")], "W", ""),
    no(Law::Names, CONV, &[("Z[c, q - 1]", "z[c]")], "z", ""),
    no(Law::Names, CONV, &[("W[c, q] = w[q]", "w[q] = W[c, q]")], "w", ""),
    no(Law::Names, CONV, &[("blocks (cb)", "blocks (c)")], "c", ""),
    no(Law::Names, CONV, &[("lanes s;", "lanes s; overlap q by 1;")], "q", ""),
    no(Law::Names, CONV, &[("lanes s;", "lanes s; unroll (s);")], "s", ""),
    no(Law::Names, CONV, &[("x: [f32;", "x: [f23;")], "f23", ""),
    no(Law::Names, CONV, &[("lanes s;", "lanes s; reorder (q);")], "q", ""),
    no(Law::Names, LINE, &[("lanes ii;", "lanes ii; stage x in shared at ii;")], "ii", ""),
    no(Law::Rank, CONV, &[("Z[c, q - 1]", "Z[c]")], "Z[c]", ""),
    no(Law::Rank, CONV, &[("x[c + q]", "x[c, q]")], "x[c, q]", ""),
    no(Law::Rank, CONV, &[("z[c] =", "z[c, q] =")], "z[c, q]", ""),
    no(Law::Rank, CONV, &[("w: const [f32; Q]", "w: const [f32; Q, 1, 1, 1, 1]")], "[f32; Q, 1, 1, 1, 1]", ""),
    no(Law::Types, CONV, &[("{ 0.0 }", "{ 0i32 }")], "if q == 0 { 0i32 } else { Z[c, q - 1] }", ""),
    no(Law::Types, CONV, &[("w: const [f32; Q]", "w: const [f64; Q]")], "W[c, q]", ""),
    no(Law::Types, CONV, &[("= w[q];", "= w[q] + 1.5u8;")], "1.5u8", ""),
    no(Law::Types, LINE, &[("y[i] = x[i];", "y[i] = x[i] + 300;")], "300", ""),
    no(Law::Types, CONV, &[("= w[q];", "= W[c, q - 1];"), (" * W[c, q]", "")], "W", ""),
    no(Law::Types, LINE, &[("y[i] = x[i];", "y[i] = x[i] + i;")], "i", ""),
    no(Law::Types, LINE, &[("y[i] = x[i];", "y[i] = !x[i] && true;")], "!x[i]", ""),
    no(Law::Types, LINE, &[("y[i] = x[i];", "y[i] = min(x[i]);")], "min", ""),
    no(Law::Sizes, CONV, &[("for c in 0..C,", "for c in 0..D,")], "D", ""),
    no(Law::Sizes, LINE, &[("x: [u8; N]", "x: [u8; N + M]")], "N", ""),
    no(Law::Sizes, CONV, &[("tile c by 28", "tile c by 0")], "0", ""),
    no(Law::Sizes, CONV, &[("w: const [f32; Q]", "w: const [f32; C]")], "C", ""),
    no(
        Law::Sizes,
        CONV,
        &[("for c in 0..C", "for c in 0..C * 100000000000000000000000000000")],
        "C * 100000000000000000000000000000",
        "",
    ),
    no(Law::Sizes, CONV, &[("lanes s;", "lanes s fold 0;")], "0", ""),
    no(
        Law::Sizes,
        CONV,
        &[("Q: usize in [5]", "Q: usize in [5], const P: usize in [0]"), ("q in 0..Q", "q in 0..Q / P")],
        "Q / P",
        "",
    ),
    no(Law::Uniform, CONV, &[("Z[c, q - 1]", "Z[c, 2 * q - 1]")], "2 * q - 1", ""),
    no(Law::Uniform, CONV, &[("X[c + 1, q - 1]", "X[q - 1, c + 1]")], "q - 1", ""),
    no(Law::Uniform, CONV, &[("x[c + q]", "x[c * q]")], "c * q", ""),
    no(Law::Uniform, CONV, &[("W[c, q] = w[q]", "W[q, c] = w[q]")], "q", ""),
    no(Law::Uniform, CONV, &[("q == 0 || c == C - 1", "q * c == 0 || c == C - 1")], "q * c", ""),
    no(Law::Uniform, LINE, &[("for i in 0..N", "for i in i..N")], "i", ""),
    no(
        Law::Defined,
        CONV,
        &[("if q == 0 { 0.0 } else { Z[c, q - 1] }", "Z[c, q - 1]")],
        "q - 1",
        "C=1 | c=0 q=0 | c=0 q=-1",
    ),
    no(Law::Defined, CONV, &[("q == 0 || c == C - 1", "q == 0")], "c + 1", "C=1 | c=0 q=1 | c=1 q=0"),
    no(Law::Defined, CONV, &[("q == 0 || c == C - 1", "c == C - 1")], "q - 1", "C=2 | c=0 q=0 | c=1 q=-1"),
    no(Law::Defined, CONV, &[("Z[c, q - 1]", "Z[c, q - 2]")], "q - 2", "C=1 | c=0 q=1 | c=0 q=-1"),
    no(Law::Defined, TRI, &[("X[i - 1, j]", "X[i - 1, j + 1]")], "j + 1", "N=2 | i=1 j=0 | i=0 j=1"),
    no(
        Law::Defined,
        TRI,
        &[("j in 0..i + 1", "j in 0..i"), ("S[i, j]) / l", "S[i, j + 1]) / l")],
        "j",
        "N=2 | i=1 j=0 | i=0 j=0",
    ),
    no(Law::Bounds, CONV, &[("x[c + q]", "x[c + q + 1]")], "c + q + 1", "C=1 | c=0 q=4 | [5]"),
    no(Law::Bounds, CONV, &[("w[q]", "w[q - 1]")], "q - 1", "C=1 | c=0 q=0 | [-1]"),
    no(Law::Bounds, CONV, &[("z[c] =", "z[c - 1] =")], "c - 1", "C=1 | c=0 q=4 | [-1]"),
    no(Law::Bounds, CONV, &[("C + Q - 1", "C + Q - 2")], "c + q", "C=1 | c=0 q=4 | [4]"),
    no(Law::Bounds, LINE, &[("y[i] = x[i]", "y[i] = x[i + 1]")], "i + 1", "N=1 | i=0 | [1]"),
    no(Law::Bounds, LINE, &[("y: [u8; N]", "y: [u8; N - 1]")], "i", "N=1 | i=0 | [0]"),
    no(Law::Cycle, CONV, &[("Z[c, q - 1]", "Z[c, q]")], "Z[c, q]", "C=1 | c=0 q=1"),
    no(Law::Cycle, CONV, &[("= w[q];", "= w[q] + Z[c, q];")], "Z[c, q]", "C=1 | c=0 q=0 | c=0 q=0"),
    no(Law::Cycle, RING, &[], "B[i]", "N=4 | i=3 | i=3"),
    no(
        Law::Cycle,
        LCS,
        &[("L[i - 1, j] }, if", "L[i - 1, j] }, if j == M - 1 { 0 } else { L[i, j + 1] }, if")],
        "L[i, j + 1]",
        "N=1 M=2 | i=0 j=0 | i=0 j=1",
    ),
    no(Law::Outputs, CONV, &[("if q == Q - 1 { z", "if q >= Q - 2 { z")], "z[c]", "C=1 | c=0 q=3 | c=0 q=4 | [0]"),
    no(Law::Outputs, CONV, &[("if q == Q - 1 { z[c] = Z[c, q]; }", "")], "z: [f32; C]", ""),
    no(Law::Outputs, CONV, &[("if q == Q - 1 { z", "if q == Q - 1 && c != 3 { z")], "z[c]", "C=4 |  | [3]"),
    no(Law::Outputs, CONV, &[("if q == Q - 1 { z", "if X[c, q] > 0.0 { z")], "z[c]", ""),
    no(
        Law::Outputs,
        CONV,
        &[(
            "if q == Q - 1 { z[c] = Z[c, q]; }",
            "if q == Q - 1 { z[c] = Z[c, q]; } if q == 0 && c == 0 { z[c] = 1.0; }",
        )],
        "z[c]",
        "C=1 | c=0 q=0 | c=0 q=4 | [0]",
    ),
    no(Law::Outputs, LINE, &[("y: [u8; N]", "y: [u8; N + 1]")], "y[i]", "N=1 |  | [1]"),
    no(Law::Matrix, CONV, &[("[0, 1]]", "[2, 2]]")], "[2, 2]", ""),
    no(Law::Matrix, CONV, &[("[0, 1]]", "[0, 0]]")], "[0, 0]", ""),
    no(Law::Matrix, CONV, &[("[0, 1]]", "[0, 1, 0]]")], "[0, 1, 0]", ""),
    no(Law::Matrix, CONV, &[(", [0, 1]]", "]")], "[[1, 1]]", ""),
    no(Law::Matrix, CONV, &[("[0, 1]]", "[0, 1000000000000000000]]")], "1000000000000000000", ""),
    no(Law::Matrix, CONV, &[("(ci, q) ->", "(ci, ci) ->")], "ci", ""),
    no(Law::Matrix, CONV, &[("-> (s, t) = [[1, 1], [0, 1]]", "-> (s, t, u) = [[1, 1], [0, 1], [1, 0]]")], "[1, 0]", ""),
    no(Law::Reverse, CONV, &[("[0, 1]];", "[0, 1]] reverse [[1, 1], [0, 1]];")], "[[1, 1], [0, 1]]", ""),
    no(Law::Reverse, CONV, &[("[0, 1]];", "[0, 1]] reverse [[1, -1]];")], "[[1, -1]]", ""),
    no(Law::Reverse, CONV, &[("[0, 1]];", "[0, 2]] reverse [[1, -1], [0, 1]];")], "[[1, -1], [0, 1]]", ""),
    no(
        Law::Collision,
        CONV,
        &[("-> (s, t) = [[1, 1], [0, 1]]", "-> (s) = [[1, 1]]")],
        "[[1, 1]]",
        "C=2 | c=1 q=0 | c=0 q=1",
    ),
    no(
        Law::Collision,
        MM,
        &[("(s, t, u) = [[1, 0, 0], [0, 0, 1], [0, 1, 0]]", "(s, t) = [[1, 0, 0], [0, 1, 1]]")],
        "[[1, 0, 0], [0, 1, 1]]",
        "M=2 K=2 N=1 | i=1 j=0 k=0 | i=0 j=0 k=1",
    ),
    no(
        Law::Collision,
        SBM2,
        &[("[0, 1, P]", "[0, 1, 2]")],
        "[[1, 0, 1], [0, 1, 2]]",
        "R=1 C=2 | r=0 c=1 p=2 q=0 | r=0 c=0 p=0 q=1",
    ),
    no(Law::Lanes, CONV, &[("by 28", "by 30")], "s", ""),
    no(Law::Lanes, CONV, &[("lanes s;", "")], "map", ""),
    no(Law::Lanes, CONV, &[("tile c by 28 as (cb, ci);", ""), ("blocks (cb);", ""), ("(ci, q)", "(c, q)")], "s", ""),
    no(
        Law::Lanes,
        MM,
        &[
            ("tile i by 4", "tile i by 40"),
            ("(ji, ii, k) -> (s, t, u) = [[1, 0, 0], [0, 0, 1], [0, 1, 0]]", "(ji, k) -> (s, t) = [[1, 0], [0, 1]]"),
            ("lanes s;", "lanes s; warps (ii);"),
        ],
        "ii",
        "",
    ),
    no(Law::Lanes, MM, &[("lanes s;", "lanes (s, u);")], "u", ""),
    no(Law::Causality, CONV, &[("[0, 1]]", "[0, -1]]")], "[0, -1]", "C=2 | c=0 q=1 | c=1 q=0"),
    no(Law::Causality, LCS, &[("[1, 1]]", "[1, -1]]")], "[1, -1]", "N=1 M=2 | i=0 j=1 | i=0 j=0"),
    no(
        Law::Causality,
        SKEW,
        &[("lanes ji;", "reorder (jb, i); lanes ji;")],
        "S[i - 1, j + 1]",
        "N=2 M=5 | i=1 j=3 | i=0 j=4",
    ),
    no(Law::Causality, LINE2, &[], "S[i + 1]", "N=9 | i=7 | i=8"),
    no(Law::Broadcast, LCS, &[("[1, 1]]", "[0, 1]]")], "[0, 1]", "N=2 M=1 | i=1 j=0 | i=0 j=0"),
    no(Law::Broadcast, LCSW, &[], "S[i - 1, j]", "N=2 M=1 | i=1 j=0 | i=0 j=0"),
    no(Law::Broadcast, FOLD, &[], "S[i, j - 1]", "N=1 M=3 | i=0 j=2 | i=0 j=1"),
    no(Law::Blocks, LCS, &[("lanes s;", "lanes s; blocks (ib);")], "L[i - 1, j - 1]", "N=33 M=2 | i=32 j=1 | i=31 j=0"),
    no(
        Law::Blocks,
        JACOBI,
        &[("overlap c by T", "overlap c by 1")],
        "U[r, c - 1, t - 1]",
        "R=1 C=17 | r=0 c=15 t=1 | r=0 c=14 t=0",
    ),
    no(Law::Blocks, JACOBI, &[("overlap r by T;", "")], "U[r - 1, c, t - 1]", "R=9 C=1 | r=8 c=0 t=1 | r=7 c=0 t=0"),
    no(
        Law::Blocks,
        JACOBI,
        &[("overlap c by T", "overlap c by (T, 0)")],
        "U[r, c + 1, t - 1]",
        "R=1 C=17 | r=0 c=15 t=2 | r=0 c=16 t=1",
    ),
    no(Law::Resources, CONV, &[("w: const [f32; Q]", "w: const [f32; Q], big: const [f64; 64, 16]")], "big", ""),
    no(
        Law::Resources,
        CONV,
        &[
            ("Q: usize in [5]", "Q: usize in [1200]"),
            ("tile c by 28", "tile c by 32"),
            ("[[1, 1], [0, 1]]", "[[1, 0], [0, 1]]"),
        ],
        "w",
        "",
    ),
    no(Law::Resources, FAT, &[], "S[i - 4, j]", ""),
];
