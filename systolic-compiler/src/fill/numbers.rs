//! The numbers that `_` stands for in a map that has all its clauses.
use crate::model::{self, Int, Kernel};
use crate::region::Name;
use crate::sketch::Facts;
use crate::sorted;
use crate::syntax::tree::{ClauseKind, Expr, ExprKind, Map};
use crate::target::gpu;
use crate::target::search::{AHEADS, BLOCK_TILES, FIRST_BYTES, RESIDENTS, SHORT_TILES};

/// A map and the values that each of its open numbers may have, those to be tried first in front.
#[derive(Clone, Debug)]
pub struct NumbersOf {
    map: Map,
    holes: Vec<Hole>,
}

/// A `_`.
#[derive(Clone, Debug)]
struct Hole {
    clause: usize,
    /// `None` leaves the clause out.
    values: Vec<Option<Int>>,
}

/// One choice: for each open number the index of its value.
pub type Numbers = Vec<usize>;

impl NumbersOf {
    pub fn new(kernel: &Kernel, map: Map) -> NumbersOf {
        let is_open = |clause: usize| map.clauses[clause].kind.number().is_some_and(|n| n.kind == ExprKind::Hole);
        let holes: Vec<usize> = (0..map.clauses.len()).filter(|clause| is_open(*clause)).collect();
        let folds = folds(kernel, &map);
        let holes = holes.into_iter().map(|clause| Hole { clause, values: values(&map, clause, &folds) });
        let mut holes: Vec<Hole> = holes.collect();
        // Tiles decide what is lawful, so they vary first; wishes last.
        sorted::sort_by_key(&mut holes, |hole| match map.clauses[hole.clause].kind {
            ClauseKind::Resident(_) | ClauseKind::Ahead(_) => 0,
            ClauseKind::Lanes { .. } => 1,
            _ => 2,
        });
        NumbersOf { map, holes }
    }

    /// All choices, the last open number varying fastest.
    pub fn choices(&self) -> impl Iterator<Item = Numbers> {
        std::iter::successors(Some(vec![0; self.holes.len()]), |numbers| self.after(numbers))
    }

    fn after(&self, numbers: &Numbers) -> Option<Numbers> {
        let mut numbers = numbers.clone();
        for (k, hole) in self.holes.iter().enumerate().rev() {
            numbers[k] += 1;
            if numbers[k] < hole.values.len() {
                return Some(numbers);
            }
            numbers[k] = 0;
        }
        None
    }

    /// The choices that differ in one number.
    pub fn neighbours(&self, numbers: &Numbers) -> Vec<Numbers> {
        let mut all = Vec::new();
        for (k, hole) in self.holes.iter().enumerate() {
            for value in (0..hole.values.len()).filter(|value| *value != numbers[k]) {
                let mut other = numbers.clone();
                other[k] = value;
                all.push(other);
            }
        }
        all
    }

    /// A choice as a map without open numbers.
    pub fn map(&self, numbers: &Numbers) -> Map {
        let mut map = Map { auto: false, ..self.map.clone() };
        let mut left_out = Vec::new();
        for (hole, value) in self.holes.iter().zip(numbers) {
            match hole.values[*value] {
                Some(value) => {
                    if let Some(number) = map.clauses[hole.clause].kind.number_mut() {
                        *number = Expr::number(number.at, value);
                    }
                }
                None => left_out.push(hole.clause),
            }
        }
        let mut position = 0..;
        map.clauses.retain(|_| position.next().is_none_or(|k| !left_out.contains(&k)));
        map
    }
}

/// The values of an open number.
fn values(map: &Map, clause: usize, folds: &[Int]) -> Vec<Option<Int>> {
    match &map.clauses[clause].kind {
        ClauseKind::Lanes { .. } => folds.iter().copied().map(Some).collect(),
        ClauseKind::Resident(_) => RESIDENTS.to_vec(),
        ClauseKind::Ahead(_) => AHEADS.to_vec(),
        ClauseKind::Tile { inner, .. } => tiles(map, inner, folds).into_iter().map(Some).collect(),
        _ => Vec::new(),
    }
}

/// The points per lane: as written, or from those of one wide access on.
fn folds(kernel: &Kernel, map: &Map) -> Vec<Int> {
    let written = map.clauses.iter().find_map(|clause| match &clause.kind {
        ClauseKind::Lanes { fold, .. } => Some(fold.as_ref()),
        _ => None,
    });
    match written.flatten() {
        None => vec![1],
        Some(fold) if fold.kind != ExprKind::Hole => vec![model::number(fold, &kernel.instance).unwrap_or(1)],
        Some(_) => {
            let first = (FIRST_BYTES / Facts::new(kernel).element_bytes()).max(1);
            let mut folds: Vec<Int> =
                (0..=first.ilog2()).map(|k| first >> k).chain([2 * first]).filter(|f| *f <= gpu::LANES).collect();
            folds.dedup();
            folds
        }
    }
}

/// The sizes of a tile, by what its inner loop becomes.
fn tiles(map: &Map, inner: &Name, folds: &[Int]) -> Vec<Int> {
    if runs_across_lanes(map, inner) {
        // As many points as the lanes have, less what skews and overlaps need of them.
        return folds.iter().flat_map(|fold| (0..gpu::LANES).map(move |less| gpu::LANES * fold - less)).collect();
    }
    let is_tiled = map.clauses.iter().any(|c| matches!(&c.kind, ClauseKind::Tile { of, .. } if of == inner));
    let is_unrolled = map.clauses.iter().any(|clause| match &clause.kind {
        ClauseKind::Unroll(names) => names.iter().any(|name| name == inner || row_uses(map, name, inner)),
        _ => false,
    });
    if is_unrolled && !is_tiled { SHORT_TILES.to_vec() } else { BLOCK_TILES.to_vec() }
}

/// Whether a loop, or a row of the matrix with it, is a loop of the lanes.
fn runs_across_lanes(map: &Map, inner: &Name) -> bool {
    map.clauses.iter().any(|clause| match &clause.kind {
        ClauseKind::Lanes { loops, .. } => loops.iter().any(|name| name == inner || row_uses(map, name, inner)),
        _ => false,
    })
}

/// Whether the row of the matrix with this name has a part along a loop.
fn row_uses(map: &Map, row: &Name, of: &Name) -> bool {
    map.clauses.iter().any(|clause| {
        let ClauseKind::SpaceTime { old, new, matrix, .. } = &clause.kind else { return false };
        let (Some(row), Some(column)) = (new.iter().position(|n| n == row), old.iter().position(|n| n == of)) else {
            return false;
        };
        let entry = matrix.rows.get(row).and_then(|row| row.entries.get(column));
        entry.is_some_and(|entry| !matches!(entry.kind, ExprKind::Int { value: 0, .. }))
    })
}
