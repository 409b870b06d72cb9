//! Lanes for a map that has none, and a fold for a row with too many values.
use super::Offer;
use super::maps::{Changed, position};
use crate::fault::Help;
use crate::region::{Name, Region};
use crate::syntax::tree::{ClauseKind, Kernel};
use crate::target::gpu;

/// The folds to try for a row whose extent is not known here.
const FOLDS: [i128; 4] = [1, 2, 4, 8];

/// A map without lanes: offers a loop of constant extent that is not used yet, then the inner loop of a new tile of 32.
pub fn none(kernel: &Kernel, at: Region) -> Vec<Offer> {
    let Some(position) = position(kernel, at) else { return Vec::new() };
    let start = Changed::new(kernel, position);
    let mut offers = Vec::new();
    for fold in FOLDS {
        // A fold of a loop that fits into fewer lanes leaves some of them, or all but one, without work.
        let short = |row: &Name| fold > 1 && start.extent(&row.text).is_some_and(|e| e <= gpu::LANES * fold / 2);
        for row in rows(&start).into_iter().filter(|row| !short(row)) {
            let mut changed = Changed::new(kernel, position);
            changed.put(None, lanes(&[row], fold, &start));
            reorder(&mut changed);
            offers.push(offer(&changed));
        }
    }
    let leaves: Vec<String> = match start.matrix().map(|k| &start.map.clauses[k].kind) {
        Some(ClauseKind::SpaceTime { old, .. }) => old.iter().map(|o| o.text.clone()).collect(),
        _ => start.leaves().into_iter().rev().collect(),
    };
    for leaf in leaves {
        offers.extend(tiled(kernel, position, &leaf));
    }
    offers
}

/// A `reorder` that names the wrong loops, in a map that has no lanes either: with lanes it may have nothing left to order.
pub fn without(kernel: &Kernel, at: Region) -> Vec<Offer> {
    let has_lanes = |k: usize| kernel.maps[k].clauses.iter().any(|c| matches!(c.kind, ClauseKind::Lanes { .. }));
    match position(kernel, at) {
        Some(k) if kernel.maps[k].is_open() => leave_out(kernel, k).into_iter().collect(),
        Some(k) if !has_lanes(k) => none(kernel, at),
        _ => Vec::new(),
    }
}

/// An open map without its `reorder`, so that the compiler chooses the order as well.
fn leave_out(kernel: &Kernel, position: usize) -> Option<Offer> {
    let mut map = Changed::new(kernel, position);
    let k = map.clause(|c| matches!(c, ClauseKind::Reorder(_)))?;
    map.drop(k);
    let text =
        format!("the compiler chooses the sequential loops of this map: without {} it is lawful", map.left_out());
    Some(Offer::new(map.kernel(), text, map.edits()))
}

/// The rows that may become lanes, the innermost loop first.
fn rows(map: &Changed) -> Vec<Name> {
    let taken: Vec<Name> = map.named(false).into_iter().chain(map.named(true)).collect();
    let names = match map.matrix().map(|k| &map.map.clauses[k].kind) {
        Some(ClauseKind::SpaceTime { new, .. }) => new.clone(),
        _ => map.leaves().into_iter().rev().map(|l| map.name(l)).collect(),
    };
    names.into_iter().filter(|n| !taken.contains(n)).collect()
}

/// The map with `leaf` tiled and its inner loop, or a row that contains it, as lanes. The outer loop becomes a block loop if
/// possible.
fn tiled(kernel: &Kernel, position: usize, leaf: &str) -> Vec<Offer> {
    let mut offers = Vec::new();
    for as_blocks in [true, false] {
        let mut changed = Changed::new(kernel, position);
        let (outer, inner) = (changed.fresh(&format!("{leaf}b")), changed.fresh(&format!("{leaf}i")));
        let of = changed.name(leaf);
        let tile = ClauseKind::Tile { of, by: changed.number(gpu::LANES), outer: outer.clone(), inner: inner.clone() };
        let mut blocks = changed.named(false);
        let held = blocks.iter().position(|b| b.text == leaf);
        match held {
            Some(k) if as_blocks => blocks[k] = outer,
            Some(_) => continue,
            None if as_blocks => blocks.push(outer),
            None => {}
        }
        changed.put(None, tile);
        changed.set_blocks(blocks);
        if let Some(k) = changed.matrix()
            && let ClauseKind::SpaceTime { old, new, matrix, reverse } = changed.map.clauses[k].kind.clone()
        {
            let old = old.into_iter().map(|o| if o.text == leaf { inner.clone() } else { o }).collect();
            changed.put(Some(k), ClauseKind::SpaceTime { old, new: new.clone(), matrix, reverse });
            for row in rows(&changed) {
                let mut changed = changed.clone();
                let clause = lanes(&[row], 1, &changed);
                changed.put(None, clause);
                reorder(&mut changed);
                offers.push(offer(&changed));
            }
            continue;
        }
        let clause = lanes(&[inner], 1, &changed);
        changed.put(None, clause);
        reorder(&mut changed);
        offers.push(offer(&changed));
    }
    offers
}

