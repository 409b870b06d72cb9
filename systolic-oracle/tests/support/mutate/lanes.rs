//! Too many lanes or warps, lanes of run-time length, or no lanes.
use super::clauses::{long_loop, replace_map};
use super::parse::expr_from;
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[
    kind("widen a tile", &[Lanes, Causality, Blocks, Resources], widen_tile),
    kind("drop lanes", &[Lanes], drop_lanes),
    kind("lanes of run-time length", &[Lanes, Broadcast, Causality], run_time_lanes),
    kind("too many warps", &[Lanes], many_warps),
    kind("drop a tile", &[Names, Matrix, Lanes, Causality, Broadcast], drop_tile),
];

fn widen_tile(case: &mut Case) -> Option<()> {
    let by = case.random.pick(&["100", "33", "64"]);
    let map = case.map()?;
    let mut tiles: Vec<&mut Expr> = map
        .clauses
        .iter_mut()
        .filter_map(|c| match &mut c.kind {
            ClauseKind::Tile { by, .. } => Some(by),
            _ => None,
        })
        .collect();
    **tiles.first_mut()? = expr_from(by);
    Some(())
}

fn drop_lanes(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    map.clauses.retain(|c| !matches!(c.kind, ClauseKind::Lanes { .. }));
    case.places = vec!["map".to_string()];
    Some(())
}

fn run_time_lanes(case: &mut Case) -> Option<()> {
    let long = long_loop(case)?;
    case.places = vec![long.clone()];
    replace_map(case, &format!("lanes {long};"))
}

fn many_warps(case: &mut Case) -> Option<()> {
    let long = long_loop(case)?;
    replace_map(case, &format!("tile {long} by 64 as (m_b, m_w); tile m_w by 1 as (m_v, m_l); warps (m_v); lanes m_l;"))
}

fn drop_tile(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    let at = map.clauses.iter().position(|c| matches!(c.kind, ClauseKind::Tile { .. }))?;
    let ClauseKind::Tile { of, outer, inner, .. } = map.clauses.remove(at).kind else { return None };
    for clause in &mut map.clauses {
        let rename = |names: &mut Vec<systolic_compiler::region::Name>| {
            names.retain(|n| *n != outer);
            names.iter_mut().filter(|n| **n == inner).for_each(|n| n.text = of.text.clone());
        };
        match &mut clause.kind {
            ClauseKind::Blocks(n) | ClauseKind::Warps(n) | ClauseKind::Reorder(n) => rename(n),
            ClauseKind::SpaceTime { old, .. } => rename(old),
            ClauseKind::Lanes { loops, .. } => rename(loops),
            ClauseKind::Tile { of: tiled, .. } if *tiled == inner => tiled.text = of.text.clone(),
            _ => {}
        }
    }
    map.clauses.retain(|c| !matches!(&c.kind, ClauseKind::Blocks(n) | ClauseKind::Reorder(n) if n.is_empty()));
    Some(())
}
