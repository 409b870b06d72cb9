//! Reverse matrices that are not the inverse.
use super::parse::expr_from;
use super::rows::print_row;
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;

pub const KINDS: &[Kind] =
    &[kind("wrong reverse", &[Reverse], wrong_reverse), kind("short reverse", &[Reverse], short_reverse)];

fn wrong_reverse(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, old, _, m, reverse| {
        if m.rows.len() != old.len() {
            return None;
        }
        let mut wrong = m.clone();
        let (k, j) = (random.below(old.len()), random.below(old.len()));
        wrong.rows[k].entries[j] = expr_from(random.pick(&["2", "-3", "7"]));
        *reverse = Some(wrong.clone());
        Some(vec![format!("[{}]", wrong.rows.iter().map(print_row).collect::<Vec<_>>().join(", "))])
    })
}

fn short_reverse(case: &mut Case) -> Option<()> {
    case.with_matrix(|_, _, _, _, m, reverse| {
        let mut short = m.clone();
        if short.rows.len() < 2 {
            return None;
        }
        short.rows.pop();
        *reverse = Some(short);
        Some(Vec::new())
    })
}
