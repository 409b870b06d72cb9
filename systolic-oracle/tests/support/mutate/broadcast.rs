//! Values that would have to reach all warps or lanes within one step.
use super::clauses::{replace_map, two_loops};
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;

pub const KINDS: &[Kind] = &[
    kind("warps along a carried loop", &[Blocks, Broadcast, Causality, Collision, Lanes], carried_warps),
    kind("lanes along a carried loop", &[Blocks, Broadcast, Causality, Lanes, Resources], carried_lanes),
];

fn carried_warps(case: &mut Case) -> Option<()> {
    let (a, b) = two_loops(case)?;
    replace_map(case, &format!("tile {a} by 4 as (m_b, m_w); warps (m_w); tile {b} by 32 as (n_b, n_l); lanes n_l;"))
}

fn carried_lanes(case: &mut Case) -> Option<()> {
    let (a, _) = two_loops(case)?;
    let fold = case.random.pick(&["", " fold 2", " fold 4"]);
    replace_map(case, &format!("tile {a} by 32 as (m_b, m_l); lanes m_l{fold};"))
}
