//! Matrices of a wrong shape, with dependent rows or with entries that are too large.
use super::parse::expr_from;
use super::rows::print_row;
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_kernel;

pub const KINDS: &[Kind] = &[
    kind("repeat a row", &[Matrix], repeat_row),
    kind("zero a row", &[Matrix], zero_row),
    kind("drop a row", &[Matrix], drop_row),
    kind("shorten a row", &[Matrix], shorten_row),
    kind("huge entry", &[Matrix], huge_entry),
    kind("take a loop twice", &[Matrix, Names], take_loop_twice),
];

fn repeat_row(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        if m.rows.len() < 2 {
            return None;
        }
        let k = 1 + random.below(m.rows.len() - 1);
        m.rows[k] = m.rows[0].clone();
        Some(vec![print_row(&m.rows[k])])
    })
}

fn zero_row(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        let k = random.below(m.rows.len());
        m.rows[k].entries.iter_mut().for_each(|e| *e = expr_from("0"));
        Some(vec![print_row(&m.rows[k])])
    })
}

fn drop_row(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        if m.rows.len() < 2 {
            return None;
        }
        m.rows.remove(random.below(m.rows.len()));
        let rows: Vec<String> = m.rows.iter().map(print_row).collect();
        Some(vec![format!("[{}]", rows.join(", "))])
    })
}

fn shorten_row(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        let k = random.below(m.rows.len());
        if m.rows[k].entries.len() < 2 {
            return None;
        }
        m.rows[k].entries.pop();
        Some(vec![print_row(&m.rows[k])])
    })
}

fn huge_entry(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        let k = random.below(m.rows.len());
        let j = random.below(m.rows[k].entries.len());
        let huge = random.pick(&["1000000000000000000000", "-9223372036854775809", "1000000000000000000"]);
        m.rows[k].entries[j] = expr_from(huge);
        Some(vec![huge.to_string()])
    })
}

fn take_loop_twice(case: &mut Case) -> Option<()> {
    // A loop removed from the matrix would have to be in `reorder`, and that fault is reported first.
    if print_kernel(&case.kernel).contains("reorder") {
        return None;
    }
    case.with_matrix(|_, _, old, _, _, _| {
        if old.len() < 2 {
            return None;
        }
        old[1] = old[0].clone();
        Some(vec![old[0].text.clone()])
    })
}
