//! Help for a map that breaks a law: a change, as small as possible, with which it is lawful. With a matrix that is another
//! row, without one another order of the sequential loops.
use super::{check_map, one_lane};
use crate::fault::{CausalityFact, Fact, Fault, Law};
use crate::model::{Int, Kernel, Mapping, Places, RowKind, Tile};
use crate::region::identity;
use crate::sorted;
use crate::target::effort;

/// Added to a suggestion that is lawful but gains nothing.
pub const ONE_LANE: &str = ", but only one lane works at a time";

/// A new row for a matrix.
struct Better {
    row: usize,
    entries: Vec<Int>,
    /// Whether no two lanes work in the same step.
    one_lane: bool,
}

/// Adds a suggested row to every fault of `collision`, `causality` or `broadcast` that has no help yet.
pub fn rows(kernel: &Kernel, mapping: &Mapping, faults: &mut [Fault]) {
    let helps = |f: &Fault| matches!(f.law(), Law::Collision | Law::Causality | Law::Broadcast) && f.help.is_none();
    if !faults.iter().any(helps) {
        return;
    }
    let Some(matrix) = &mapping.matrix else { return advise(kernel, mapping, faults) };
    let collision = faults.iter().any(|f| f.law() == Law::Collision);
    let Some(Better { row, entries, one_lane }) = find(kernel, mapping, collision) else { return };
    let numbers: Vec<String> = entries.iter().map(Int::to_string).collect();
    let code = format!("[{}]", numbers.join(", "));
    let idle = if one_lane { ONE_LANE } else { "" };
    let text = format!("with `{code}` as the row of `{}` the map is lawful{idle}", matrix.new[row].text);
    for fault in faults.iter_mut().filter(|f| helps(f)) {
        *fault = fault.clone().with_edit(text.clone(), matrix.row_at[row], code.clone());
    }
}

/// If a suggested smaller tile fits the lanes but breaks another law, the help says so and offers no code to paste.
pub fn tiles(kernel: &Kernel, mapping: &Mapping, faults: &mut [Fault]) {
    for help in faults.iter_mut().filter(|f| f.law() == Law::Lanes).filter_map(|f| f.help.as_mut()) {
        let [edit] = help.edits.as_slice() else { continue };
        let mut changed = mapping.clone();
        let tiles = changed.nodes.iter_mut().filter_map(|n| n.tile.as_mut());
        let same = |t: &&mut Tile| identity(t.by_at.start) == identity(edit.at.start);
        let (Some(tile), Ok(by)) = (tiles.into_iter().find(same), edit.code.parse()) else { continue };
        tile.by = by;
        if check_map(kernel, &changed).is_err() {
            help.edits.clear();
            help.text.push_str("; but that alone does not make the map lawful");
        }
    }
}

/// Suggests another order of the sequential loops, for a map without a matrix, if one is lawful.
fn advise(kernel: &Kernel, mapping: &Mapping, faults: &mut [Fault]) {
    let later = |f: &Fault| matches!(f.fact, Fact::Causality(CausalityFact::Later { .. })) && f.help.is_none();
    if !faults.iter().any(later) {
        return;
    }
    let Some(order) = another_order(kernel, mapping) else { return };
    let names: Vec<&str> = order.iter().map(|l| mapping.nodes[mapping.leaves[*l]].name.text.as_str()).collect();
    let words = format!("with `reorder ({});` the map is lawful", names.join(", "));
    for fault in faults.iter_mut().filter(|f| later(f)) {
        *fault = fault.clone().with_advice(words.clone());
    }
}

/// Another order of the sequential loops with which the map is lawful; `None` if there is none or if there are
/// more than `REORDERED_LOOPS` loops.
fn another_order(kernel: &Kernel, mapping: &Mapping) -> Option<Vec<usize>> {
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..mapping.sequential.len().min(effort::REORDERED_LOOPS) {
        let longer = |o: &Vec<usize>| {
            let rest = mapping.sequential.iter().filter(|l| !o.contains(l));
            rest.map(|l| o.iter().copied().chain([*l]).collect()).collect::<Vec<Vec<usize>>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders.retain(|o| o.len() == mapping.sequential.len() && *o != mapping.sequential);
    orders.into_iter().find(|order| {
        let changed = Mapping { sequential: order.clone(), ..mapping.clone() };
        check_map(kernel, &changed).is_ok()
    })
}

/// The smallest change of a single row that makes the map lawful: of a time row or, if `any`, of any row. One that lets only
/// one lane work at a time is returned only if there is no other.
fn find(kernel: &Kernel, mapping: &Mapping, any: bool) -> Option<Better> {
    let matrix = mapping.matrix.as_ref()?;
    let places = Places::new(kernel, mapping);
    let mut rows: Vec<(usize, Int)> = places.of_kind(RowKind::Time).filter_map(|r| Some((r.matrix_row?, 0))).collect();
    if any {
        let space = places.rows.iter().filter(|r| r.kind != RowKind::Time);
        rows.extend(space.filter_map(|r| Some((r.matrix_row?, 1))));
    }
    let mut tries = 0;
    let columns = matrix.old.len();
    let mut candidates: Vec<(Int, usize, Vec<Int>)> = Vec::new();
    for (row, later) in rows {
        let old = &matrix.rows[row];
        // One entry changed; for few loops also all rows of small entries.
        let mut all = changed(old, &places);
        if columns <= 3 {
            all.extend(small(columns));
        }
        for new in all {
            let far: Int = new.iter().zip(old).map(|(a, b)| (a - b).abs()).sum();
            let size: Int = new.iter().map(|a| a.abs()).sum();
            if far > 0 && new.iter().any(|c| *c != 0) {
                candidates.push((2 * far + size + later, row, new));
            }
        }
    }
    sorted::sort(&mut candidates);
    candidates.dedup();
    let mut idle = None;
    for (_, row, entries) in candidates {
        tries += 1;
        if tries > effort::ROW_TRIALS {
            break;
        }
        let mut changed = mapping.clone();
        if let Some(m) = &mut changed.matrix {
            m.rows[row] = entries.clone();
            m.reverse = None;
        }
        let Ok(map) = check_map(kernel, &changed) else { continue };
        let better = Better { row, entries, one_lane: one_lane(kernel, &map) };
        if !better.one_lane {
            return Some(better);
        }
        idle = idle.or(Some(better));
    }
    idle
}

/// All rows with entries within ±2.
fn small(columns: usize) -> Vec<Vec<Int>> {
    let mut rows = vec![Vec::new()];
    for _ in 0..columns {
        rows = rows.iter().flat_map(|r: &Vec<Int>| (-2..=2).map(|v| r.iter().copied().chain([v]).collect())).collect();
    }
    rows
}

/// The row with one entry changed: to a small number, to one near the old entry, or to the length of a loop.
fn changed(row: &[Int], places: &Places) -> Vec<Vec<Int>> {
    let mut rows = Vec::new();
    let extents: Vec<Int> = places.leaf_ranges.iter().flatten().map(|(low, high)| high - low + 1).collect();
    for k in 0..row.len() {
        for v in (-2..=2).chain(row[k] - 2..=row[k] + 2).chain(extents.iter().copied()) {
            let mut new = row.to_vec();
            new[k] = v;
            rows.push(new);
        }
    }
    rows
}
