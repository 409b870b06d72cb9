//! Builds a layout: assigns every row of the map to the grid, the warps, the lanes, a loop or the body of the step, and inverts
//! the rows, so that each leaf loop is a form of the place.
//!
//! ```text
//! rows of the map                           layout
//!
//! block  nb    0 ..= ⌊(N - 1) / 64⌋         block0
//! lane   ni    0 ..= 63, fold 2             2 lane0 + register, with 32 lanes
//! time   r     0 ..= R - 1                  loop t0
//! time   q     0 ..= 2                      unrolled: 3 times 2 instances
//! ```
use super::super::faces::faces;
use super::super::inverse::{Inverse, invert};
use super::super::narrow;
use super::super::obstacle::Obstacle;
use super::super::place_form::PlaceForm;
use super::{Instance, Layout, Space, Target, TimeLoop};
use crate::dependence::{Ranges, unrolled_rows, unrolled_times};
use crate::laws::{Edge, LawfulMap};
use crate::model::{Int, Kernel, Places, RowKind};
use crate::sorted::SortedSet;
use crate::target::{limits, tuning};

impl<'k> Layout<'k> {
    /// Like [`Layout::of`], but without the reason if there is no layout.
    pub fn new(kernel: &'k Kernel, map: &'k LawfulMap, target: Target) -> Option<Layout<'k>> {
        Layout::of(kernel, map, target).ok()
    }

    /// The layout of a map. Fails if the compiler cannot invert the rows of the map, or if the fold has too many registers.
    pub fn of(kernel: &'k Kernel, map: &'k LawfulMap, target: Target) -> Result<Layout<'k>, Obstacle> {
        let fold = map.mapping().fold;
        if fold > limits::BODIES {
            return Err(Obstacle::Fold { fold, most: limits::BODIES });
        }
        if !lengths_are_of_blocks(kernel, map) {
            return Err(Obstacle::Lengths);
        }
        let count = unrolled_rows(map.mapping(), map.places(), map.ranges());
        Layout::with_unrolled(kernel, map, target, count).ok_or(Obstacle::Rows)
    }

    /// The layout with `count` of the innermost time rows unrolled; `None` if one of these has no constant range, if the
    /// rows cannot be inverted, or if the fold has too many registers.
    pub fn with_unrolled(kernel: &'k Kernel, map: &'k LawfulMap, target: Target, count: usize) -> Option<Layout<'k>> {
        // From here on the layout knows the kernel under the map's shifts only.
        let kernel = map.kernel(kernel);
        let mut layout = Layout::without_leaves(kernel, map, target, count)?;
        let rows: Vec<(Vec<Int>, PlaceForm)> =
            map.places().rows.iter().enumerate().map(|(k, row)| (row.coefs.clone(), layout.row_value(k))).collect();
        let mut ways = narrow::lists(kernel, map.mapping(), map.places());
        let Inverse { leaves, consistent } = ways.find_map(|narrow| invert(&rows, &narrow))?;
        (layout.leaves, layout.consistent) = (leaves, consistent);
        Some(layout)
    }

    /// The layout before its rows are inverted: `leaves` and `consistent` are empty.
    fn without_leaves(kernel: &'k Kernel, map: &'k LawfulMap, target: Target, count: usize) -> Option<Layout<'k>> {
        let (mapping, places, ranges) = (map.mapping(), map.places(), map.ranges());
        if mapping.fold > limits::BODIES || !lengths_are_of_blocks(kernel, map) {
            return None;
        }
        let strided = target == Target::Cpu && mapping.fold > 1 && !moves_along_fold(kernel, map);
        let warps = spaces(places, ranges, RowKind::Warp, 1, false)?;
        let lanes = spaces(places, ranges, RowKind::Lane, mapping.fold, strided)?;
        let time = rows_of(places, RowKind::Time);
        let (loop_rows, unrolled) = time.split_at(time.len() - count);
        // Only a row of constant range can be unrolled.
        if unrolled.iter().any(|row| ranges[*row].is_none()) {
            return None;
        }
        let fold_loop = strided.then_some(TimeLoop::Fold);
        Some(Layout {
            kernel,
            mapping,
            places,
            dependences: map.dependences(),
            target,
            group: tuning::BRANCH_INSTRUCTIONS,
            blocks: rows_of(places, RowKind::Block),
            warps,
            lanes,
            loops: fold_loop.into_iter().chain(loop_rows.iter().map(|row| TimeLoop::Row(*row))).collect(),
            unrolled: unrolled.to_vec(),
            ranges: ranges.clone(),
            instances: instances(ranges, unrolled, if strided { 1 } else { mapping.fold }),
            leaves: Vec::new(),
            consistent: Vec::new(),
            faces: faces(kernel, mapping, places, map.dependences(), map.tickets()),
            tickets: map.tickets(),
            unused: unused(map, strided),
        })
    }
}

/// The numbers of the rows of a kind.
fn rows_of(places: &Places, kind: RowKind) -> Vec<usize> {
    (0..places.rows.len()).filter(|row| places.rows[*row].kind == kind).collect()
}

/// The rows of lanes or warps. The last one has the fold. `None` if a row has no constant range.
fn spaces(places: &Places, ranges: &Ranges, kind: RowKind, fold: Int, strided: bool) -> Option<Vec<Space>> {
    let rows = rows_of(places, kind);
    let last = rows.last().copied();
    let space = |row: usize| {
        let (low, high) = ranges[row]?;
        let fold = if Some(row) == last { fold } else { 1 };
        Some(Space { row, low, extent: (high - low) / fold + 1, fold, strided: strided && fold > 1 })
    };
    rows.into_iter().map(space).collect()
}

/// The copies of the equations in a step: for every time of the rows that are unrolled, one per register of the fold.
fn instances(ranges: &Ranges, unrolled: &[usize], registers: Int) -> Vec<Instance> {
    let times = unrolled_times(ranges, unrolled);
    let each = |w: Vec<Int>| (0..registers).map(move |register| Instance { unrolled: w.clone(), register });
    times.into_iter().flat_map(each).collect()
}

/// Whether a computed value is read along the folded row.
fn moves_along_fold(kernel: &Kernel, map: &LawfulMap) -> bool {
    let Some(row) = rows_of(map.places(), RowKind::Lane).last().copied() else { return false };
    kernel
        .reads()
        .iter()
        .filter(|r| kernel.equations[r.variable].copy.is_none())
        .any(|read| map.dependences().of(read.distance).iter().any(|class| class.displacement[row] != 0))
}

/// The reads that no point performs and that the program leaves out. With a strided fold the body has one register, which
/// stands for all; there a read is left out only if it is unused in all registers.
fn unused(map: &LawfulMap, strided: bool) -> SortedSet<Edge> {
    let all = map.unused();
    if !strided {
        return all.clone();
    }
    let everywhere =
        |edge: &&Edge| (0..map.mapping().fold).all(|register| all.contains(&Edge { register, ..(*edge).clone() }));
    all.iter().filter(|edge| edge.register == 0).filter(everywhere).cloned().collect()
}

/// Whether the loops of all lengths are loops of blocks or launches, so that a block knows its lengths from its start.
fn lengths_are_of_blocks(kernel: &Kernel, map: &LawfulMap) -> bool {
    let mapping = map.mapping();
    let is_of_block = |(l, _): &(usize, Int)| {
        mapping.leaf_of(*l).is_some_and(|leaf| mapping.launches.contains(&leaf) || mapping.blocks.contains(&leaf))
    };
    kernel.lengths().all(|length| length.index.iter().all(is_of_block))
}
