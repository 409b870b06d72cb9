//! Other orders for a loop: reversed, as a skewed time row, taken out of the blocks, recomputed at the edges of tiles, or
//! across the lanes if no order suits all reads.
use super::division::linear;
use super::maps::Changed;
use super::paths::{assigns, children};
use super::{Offer, edit};
use crate::region::Name;
use crate::syntax::print_clause;
use crate::syntax::tree::{Clause, ClauseKind, Expr, ExprKind, Kernel, Matrix, MatrixRow};
use crate::target::gpu;

/// The overlaps to try for a loop across the lanes.
const OVERLAPS: [i128; 8] = [0, 1, 2, 3, 4, 6, 8, 12];

/// A value is used before it is computed along `row`: offers the reverse direction, then the loop across the lanes.
pub fn later(kernel: &Kernel, position: usize, variable: &str, row: &str) -> Vec<Offer> {
    let start = Changed::new(kernel, position);
    let mut offers = Vec::new();
    if start.matrix().is_none() {
        offers.extend(slanted(kernel, position, row, &[], -1));
    }
    for leaf in loops_of(&start, row) {
        offers.extend(across(kernel, position, &origin(&start, &leaf), variable));
    }
    offers
}

/// The loops that a row depends on.
fn loops_of(map: &Changed, row: &str) -> Vec<String> {
    let Some(ClauseKind::SpaceTime { old, new, matrix, .. }) = map.matrix().map(|k| &map.map.clauses[k].kind) else {
        return vec![row.to_string()];
    };
    let Some(k) = new.iter().position(|n| n.text == row) else { return vec![row.to_string()] };
    let entries = matrix.rows.get(k).map(|r| r.entries.as_slice()).unwrap_or_default();
    let used = |e: &Expr| !matches!(e.kind, ExprKind::Int { value: 0, .. });
    old.iter().zip(entries).filter(|(_, e)| used(e)).map(|(o, _)| o.text.clone()).collect()
}

/// Values of one step depend on each other along the lanes, or along warps: offers a time row that also depends on those.
pub fn same_step(kernel: &Kernel, position: usize, warp: Option<&str>) -> Vec<Offer> {
    let start = Changed::new(kernel, position);
    if start.matrix().is_some() {
        return Vec::new();
    }
    let Some(innermost) = sequential(&start).last().cloned() else { return Vec::new() };
    let spaces: Vec<String> = match warp {
        Some(warp) => vec![warp.to_string()],
        None => lanes_of(&start).iter().rev().map(|n| n.text.clone()).collect(),
    };
    let mut offers = Vec::new();
    // If values pass from one tile to the next, the time row must advance by a whole tile.
    let tiles = start.map.clauses.iter().filter_map(|c| match &c.kind {
        ClauseKind::Tile { by, .. } => integer(by),
        _ => None,
    });
    for times in [1, 2].into_iter().chain(tiles) {
        for space in &spaces {
            for coef in [1, -1] {
                offers.extend(slanted(kernel, position, &innermost, &[(space.clone(), coef)], times));
            }
        }
    }
    let taken: Vec<String> = lanes_of(&start).iter().map(|n| origin(&start, &n.text)).collect();
    for of in kernel.loops.iter().rev().filter(|l| !taken.contains(&l.name.text)) {
        let map = plain(kernel, position, &of.name.text, 0, false);
        let text = format!("no value depends on another along `{}`: `{}` is lawful", of.name.text, map.1);
        offers.push(Offer { last_resort: true, ..Offer::new(map.0, text, Vec::new()) });
    }
    offers
}

