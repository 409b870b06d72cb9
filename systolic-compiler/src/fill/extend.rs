//! Adds clauses to an automatic map that says which loop runs across the lanes, or has a matrix.
use crate::model::{self, FreeLoop, Kernel};
use crate::region::Name;
use crate::sketch::Facts;
use crate::syntax::tree::{self, Clause, ClauseKind, Expr, ExprKind, Map};
use crate::target::gpu;

/// The map with what it may lack, those that keep the machine busiest first.
pub fn extended(tree: &tree::Kernel, kernel: &Kernel, map: &Map) -> Vec<Map> {
    let facts = Facts::new(kernel);
    let mut all = Vec::new();
    for map in with_lanes(tree, map) {
        let Some(free) = model::free_loops(tree, &map) else { return vec![map] };
        for blocks in block_sets(&facts, &map, &free) {
            for unroll in unroll_sets(&facts, &map, &free, &blocks) {
                let mut map = map.clone();
                push(&mut map, blocks.clone(), ClauseKind::Blocks);
                push(&mut map, unroll, ClauseKind::Unroll);
                all.push(map);
            }
        }
    }
    all
}

fn push(map: &mut Map, names: Vec<Name>, kind: fn(Vec<Name>) -> ClauseKind) {
    if !names.is_empty() {
        map.clauses.push(Clause { kind: kind(names), at: map.at });
    }
}

/// The map itself if it has lanes; otherwise with each row of its matrix as the lanes or, without a matrix, each loop that no
/// clause uses, the innermost first.
fn with_lanes(tree: &tree::Kernel, map: &Map) -> Vec<Map> {
    if map.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Lanes { .. })) {
        return vec![map.clone()];
    }
    let rows = map.clauses.iter().find_map(|c| match &c.kind {
        ClauseKind::SpaceTime { new, .. } => Some(new.clone()),
        _ => None,
    });
    let free = || model::free_loops(tree, map).map(|free| free.into_iter().rev().map(|l| l.name).collect());
    let with = |row: &Name| {
        let mut map = map.clone();
        let fold = Some(Expr { kind: ExprKind::Hole, at: map.at });
        map.clauses.push(Clause { kind: ClauseKind::Lanes { loops: vec![row.clone()], fold }, at: map.at });
        map
    };
    let rows: Vec<Name> = rows.or_else(free).unwrap_or_default();
    rows.iter().map(with).collect()
}

/// Sets of loops that may be blocks: all along which no computed value is read, all but one of them, none.
fn block_sets(facts: &Facts<'_>, map: &Map, free: &[FreeLoop]) -> Vec<Vec<Name>> {
    if map.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Blocks(_) | ClauseKind::Ordered(_))) {
        return vec![Vec::new()];
    }
    let overlaps = |of: usize| {
        let name = &facts.kernel.loops[of].name;
        map.clauses.iter().any(|c| matches!(&c.kind, ClauseKind::Overlap { of, .. } if of == name))
    };
    let may = |l: &&FreeLoop| l.is_outer && (facts.is_parallel(l.of) || overlaps(l.of)) && !facts.is_short(l.of);
    let mut most: Vec<Name> = free.iter().filter(may).map(|l| Name { at: map.at, ..l.name.clone() }).collect();
    most.truncate(gpu::GRID_AXES);
    let mut sets = vec![most.clone()];
    if most.len() > 1 {
        sets.extend((0..most.len()).map(|k| {
            let mut fewer = most.clone();
            fewer.remove(k);
            fewer
        }));
    }
    if !most.is_empty() {
        sets.push(Vec::new());
    }
    sets
}

/// The short loops that remain, unrolled or not.
fn unroll_sets(facts: &Facts<'_>, map: &Map, free: &[FreeLoop], blocks: &[Name]) -> Vec<Vec<Name>> {
    if map.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Unroll(_))) {
        return vec![Vec::new()];
    }
    let short = |l: &&FreeLoop| facts.is_short(l.of) && !blocks.contains(&l.name);
    let short: Vec<Name> = free.iter().filter(short).map(|l| Name { at: map.at, ..l.name.clone() }).collect();
    if short.is_empty() { vec![short] } else { vec![short, Vec::new()] }
}