/// Mends the `reorder` of a map in which other clauses now use some of its loops: it names those that are still sequential,
/// in its order. Without two of them there is nothing to order, and the clause is left out.
fn reorder(map: &mut Changed) {
    let Some(k) = map.clause(|c| matches!(c, ClauseKind::Reorder(_))) else { return };
    let ClauseKind::Reorder(names) = &map.map.clauses[k].kind else { return };
    let tiled = |name: &Name| {
        let tile = map.map.clauses.iter().find_map(|c| match &c.kind {
            ClauseKind::Tile { of, outer, inner, .. } if of == name => Some(vec![outer.clone(), inner.clone()]),
            _ => None,
        });
        tile.unwrap_or_else(|| vec![name.clone()])
    };
    let taken = map.map.clauses.iter().flat_map(|c| match &c.kind {
        ClauseKind::Blocks(all)
        | ClauseKind::Ordered(all)
        | ClauseKind::Launches(all)
        | ClauseKind::Warps(all)
        | ClauseKind::SpaceTime { old: all, .. }
        | ClauseKind::Lanes { loops: all, .. } => all.as_slice(),
        _ => &[],
    });
    let taken: Vec<&Name> = taken.collect();
    let leaves = map.leaves();
    // Loops that the clause should have named come last.
    let all = names.iter().flat_map(tiled).chain(leaves.iter().map(|l| map.name(l.as_str())));
    let mut rest: Vec<Name> = Vec::new();
    for name in all.filter(|n| leaves.contains(&n.text) && !taken.contains(&n)) {
        if !rest.contains(&name) {
            rest.push(name);
        }
    }
    match rest.len() {
        _ if rest == *names => {}
        0 | 1 => map.drop(k),
        _ => map.put(Some(k), ClauseKind::Reorder(rest)),
    }
}

fn lanes(loops: &[Name], fold: i128, map: &Changed) -> ClauseKind {
    ClauseKind::Lanes { loops: loops.to_vec(), fold: (fold > 1).then(|| map.number(fold)) }
}

fn offer(changed: &Changed) -> Offer {
    Offer::new(changed.kernel(), format!("with {} the map is lawful", changed.text()), changed.edits())
}

/// A row has `extent` values, more than a warp has lanes: offers several values per lane. The old help is appended.
pub fn fold(kernel: &Kernel, at: Region, extent: i128, old: Option<&Help>) -> Vec<Offer> {
    let Some(position) = position(kernel, at) else { return Vec::new() };
    let start = Changed::new(kernel, position);
    let Some(k) = start.clause(|c| matches!(c, ClauseKind::Lanes { .. })) else { return Vec::new() };
    let ClauseKind::Lanes { loops, .. } = &start.map.clauses[k].kind else { return Vec::new() };
    let least = (extent + gpu::LANES - 1) / gpu::LANES;
    // Of two rows the last is folded, so its own extent decides. The next powers of two are tried as well.
    let next = (1..5).map(|n| (least.max(1) as u128).next_power_of_two() as i128 * (1 << (n - 1)));
    let folds = std::iter::once(least).chain(next.take(if loops.len() == 1 { 0 } else { 4 }));
    let other = old.filter(|h| !h.edits.is_empty()).map(|h| format!("; or {}", h.text)).unwrap_or_default();
    let offers = folds.map(|fold| {
        let mut changed = Changed::new(kernel, position);
        changed.put(Some(k), lanes(loops, fold, &start));
        let mut offer = offer(&changed);
        offer.help.text.push_str(&other);
        offer
    });
    offers.collect()
}
