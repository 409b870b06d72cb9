//! Iterations of the loop around the innermost one that run together on a CPU.
use super::one;
use systolic_compiler::compile::{compile, default_by_rules};
use systolic_compiler::laws::Lawful;
use systolic_compiler::mapping::{Target, default_map, jammed, jammed_blocks};
use systolic_compiler::model::RowKind;

/// A kernel over items `k` and two loops, with these bounds and this equation.
fn kernel(i: &str, j: &str, equation: &str) -> Lawful {
    one(&format!(
        "kernel k(N: size, M: size, a: [i32; B, 9] border clamp) -> (z: [i32; B]) {{
            for k in 0..B, i in {i}, j in {j} {{ V[k, i, j] = {equation}; if i == 0 && j == 0 {{ z[k] = V[k, i, j]; }} }}
        }}"
    ))
}

/// How many iterations run together.
fn jam(lawful: &Lawful, target: Target) -> i128 {
    let map = default_by_rules(lawful, target).expect("a map");
    let tile = |name: &str| map.mapping().nodes.iter().find(|node| node.name.text == name).is_some();
    assert_eq!(tile("i_jam"), !map.mapping().unroll.is_empty());
    let tiles = map.mapping().nodes.iter().filter_map(|node| node.tile.as_ref());
    tiles.filter(|tile| map.mapping().nodes[tile.outer].name.text.ends_with("_jam")).map(|tile| tile.by).sum()
}

const BACK: &str =
    "a[k, i + j] + if i == 0 || j == 0 { 0 } else { max(V[k, i - 1, j], V[k, i, j - 1], V[k, i - 1, j - 1]) }";

#[test]
fn carried_values_stay_in_registers() {
    let lawful = kernel("0..N", "0..M", BACK);
    assert_eq!((jam(&lawful, Target::Cpu), jam(&lawful, Target::Gpu)), (8, 0));
    let map = default_by_rules(&lawful, Target::Cpu).expect("a map");
    let rows: Vec<_> = map.places().of_kind(RowKind::Time).collect();
    assert_eq!(rows.len(), 3);
    // One row of scratch memory per tile of eight instead of one per iteration.
    let plain = default_map(&lawful, Target::Cpu).expect("a map");
    let [plain, jammed] = [plain, map].map(|map| compile(lawful.kernel(), &map, Target::Cpu).expect("a program"));
    assert_eq!((plain.rows.len(), jammed.rows.len()), (1, 1));
    assert_eq!((plain.frame.loops.len(), jammed.frame.loops.len()), (2, 2));
}

#[test]
fn loops_down_are_jammed_too() {
    let down = "a[k, i + j] + if i == N - 1 || j == M - 1 { 0 } else { max(V[k, i + 1, j], V[k, i, j + 1]) }";
    assert_eq!(jam(&kernel("0..N", "0..M", down), Target::Cpu), 8);
}

#[test]
fn what_is_not_lawful_or_too_short_stays_as_it_is() {
    // The next iteration needs what this one computes two steps later.
    let ahead = "a[k, j] + if i == 0 || j == 0 || j + 2 >= M { 0 } else { max(V[k, i - 1, j + 2], V[k, i, j - 1]) }";
    let lawful = kernel("0..N", "0..M", ahead);
    assert_eq!(jam(&lawful, Target::Cpu), 0);
    let plain = default_map(&lawful, Target::Cpu).expect("a map");
    assert!(jammed(lawful.kernel(), &plain, 2).is_none());
    // Constant lengths: 8 is taken from 32 iterations on, 4 from 16.
    for (length, expected) in [("8", 0), ("16", 4), ("31", 4), ("32", 8)] {
        let bounds = format!("0..{length}");
        assert_eq!(jam(&kernel(&bounds, "0..M", BACK), Target::Cpu), expected, "{length}");
    }
    // One loop only.
    let one_loop = one("kernel k(a: [i32; B, N]) -> (z: [i32; B]) { for k in 0..B, i in 0..N {
        V[k, i] = a[k, i] + if i == 0 { 0 } else { V[k, i - 1] }; if i == N - 1 { z[k] = V[k, i]; } } }");
    assert_eq!(jam(&one_loop, Target::Cpu), 0);
}