/// A new map and its text: the loop across the lanes, with an overlap of tiles, the other loops as blocks or sequential.
fn plain(kernel: &Kernel, position: usize, of: &str, overlap: i128, all: bool) -> (Kernel, String) {
    let mut map = Changed::new(kernel, position);
    map.map.clauses.clear();
    let (outer, inner) = (map.fresh(&format!("{of}b")), map.fresh(&format!("{of}i")));
    let others = kernel.loops.iter().map(|l| l.name.clone()).filter(|l| all && l.text != of);
    let blocks: Vec<Name> = others.chain([outer.clone()]).collect();
    let by = map.number(gpu::LANES - 2 * overlap);
    let of = map.name(of);
    let mut kinds =
        vec![ClauseKind::Tile { of: of.clone(), by, outer, inner: inner.clone() }, ClauseKind::Blocks(blocks)];
    if overlap > 0 {
        kinds.push(ClauseKind::Overlap { of, before: map.number(overlap), after: None });
    }
    kinds.push(ClauseKind::Lanes { loops: vec![inner], fold: None });
    let text: Vec<String> = kinds.iter().map(|k| format!("{};", print_clause(k))).collect();
    let at = map.map.at;
    map.map.clauses = kinds.into_iter().map(|kind| Clause { kind, at }).collect();
    (map.kernel(), format!("map {{ {} }}", text.join(" ")))
}

fn integer(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int { value, suffix: None } => Some(*value),
        _ => None,
    }
}

fn lanes_of(map: &Changed) -> Vec<Name> {
    let lanes = map.map.clauses.iter().find_map(|c| match &c.kind {
        ClauseKind::Lanes { loops, .. } => Some(loops.clone()),
        _ => None,
    });
    lanes.unwrap_or_default()
}

/// The sequential loops of a map without a matrix, outermost first.
fn sequential(map: &Changed) -> Vec<String> {
    let reorder = map.map.clauses.iter().find_map(|c| match &c.kind {
        ClauseKind::Reorder(names) => Some(names.iter().map(|n| n.text.clone()).collect()),
        _ => None,
    });
    let taken: Vec<Name> = [map.named(false), map.named(true), lanes_of(map)].concat();
    reorder.unwrap_or_else(|| map.leaves().into_iter().filter(|l| !taken.iter().any(|t| t.text == *l)).collect())
}

/// The map with a matrix over the warps in `space`, the lanes and the sequential loops from `of` inwards. The row of `of`
/// has the coefficient `times` for `of`, and those of `space` for warps and lanes.
fn slanted(kernel: &Kernel, position: usize, of: &str, space: &[(String, i128)], times: i128) -> Option<Offer> {
    let mut map = Changed::new(kernel, position);
    let inner: Vec<String> = sequential(&map).into_iter().skip_while(|l| l != of).collect();
    let counted = |n: &Name| space.iter().any(|(s, _)| *s == n.text);
    let warps: Vec<Name> = map.named(true).into_iter().filter(counted).collect();
    let lanes = lanes_of(&map);
    if inner.is_empty() || lanes.is_empty() {
        return None;
    }
    let old: Vec<Name> =
        warps.iter().chain(&lanes).cloned().chain(inner.iter().map(|l| map.name(l.as_str()))).collect();
    let mut new: Vec<Name> = Vec::new();
    for k in 0..old.len() {
        let base = if k < warps.len() {
            ["w", "v"].get(k)
        } else if k < warps.len() + lanes.len() {
            ["s", "s2"].get(k - warps.len())
        } else {
            ["t", "u", "v", "x"].get(k - warps.len() - lanes.len())
        };
        new.push(map.fresh(base?));
    }
    let entry = |row: usize, column: usize| match (row == warps.len() + lanes.len(), row == column) {
        (true, true) => times,
        (true, false) => space.iter().find(|(s, _)| *s == old[column].text).map_or(0, |(_, coef)| *coef),
        (false, same) => i128::from(same),
    };
    let at = map.map.at;
    let row = |k: usize| MatrixRow { entries: (0..old.len()).map(|c| map.number(entry(k, c))).collect(), at };
    let matrix = Matrix { rows: (0..old.len()).map(row).collect(), at };
    let clause = ClauseKind::SpaceTime { old, new: new.clone(), matrix, reverse: None };
    map.put(None, clause);
    if !warps.is_empty() {
        let k = map.clause(|c| matches!(c, ClauseKind::Warps(_)));
        let named = map.named(true).into_iter().map(|n| match warps.iter().position(|w| *w == n) {
            Some(k) => new[k].clone(),
            None => n,
        });
        let named = named.collect();
        map.put(k, ClauseKind::Warps(named));
    }
    let k = map.clause(|c| matches!(c, ClauseKind::Lanes { .. }))?;
    if let ClauseKind::Lanes { fold, .. } = map.map.clauses[k].kind.clone() {
        let loops = new[warps.len()..warps.len() + lanes.len()].to_vec();
        map.put(Some(k), ClauseKind::Lanes { loops, fold });
    }
    // A loop that the matrix takes is no longer sequential.
    if let Some(k) = map.clause(|c| matches!(c, ClauseKind::Reorder(_))) {
        let rest: Vec<Name> = sequential(&map).into_iter().take_while(|l| l != of).map(|l| map.name(l)).collect();
        if rest.is_empty() {
            return None;
        }
        map.put(Some(k), ClauseKind::Reorder(rest));
    }
    Some(Offer::new(map.kernel(), format!("with {} the map is lawful", map.text()), map.edits()))
}

