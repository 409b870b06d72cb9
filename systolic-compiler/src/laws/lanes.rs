//! The space rows have constant extents: ∏ lanes ≤ 32 with the last row folded, ∏ warps ≤ 32
use crate::fault::{Fault, Faults, LanesFact, NamesFact};
use crate::model::{Int, Kernel, Mapping, Places, Row, RowKind};
use crate::region::Region;
use systolic_sets::{Range, range};

pub const LANES: Int = 32;
pub const WARPS: Int = 32;

/// The least and greatest value of every row of a map that is known when compiling.
pub type Ranges = Vec<Option<(Int, Int)>>;

pub fn check(kernel: &Kernel, mapping: &Mapping, places: &Places, faults: &mut Faults) -> Ranges {
    let mut ranges: Ranges = places.rows.iter().map(|r| r.range).collect();
    if mapping.lanes.is_empty() {
        faults.push(Fault::new(mapping.at, LanesFact::NoLanes).with_advice(no_lanes_help(mapping)));
        return ranges;
    }
    for (_, name) in &mapping.unroll {
        let Some(k) = places.rows.iter().position(|r| r.unrolled && r.name == name.text) else { continue };
        if ranges[k].is_none() {
            match exact(kernel, mapping, places, &places.rows[k]) {
                Ok(found) => ranges[k] = Some(found),
                Err(_) => faults.push(Fault::new(name.at, NamesFact::RunTimeLength { name: name.text.clone() })),
            }
        }
    }
    for (kind, fold) in [(RowKind::Warp, 1), (RowKind::Lane, mapping.fold)] {
        let names = if kind == RowKind::Warp { &mapping.warps } else { &mapping.lanes };
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
        let limit = if kind == RowKind::Warp { WARPS } else { LANES };
        // The leaves' own bounds usually decide; where they do not, the set itself is asked.
        if count(&ranges).is_none_or(|c| c > limit) {
            let mut failed = false;
            for (k, row) in rows.iter().enumerate() {
                match exact(kernel, mapping, places, &places.rows[*row]) {
                    Ok(found) => ranges[*row] = Some(found),
                    Err(fact) => {
                        faults.push(advise(Fault::new(places_of_names[k], fact), mapping, &places.rows[*row]));
                        failed = true;
                    }
                }
            }
            if failed {
                continue;
            }
        }
        if let Some(total) = count(&ranges).filter(|c| *c > limit) {
            let rows_named = names.iter().map(|(_, n)| n.text.clone()).collect();
            let at = places_of_names.last().copied().unwrap_or(mapping.at);
            let fact = if kind == RowKind::Warp {
                LanesFact::TooManyWarps { rows: rows_named, extent: total }
            } else {
                let extent = rows.iter().filter_map(|r| ranges[*r]).map(|(l, h)| h - l + 1).product();
                LanesFact::TooMany { rows: rows_named, extent, limit: limit * fold, fold }
            };
            let row = rows.last().map(|r| &places.rows[*r]);
            let fault = Fault::new(at, fact);
            faults.push(row.map_or(fault.clone(), |row| advise(fault, mapping, row)));
        }
    }
    ranges
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

/// Tile the loop that makes the row long.
fn advise(fault: Fault, mapping: &Mapping, row: &Row) -> Fault {
    let long = row.coefs.iter().position(|c| *c != 0);
    match long.map(|leaf| &mapping.nodes[mapping.leaves[leaf]].name.text) {
        Some(name) => fault.with_advice(format!(
            "tile a loop of the row: `tile {name} by 32 as ({name}b, {name}i);`, and let `{name}i` stand for `{name}`"
        )),
        None => fault,
    }
}

fn no_lanes_help(mapping: &Mapping) -> String {
    let row = mapping.matrix.as_ref().and_then(|m| m.new.first());
    let name = row.map(|n| n.text.clone()).unwrap_or_else(|| {
        mapping.leaves.last().map(|l| mapping.nodes[*l].name.text.clone()).unwrap_or_default()
    });
    format!("add `lanes {name};`")
}