#[test]
fn code_that_would_be_too_long_is_jammed_less() {
    let terms =
        |count: usize| (0..count).map(|n| format!("(a[k, i + {n}] ^ a[k, j + {n}])")).collect::<Vec<_>>().join(" + ");
    let jam = |count| jam(&kernel("0..N", "0..M", &format!("{BACK} + {}", terms(count))), Target::Cpu);
    let found = [1, 20, 40, 60].map(jam);
    assert!(found.is_sorted_by(|more, fewer| more >= fewer) && (found[0], found[3]) == (8, 0), "{found:?}");
}

/// A kernel over two loops and a sum of these products along a third one.
fn sums(k: &str, product: &str) -> Lawful {
    one(&format!(
        "kernel k(
            L: size, a: [f32; M, L], b: [f32; L, N], w: [f32; L], e: [f32; M, L] border clamp, p: [f32; M, 4], q: [f32; 4, N]
        ) -> (y: [f32; M, N]) {{
            for i in 0..M, j in 0..N, k in 0..{k} {{
                S[i, j, k] = {product} + if k == 0 {{ 0.0 }} else {{ S[i, j, k - 1] }};
                if k == {k} - 1 {{ y[i, j] = S[i, j, k]; }}
            }}
        }}"
    ))
}

#[test]
fn rows_that_read_the_same_elements_run_together() {
    let product = sums("L", "a[i, k] * b[k, j]");
    assert_eq!((jam(&product, Target::Cpu), jam(&product, Target::Gpu)), (4, 0));
    // Four sums, one element of `b` for all of them.
    let map = default_by_rules(&product, Target::Cpu).expect("a map");
    let program = compile(product.kernel(), &map, Target::Cpu).expect("a program");
    assert_eq!((program.registers.len(), program.rows.len()), (4, 0));
    assert_eq!(jam(&sums("L", "a[i, k] * w[k]"), Target::Cpu), 4);
    assert_eq!(jam(&sums("L", "abs(a[i, k] - b[k, j])"), Target::Cpu), 4);
}

/// A filter of `n` by `n` weights, or of as many as are known at run time only.
fn filter(n: &str, border: &str) -> Lawful {
    one(&format!(
        "kernel k(K: size, x: [f32; R + {n}, C + {n}]{border}, w: [f32; {n}, {n}]) -> (y: [f32; R, C]) where 1 <= K {{
            for r in 0..R, c in 0..C, p in 0..{n}, q in 0..{n} {{
                T[r, c, p, q] = x[r + p, c + q] * w[p, q] + if q == 0 {{ 0.0 }} else {{ T[r, c, p, q - 1] }};
                S[r, c, p, q] = if q < {n} - 1 {{ 0.0 }} else {{ T[r, c, p, q] + if p == 0 {{ 0.0 }} else {{ S[r, c, p - 1, q] }} }};
                if p == {n} - 1 && q == {n} - 1 {{ y[r, c] = S[r, c, p, q]; }}
            }}
        }}"
    ))
}

#[test]
fn rows_of_a_filter_run_together() {
    // One sum per row and variable, inside both loops over the weights.
    let rows = |lawful: &Lawful| {
        let map = default_by_rules(lawful, Target::Cpu).expect("a map");
        let names = map.mapping().nodes.iter().filter_map(|node| node.tile.as_ref());
        let mut names = names.map(|tile| map.mapping().nodes[tile.outer].name.text.clone());
        names.find(|name| name.ends_with("_jam"))
    };
    assert_eq!(rows(&filter("K", "")).as_deref(), Some("r_jam"));
    assert_eq!(rows(&filter("9", "")).as_deref(), Some("r_in_jam"), "rows of a chunk");
    assert_eq!(rows(&filter("5", "")), None, "written out");
    assert_eq!(rows(&filter("3", "")), None, "written out");
    assert_ne!(rows(&filter("K", " border clamp")).as_deref(), Some("r_jam"), "rows after the last one");
}

#[test]
fn rows_that_gain_nothing_run_alone() {
    // Every row has elements of its own.
    assert_eq!(jam(&sums("L", "a[i, k] * a[i, k]"), Target::Cpu), 0);
    // Rows after the last one would be read at a border.
    assert_eq!(jam(&sums("L", "e[i, k + 1] * b[k, j]"), Target::Cpu), 0);
    // A few iterations are written out instead.
    assert_eq!(jam(&sums("4", "p[i, k] * q[k, j]"), Target::Cpu), 0);
    // Twice is once too often.
    let product = sums("L", "a[i, k] * b[k, j]");
    let map = default_by_rules(&product, Target::Cpu).expect("a map");
    assert!(jammed_blocks(product.kernel(), &map, 4).is_none());
}
