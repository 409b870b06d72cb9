//! Other orders of the time rows: an unrolled row becomes a loop around the rows that stay unrolled. No value changes, and the
//! laws are checked again.
//!
//! ```text
//! loops r, unrolled (p, q)   ──▶   loops r, p, unrolled (q)   or   loops r, q, unrolled (p)
//! ```
use super::layout::{Layout, Target};
use crate::laws::{LawfulMap, prove_map};
use crate::model::{Int, Kernel, Mapping, RowName};

/// A map with one unrolled row fewer.
pub struct Retimed {
    map: LawfulMap,
    /// How many of the innermost time rows stay unrolled.
    unrolled: usize,
    /// The number of iterations of the new loop.
    pub extent: Int,
}

impl Retimed {
    /// The layout of the map; `None` as for [`Layout::with_unrolled`].
    pub fn layout<'k>(&'k self, kernel: &'k Kernel, target: Target) -> Option<Layout<'k>> {
        Layout::with_unrolled(kernel, &self.map, target, self.unrolled)
    }
}

/// Every lawful way to make a loop of one of the unrolled rows of a layout, in order of the rows.
pub fn retimed(layout: &Layout) -> Vec<Retimed> {
    let extents = layout.unrolled.iter().map(|row| layout.ranges[*row].map_or(1, |(low, high)| high - low + 1));
    let as_loop = |(k, extent)| {
        let mapping = outward(layout, k)?;
        let map = prove_map(layout.kernel, &mapping).ok()?;
        Some(Retimed { map, unrolled: layout.unrolled.len() - 1, extent })
    };
    extents.enumerate().filter_map(as_loop).collect()
}

/// The map in which unrolled row `k` lies outside the other unrolled rows; `None` if only one of the rows involved is a row of
/// the matrix.
fn outward(layout: &Layout, k: usize) -> Option<Mapping> {
    let rows = &layout.places.rows;
    let first = *layout.unrolled.first()?;
    let row = layout.unrolled[k];
    let mut mapping = layout.mapping.clone();
    // The layout is told how many rows are unrolled, so `unroll` is not needed.
    mapping.unroll.clear();
    // The kernel of the layout is already shifted and direct.
    mapping.shifts.clear();
    mapping.direct = false;
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
