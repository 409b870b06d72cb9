//! Time that runs backwards.
use super::parse::expr_from;
use super::rows::is_zero;
use super::{Case, Kind, ROWS, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[
    kind("negate a time row", &[Causality, Broadcast], negate_time_row),
    kind("change a sign in a row", ROWS, change_row_sign),
];

fn negate(e: &Expr) -> Expr {
    expr_from(&format!("0 - ({})", print_expr(e)))
}

fn negate_time_row(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, space, _, new, m, _| {
        let time: Vec<usize> = (0..new.len()).filter(|k| !space.contains(&new[*k].text)).collect();
        let k = (!time.is_empty()).then(|| random.pick(&time))?;
        m.rows[k].entries.iter_mut().for_each(|e| *e = negate(e));
        Some(Vec::new())
    })
}

fn change_row_sign(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        let k = random.below(m.rows.len());
        let j = (0..m.rows[k].entries.len()).rev().find(|j| !is_zero(&m.rows[k].entries[*j]))?;
        m.rows[k].entries[j] = negate(&m.rows[k].entries[j]);
        Some(Vec::new())
    })
}
