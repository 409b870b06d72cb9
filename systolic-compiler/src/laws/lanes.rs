//! ∏ lanes ≤ 32, where the extent of the last row is divided by the fold; ∏ warps ≤ 32
//!
//! All these extents must be constants of the instance, and so must those of unrolled rows.
use crate::dependence::Ranges;
use crate::fault::{Fault, Faults, LanesFact, NamesFact};
use crate::model::{Int, Kernel, Mapping, Places, Row, RowKind};
use crate::region::Region;
use crate::target::{GPU, gpu};
use systolic_sets::{Range, range};

/// Checks the extents of lanes, warps and unrolled rows. Returns the ranges of all rows, as far as they are constants.
pub fn check(kernel: &Kernel, mapping: &Mapping, places: &Places, faults: &mut Faults) -> Ranges {
    let mut ranges: Ranges = places.rows.iter().map(|r| r.range).collect();
    if mapping.lanes.is_empty() {
        faults.push(Fault::new(mapping.at, LanesFact::NoLanes));
        return ranges;
    }
    unrolled(kernel, mapping, places, &mut ranges, faults);
    space(kernel, mapping, places, RowKind::Warp, &mut ranges, faults);
    space(kernel, mapping, places, RowKind::Lane, &mut ranges, faults);
    ranges
}

/// Every unrolled row has a constant length.
fn unrolled(kernel: &Kernel, mapping: &Mapping, places: &Places, ranges: &mut Ranges, faults: &mut Faults) {
    for (_, name) in &mapping.unroll {
        let Some(k) = places.rows.iter().position(|r| r.unrolled && r.name == name.text) else { continue };
        if ranges[k].is_some() {
            continue;
        }
        match exact(kernel, mapping, places, &places.rows[k]) {
            Ok(found) => ranges[k] = Some(found),
            Err(_) => {
                let fault = Fault::new(name.at, NamesFact::RunTimeLength { name: name.text.clone() });
                faults.push(match places.rows[k].matrix_row {
                    None => fault.with_advice(format!(
                        "tile it, and unroll the inner loop: `tile {0} by 4 as ({0}b, {0}i);`, `unroll ({0}i);`",
                        name.text
                    )),
                    Some(_) => fault,
                });
            }
        }
    }
}

/// The extents of the lane rows, or of the warp rows, are constants and their product is within the limit.
fn space(kernel: &Kernel, mapping: &Mapping, places: &Places, kind: RowKind, ranges: &mut Ranges, faults: &mut Faults) {
    let (names, fold, limit) = match kind {
        RowKind::Warp => (&mapping.warps, 1, GPU.block_warps),
        _ => (&mapping.lanes, mapping.fold, gpu::LANES),
    };
    let rows: Vec<usize> = (0..places.rows.len()).filter(|k| places.rows[*k].kind == kind).collect();
    let places_of_names: Vec<Region> = names.iter().map(|(_, n)| n.at).collect();
    let last = rows.len().saturating_sub(1);
    let count = |ranges: &Ranges| {
        let mut total: Int = 1;
        for (k, row) in rows.iter().enumerate() {
            let (low, high) = ranges[*row]?;
            let extent = (high - low + 1).max(1);
            total = total.saturating_mul(if k == last { (extent + fold - 1) / fold } else { extent });
        }
        Some(total)
    };
    // The bounds of the leaf loops usually suffice. If not, the exact range over all points is computed.
    if count(ranges).is_none_or(|c| c > limit) {
        let mut failed = false;
        for (k, row) in rows.iter().enumerate() {
            match exact(kernel, mapping, places, &places.rows[*row]) {
                Ok(found) => ranges[*row] = Some(found),
                Err(fact) => {
                    let fault = Fault::new(places_of_names[k], fact);
                    let room = room(&places.rows, ranges, &rows, k, limit, fold);
                    faults.push(advise(fault, mapping, places, *row, room));
                    failed = true;
                }
            }
        }
        if failed {
            return;
        }
    }
    let Some(total) = count(ranges).filter(|c| *c > limit) else { return };
    let rows_named = names.iter().map(|(_, n)| n.text.clone()).collect();
    let at = places_of_names.last().copied().unwrap_or(mapping.at);
    let fact = if kind == RowKind::Warp {
        LanesFact::TooManyWarps { rows: rows_named, extent: total }
    } else {
        // With several rows only the last is folded, so the message counts lanes times fold, not values.
        let extent = match rows.as_slice() {
            [one] => ranges[*one].map_or(total, |(low, high)| high - low + 1),
            _ => total * fold,
        };
        LanesFact::TooMany { rows: rows_named, extent, limit: limit * fold, fold }
    };
    let fault = Fault::new(at, fact);
    faults.push(match rows.last() {
        Some(row) => {
            let room = room(&places.rows, ranges, &rows, last, limit, fold);
            advise(fault, mapping, places, *row, room)
        }
        None => fault,
    });
}

