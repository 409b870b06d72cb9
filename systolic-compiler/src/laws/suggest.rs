//! Help for a matrix: another row, as near to the written one as can be, with which the map is lawful.
use super::check_map;
use crate::fault::{Fault, Law};
use crate::model::{Int, Kernel, Mapping, Places, RowKind};

/// How many rows are tried before the search is given up.
const MOST_TRIES: usize = 260;

/// Adds a row to try to every fault of `collision`, `causality` or `broadcast` that has no help yet.
pub fn rows(kernel: &Kernel, mapping: &Mapping, faults: &mut [Fault]) {
    let helps = |f: &Fault| matches!(f.law(), Law::Collision | Law::Causality | Law::Broadcast) && f.help.is_none();
    if !faults.iter().any(helps) {
        return;
    }
    let Some((row, better)) = find(kernel, mapping) else { return };
    let Some(matrix) = &mapping.matrix else { return };
    let numbers: Vec<String> = better.iter().map(Int::to_string).collect();
    let code = format!("[{}]", numbers.join(", "));
    let text = format!("with `{code}` as the row of `{}` the map is lawful", matrix.new[row].text);
    for fault in faults.iter_mut().filter(|f| helps(f)) {
        *fault = fault.clone().with_edit(text.clone(), matrix.row_at[row], code.clone());
    }
}

/// The nearest single change of a time row that makes the map lawful.
fn find(kernel: &Kernel, mapping: &Mapping) -> Option<(usize, Vec<Int>)> {
    let matrix = mapping.matrix.as_ref()?;
    let places = Places::new(kernel, mapping);
    let time: Vec<usize> = places.of_kind(RowKind::Time).filter_map(|r| r.matrix_row).collect();
    let mut tries = 0;
    let columns = matrix.old.len();
    let mut candidates: Vec<(Int, usize, Vec<Int>)> = Vec::new();
    for row in time {
        let old = &matrix.rows[row];
        // Small entries, all of them, for few loops; for many, one entry changed.
        let all = if columns <= 3 { small(columns) } else { changed(old) };
        for new in all {
            let far: Int = new.iter().zip(old).map(|(a, b)| (a - b).abs()).sum();
            let size: Int = new.iter().map(|a| a.abs()).sum();
            if far > 0 && new.iter().any(|c| *c != 0) {
                candidates.push((2 * far + size, row, new));
            }
        }
    }
    candidates.sort();
    for (_, row, new) in candidates {
        tries += 1;
        if tries > MOST_TRIES {
            return None;
        }
        let mut changed = mapping.clone();
        if let Some(m) = &mut changed.matrix {
            m.rows[row] = new.clone();
            m.reverse = None;
        }
        if check_map(kernel, &changed).is_ok() {
            return Some((row, new));
        }
    }
    None
}

/// All rows with entries within ±2.
fn small(columns: usize) -> Vec<Vec<Int>> {
    let mut rows = vec![Vec::new()];
    for _ in 0..columns {
        rows = rows.iter().flat_map(|r: &Vec<Int>| (-2..=2).map(|v| r.iter().copied().chain([v]).collect())).collect();
    }
    rows
}

/// The row with one entry another.
fn changed(row: &[Int]) -> Vec<Vec<Int>> {
    let mut rows = Vec::new();
    for k in 0..row.len() {
        for v in -2..=2 {
            let mut new = row.to_vec();
            new[k] = v;
            rows.push(new);
        }
    }
    rows
}