/// The kernel's own loop that a leaf loop is a tile loop of.
fn origin(map: &Changed, leaf: &str) -> String {
    let mut name = leaf.to_string();
    for clause in map.map.clauses.iter().rev() {
        if let ClauseKind::Tile { of, outer, inner, .. } = &clause.kind
            && (outer.text == name || inner.text == name)
        {
            name = of.text.clone();
        }
    }
    name
}

/// Offers a loop across the lanes if a variable is read on both sides of its point along this loop.
fn across(kernel: &Kernel, position: usize, of: &str, variable: &str) -> Vec<Offer> {
    let Some(reads) = both_ways(kernel, of, variable) else { return Vec::new() };
    let mut offers = Vec::new();
    for overlap in OVERLAPS {
        for all in [true, false] {
            let (changed, text) = plain(kernel, position, of, overlap, all);
            let text = format!("{reads}; run `{of}` across the lanes instead: `{text}`");
            offers.push(Offer { last_resort: true, ..Offer::new(changed, text, Vec::new()) });
        }
    }
    offers
}

/// Advice for a variable that is read on both sides of its point along the loops of `row`: delay the reader, so that all
/// reads go to earlier steps.
pub fn shifted(kernel: &Kernel, position: usize, variable: &str, row: &str) -> Option<String> {
    let start = Changed::new(kernel, position);
    loops_of(&start, row).into_iter().find_map(|leaf| {
        let of = origin(&start, &leaf);
        let (_, high) = offsets(kernel, &of, variable)?;
        let (words, at) = (both_ways(kernel, &of, variable)?, place(&of, high));
        let stored = place(&of, -high);
        Some(format!(
            "{words}; run `{of}` upwards, and delay the reader of `{at}` by {high}: it then reads at `{of}` and stores at `{stored}`"
        ))
    })
}

/// Describes a variable that is read before and after its own index; `None` for any other.
fn both_ways(kernel: &Kernel, of: &str, variable: &str) -> Option<String> {
    let (low, high) = offsets(kernel, of, variable).filter(|(low, high)| *low < 0 && *high > 0)?;
    let (low, high) = (place(of, low), place(of, high));
    Some(format!("`{variable}` is read at `{low}` and `{high}`, which no order of `{of}` allows"))
}

fn place(of: &str, offset: i128) -> String {
    match offset {
        0 => of.to_string(),
        1.. => format!("{of} + {offset}"),
        _ => format!("{of} - {}", -offset),
    }
}

/// The least and the greatest offset along a loop at which a variable is read.
fn offsets(kernel: &Kernel, of: &str, variable: &str) -> Option<(i128, i128)> {
    let k = kernel.loops.iter().position(|l| l.name.text == of)?;
    let mut offsets = Vec::new();
    for assign in assigns(kernel) {
        read_at(&assign.value, variable, k, of, &mut offsets);
    }
    Some((*offsets.iter().min()?, *offsets.iter().max()?))
}