/// The ranges of the rows of `compact`. `written` has the rows as the map writes them, and `known` holds their ranges.
pub fn of_compact(kernel: &Kernel, mapping: &Mapping, compact: &Places, written: &Places, known: &Ranges) -> Ranges {
    let rows = compact.rows.iter().zip(&written.rows).zip(known);
    rows.map(|((new, old), known)| match (new.range, known) {
        _ if new.coefs == old.coefs => *known,
        // The old range came from a query, and so does the new one: both have a constant length.
        (None, Some(_)) => exact(kernel, mapping, compact, new).ok(),
        (range, _) => range,
    })
    .collect()
}

/// The exact range of a row over the points of a map.
fn exact(kernel: &Kernel, mapping: &Mapping, places: &Places, row: &Row) -> Result<(Int, Int), LanesFact> {
    let domain = places.domain(kernel, mapping);
    match range(places.dims(), &domain, &places.form(row)) {
        Range::Empty => Ok((0, 0)),
        Range::Bounds { low: Some(low), high: Some(high) } => Ok((low, high)),
        Range::Bounds { .. } => Err(LanesFact::RunTime { row: row.name.clone() }),
        Range::GaveUp => Err(LanesFact::Undecided { row: row.name.clone() }),
    }
}

/// How many values row `k` of `rows` may have, given the extents of the others.
fn room(all: &[Row], ranges: &Ranges, rows: &[usize], k: usize, limit: Int, fold: Int) -> Int {
    let extent = |r: usize| ranges[r].or(all[r].range).map_or(1, |(low, high)| (high - low + 1).max(1));
    let others: Int = rows.iter().enumerate().filter(|(n, _)| *n != k).map(|(_, r)| extent(*r)).product();
    (limit / others.max(1)) * if k + 1 == rows.len() { fold } else { 1 }
}

/// Adds advice: a smaller tile, or a new one, so that the row has at most `room` values.
fn advise(fault: Fault, mapping: &Mapping, places: &Places, row: usize, room: Int) -> Fault {
    let row = &places.rows[row];
    let span = |leaf: usize| places.leaf_ranges[leaf].map(|(low, high)| (high - low) * row.coefs[leaf].abs());
    let used: Vec<usize> = (0..row.coefs.len()).filter(|l| row.coefs[*l] != 0).collect();
    // The loop that makes the row long: one of run-time length if there is one, else the longest.
    let Some(long) = used.iter().copied().max_by_key(|l| span(*l).unwrap_or(Int::MAX)) else { return fault };
    let rest: Int = used.iter().filter(|l| **l != long).filter_map(|l| span(*l)).sum();
    let by = (room - 1 - rest).div_euclid(row.coefs[long].abs()) + 1;
    let node = mapping.leaves[long];
    let name = &mapping.nodes[node].name.text;
    let tile = mapping.nodes.iter().find(|n| n.tile.as_ref().is_some_and(|t| t.inner == node));
    match tile.and_then(|n| n.tile.as_ref().map(|t| (n, t))) {
        Some((of, tile)) if by > tile.before + tile.after => {
            let by = by - tile.before - tile.after;
            let words = format!("a smaller tile fits: `tile {} by {by} as (…, {name});`", of.name.text);
            fault.with_edit(words, tile.by_at, by.to_string())
        }
        None if by >= 1 => fault.with_advice(format!(
            "tile it: `tile {name} by {by} as ({name}b, {name}i);`, and write `{name}i` for `{name}` in the other clauses"
        )),
        _ => fault,
    }
}
