//! Values that cross blocks, and overlaps that are too narrow.
use super::clauses::{replace_map, two_loops};
use super::parse::{expr_from, map_from};
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::*;
use systolic_oracle::Random;

pub const KINDS: &[Kind] = &[
    kind("block a sequential loop", &[Blocks, Names], block_sequential),
    kind("block every loop", &[Blocks, Broadcast, Causality, Lanes], block_all),
    Kind { name: "narrow an overlap", laws: &[Blocks], make: narrow_overlap, only: "overlap" },
    Kind { name: "drop an overlap", laws: &[Blocks], make: drop_overlap, only: "overlap" },
];

fn block_sequential(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    let blocked: Vec<String> = map
        .clauses
        .iter()
        .filter_map(|c| match &c.kind {
            ClauseKind::Blocks(n) | ClauseKind::Ordered(n) | ClauseKind::Launches(n) => {
                Some(n.iter().map(|n| n.text.clone()).collect::<Vec<_>>())
            }
            _ => None,
        })
        .flatten()
        .collect();
    let outer = map.clauses.iter().rev().find_map(|c| match &c.kind {
        ClauseKind::Tile { outer, .. } if !blocked.contains(&outer.text) => Some(outer.text.clone()),
        _ => None,
    })?;
    map.clauses.retain(|c| !matches!(c.kind, ClauseKind::Blocks(_) | ClauseKind::Ordered(_) | ClauseKind::Reorder(_)));
    map.clauses.extend(map_from(&format!("blocks ({outer});")).clauses);
    Some(())
}

fn block_all(case: &mut Case) -> Option<()> {
    let (a, b) = two_loops(case)?;
    replace_map(case, &format!("blocks ({a}); tile {b} by 32 as (n_b, n_l); lanes n_l;"))
}

fn narrow_overlap(case: &mut Case) -> Option<()> {
    let mut random = Random::new(case.random.below(1 << 62) as u64);
    let map = case.map()?;
    let mut all: Vec<_> = map
        .clauses
        .iter_mut()
        .filter_map(|c| match &mut c.kind {
            ClauseKind::Overlap { before, after, .. } => Some((before, after)),
            _ => None,
        })
        .collect();
    if all.is_empty() {
        return None;
    }
    let k = random.below(all.len());
    let (before, after) = &mut all[k];
    match random.below(4) {
        0 => **before = expr_from(&format!("({} - 1)", print_expr(before))),
        1 => **after = Some(expr_from("0")),
        2 => **before = expr_from("1"),
        _ => (**after, **before) = (Some(before.clone()), expr_from("0")),
    }
    Some(())
}

fn drop_overlap(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    let at = map.clauses.iter().position(|c| matches!(c.kind, ClauseKind::Overlap { .. }))?;
    map.clauses.remove(at);
    Some(())
}