fn read_at(expr: &Expr, variable: &str, k: usize, of: &str, offsets: &mut Vec<i128>) {
    if let ExprKind::Index { name, indices } = &expr.kind
        && name.text == variable
        && let Some((1, offset)) = indices.get(k).and_then(|i| linear(i, of))
    {
        offsets.push(offset);
    }
    children(expr).into_iter().for_each(|child| read_at(child, variable, k, of, offsets));
}

/// A value is computed in another block of `outer`: offers this loop as sequential, or recomputed at the edges of tiles.
pub fn blocks(
    kernel: &Kernel,
    position: usize,
    outer: &str,
    variable: &str,
    reach: Option<(i128, i128)>,
) -> Vec<Offer> {
    let start = Changed::new(kernel, position);
    let mut offers = Vec::new();
    let left: Vec<Name> = start.named(false).into_iter().filter(|n| n.text != outer).collect();
    if let Some(k) = start.clause(|c| matches!(c, ClauseKind::Blocks(_))) {
        let code = if left.is_empty() {
            String::new()
        } else {
            format!("{};", print_clause(&ClauseKind::Blocks(left.clone())))
        };
        let mut map = Changed::new(kernel, position);
        map.set_blocks(left);
        let text = format!("leave `{outer}` out of `blocks`, so that it runs in order");
        offers.push(Offer::new(map.kernel(), text, edit(start.map.clauses[k].at, code)));
    }
    offers.extend(recomputed(kernel, position, outer, reach));
    offers.extend(waiting(kernel, position));
    if offers.is_empty() || both_ways(kernel, &origin(&start, outer), variable).is_some() {
        offers.extend(across(kernel, position, &origin(&start, outer), variable));
    }
    offers
}

/// The same blocks in order.
fn waiting(kernel: &Kernel, position: usize) -> Option<Offer> {
    let mut map = Changed::new(kernel, position);
    let k = map.clause(|c| matches!(c, ClauseKind::Blocks(_)))?;
    let (at, ordered) = (map.map.clauses[k].at, ClauseKind::Ordered(map.named(false)));
    let code = format!("{};", print_clause(&ordered));
    map.put(Some(k), ordered);
    let text = format!("let a block wait for the blocks whose values it reads: `{code}`");
    Some(Offer::new(map.kernel(), text, edit(at, code)))
}

/// The tile whose outer loop is `outer`, with an overlap as wide as chains of reads reach; also with a smaller tile, for
/// full lanes.
fn recomputed(kernel: &Kernel, position: usize, outer: &str, reach: Option<(i128, i128)>) -> Vec<Offer> {
    let start = Changed::new(kernel, position);
    let tile = start.clause(|c| matches!(c, ClauseKind::Tile { outer: o, .. } if o.text == outer));
    let (Some(k), Some((before, after))) = (tile, reach) else { return Vec::new() };
    let ClauseKind::Tile { of, by, outer, inner } = start.map.clauses[k].kind.clone() else { return Vec::new() };
    let mut offers = Vec::new();
    let shorter = integer(&by).map(|by| by - before - after).filter(|by| *by > 0);
    for by in [None, shorter] {
        let mut map = Changed::new(kernel, position);
        if let Some(by) = by {
            let by = map.number(by);
            map.put(Some(k), ClauseKind::Tile { of: of.clone(), by, outer: outer.clone(), inner: inner.clone() });
        }
        let sides = (before != after).then(|| map.number(after));
        let clause = ClauseKind::Overlap { of: of.clone(), before: map.number(before), after: sides };
        map.put(None, clause);
        offers.push(Offer::new(
            map.kernel(),
            format!("let each block recompute its edge: {}", map.text()),
            map.edits(),
        ));
    }
    offers
}
