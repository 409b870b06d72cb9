//! Other orders of the time rows: a row that is written out (unrolled) becomes a loop around the rows that stay written out.
//! No value changes, and the laws are checked again.
use super::layout::{Layout, Target};
use crate::laws::{LawfulMap, prove_map};
use crate::model::{Int, Kernel, Mapping, RowName};

/// A map with one row fewer that is written out.
pub struct Retimed {
    map: LawfulMap,
    written: usize,
    /// The number of iterations of the new loop.
    pub extent: Int,
}

impl Retimed {
    /// The layout of the map; `None` as for [`Layout::with_written`].
    pub fn layout<'k>(&'k self, kernel: &'k Kernel, target: Target) -> Option<Layout<'k>> {
        Layout::with_written(kernel, &self.map, target, self.written)
    }
}

/// Every lawful way to make a loop of one of the rows that a layout writes out, in order of the rows.
pub fn retimed(layout: &Layout) -> Vec<Retimed> {
    let extents = layout.written.iter().map(|row| layout.ranges[*row].map_or(1, |(low, high)| high - low + 1));
    let roll = |(k, extent)| {
        let mapping = outward(layout, k)?;
        let map = prove_map(layout.kernel, &mapping).ok()?;
        Some(Retimed { map, written: layout.written.len() - 1, extent })
    };
    extents.enumerate().filter_map(roll).collect()
}

/// The map in which row `k` of those written out lies outside the others; `None` if only one of the rows involved is a row of
/// the matrix.
fn outward(layout: &Layout, k: usize) -> Option<Mapping> {
    let rows = &layout.places.rows;
    let first = *layout.written.first()?;
    let row = layout.written[k];
    let mut mapping = layout.mapping.clone();
    // The layout is told how many rows are written out, so `unroll` is not needed.
    mapping.unroll.clear();
    // The kernel of the layout is already shifted.
    mapping.shifts.clear();
    match (rows[row].matrix_row, rows[first].matrix_row) {
        (Some(from), Some(to)) => {
            let matrix = mapping.matrix.as_mut()?;
            let moved = |n: usize| match n {
                n if n == from => to,
                n if (to..from).contains(&n) => n + 1,
                n => n,
            };
            matrix.rows[to..=from].rotate_right(1);
            matrix.new[to..=from].rotate_right(1);
            matrix.row_at[to..=from].rotate_right(1);
            matrix.reverse = None;
            for (name, _) in mapping.lanes.iter_mut().chain(&mut mapping.warps) {
                if let RowName::New(n) = name {
                    *n = moved(*n);
                }
            }
        }
        (None, None) => {
            let at = |row: usize| {
                let leaf = rows[row].coefs.iter().position(|c| *c != 0)?;
                layout.mapping.sequential.iter().position(|l| *l == leaf)
            };
            let (from, to) = (at(row)?, at(first)?);
            mapping.sequential[to..=from].rotate_right(1);
        }
        _ => return None,
    }
    Some(mapping)
}
