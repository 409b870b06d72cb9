//! Rows that map several points to the same place.
use super::parse::expr_from;
use super::rows::is_zero;
use super::{Case, Kind, ROWS, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[
    kind("fewer rows", &[Collision, Names, Lanes, Broadcast], fewer_rows),
    kind("zero an entry", ROWS, zero_entry),
    kind("swap two rows", ROWS, swap_rows),
    kind("add two rows into one", &[Collision, Names, Lanes, Causality], merge_rows),
];

fn fewer_rows(case: &mut Case) -> Option<()> {
    let mut gone = String::new();
    case.with_matrix(|_, space, _, new, m, _| {
        let k = (0..new.len()).rev().find(|k| !space.contains(&new[*k].text))?;
        gone = new.remove(k).text;
        m.rows.remove(k);
        (!new.is_empty()).then(Vec::new)
    })?;
    no_longer_unrolled(case, &gone);
    Some(())
}

fn zero_entry(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        let all: Vec<(usize, usize)> = (0..m.rows.len())
            .flat_map(|k| (0..m.rows[k].entries.len()).map(move |j| (k, j)))
            .filter(|(k, j)| m.rows[*k].entries.get(*j).is_some_and(|e| !is_zero(e)))
            .collect();
        let (k, j) = random.pick(&all);
        m.rows[k].entries[j] = expr_from("0");
        Some(Vec::new())
    })
}

fn swap_rows(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        if m.rows.len() < 2 {
            return None;
        }
        let k = random.below(m.rows.len() - 1);
        m.rows.swap(k, k + 1);
        Some(Vec::new())
    })
}

fn merge_rows(case: &mut Case) -> Option<()> {
    let mut gone = String::new();
    case.with_matrix(|_, space, _, new, m, _| {
        let time: Vec<usize> = (0..new.len()).filter(|k| !space.contains(&new[*k].text)).collect();
        let (a, b) = (*time.first()?, *time.get(1)?);
        for j in 0..m.rows[a].entries.len() {
            let sum = format!("{} + {}", print_expr(&m.rows[a].entries[j]), print_expr(&m.rows[b].entries[j]));
            m.rows[a].entries[j] = expr_from(&sum);
        }
        gone = new.remove(b).text;
        m.rows.remove(b);
        Some(Vec::new())
    })?;
    no_longer_unrolled(case, &gone);
    Some(())
}

pub fn no_longer_unrolled(case: &mut Case, row: &str) {
    for clause in case.kernel.maps.iter_mut().flat_map(|m| &mut m.clauses) {
        if let ClauseKind::Unroll(names) = &mut clause.kind {
            names.retain(|n| n.text != row);
        }
    }
    for map in &mut case.kernel.maps {
        map.clauses.retain(|c| !matches!(&c.kind, ClauseKind::Unroll(names) if names.is_empty()));
    }
}
