//! Which programs run two blocks as one.
use crate::support::{program, text};
use systolic_compiler::mapping::Target;
use systolic_compiler::schedule::Schedule;

/// A wavefront over a batch of pairs, with values of this type and these equations.
fn batch(ty: &str, equations: &str) -> Schedule {
    let block = format!(
        "kernel batch(a: [u8; B, N], b: [u8; B, M]) -> (l: [{ty}; B], all: [{ty}; B, N, M]) {{
            for k in 0..B, i in 0..N, j in 0..M {{ {equations} }}
            map waves {{
                tile j by 128 as (jb, ji);
                tile ji by 4 as (jl, jr);
                blocks (k);
                space_time (jl, jb, i, jr) -> (s, t, u, v) = [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1]];
                lanes s;
                unroll (v);
            }}
        }}"
    );
    let block = if equations.contains("all[") { block } else { block.replace(&format!(", all: [{ty}; B, N, M]"), "") };
    program(&text(&block), "waves", Target::Gpu)
}

const COMMON: &str = "
    L[k, i, j] = max(if i == 0 { 0 } else { L[k, i - 1, j] }, if j == 0 { 0 } else { L[k, i, j - 1] },
        (if i == 0 || j == 0 { 0 } else { L[k, i - 1, j - 1] }) + if a[k, i] == b[k, j] { 1 } else { 0 });
    if i == N - 1 && j == M - 1 { l[k] = L[k, i, j]; }";

#[test]
fn narrow_values_of_a_batch_run_in_pairs() {
    for ty in ["i8", "u8", "i16", "u16"] {
        let schedule = batch(ty, COMMON);
        let paired = schedule.paired.as_ref().expect("pairs of blocks");
        assert_eq!(paired.axis, 0);
        // What is loaded differs; literals do not.
        let differing =
            (0..schedule.values.len()).filter(|k| schedule.differs(systolic_compiler::program::ValueId(*k)));
        let count = differing.count();
        assert!(count > 20 && count < schedule.values.len(), "{count}");
        assert!(schedule.rows.iter().all(|row| schedule.cell_bytes(row.value) == 4));
    }
}

#[test]
fn values_of_32_bits_do_not() {
    assert_eq!(batch("i32", COMMON).paired, None);
}

#[test]
fn a_value_that_depends_on_the_block_forbids_it() {
    assert_eq!(batch("i16", &COMMON.replace("+ if a[k, i]", "+ if k == 3 { 7 } else { 0 } + if a[k, i]")).paired, None);
    assert_eq!(batch("i16", &COMMON.replace("+ if a[k, i]", "+ (k as i16) + if a[k, i]")).paired, None);
}

#[test]
fn operations_without_halves_forbid_it() {
    assert_eq!(batch("i16", &COMMON.replace("+ if a[k, i]", "* 3 + if a[k, i]")).paired, None);
}

#[test]
fn a_step_that_stores_everything_is_not_worth_it() {
    let equations = "
        L[k, i, j] = max(if i == 0 { b[k, j] as i16 } else { L[k, i - 1, j] }, if j == 0 { a[k, i] as i16 } else { L[k, i, j - 1] });
        if i == N - 1 && j == M - 1 { l[k] = L[k, i, j]; }";
    assert_eq!(batch("i16", &format!("{equations} all[k, i, j] = L[k, i, j];")).paired, None);
}
