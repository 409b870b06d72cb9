//! Enumerates the iteration points of a kernel at given sizes, and gives each its place under a map.
//!
//! With an overlap a point runs several times: in the core of its own tile and in the halos of others. Each run is a spot.
use super::picture::{Affine, Spot};
use crate::dependence::Ranges;
use crate::model::{Form, Int, Kernel, Mapping, ParameterKind, Places, RowKind, Tile};
use crate::target::shown;
use std::collections::BTreeMap;

/// A kernel under a map, at given sizes. The map may be unlawful; then its lanes begin at the least value that occurs.
pub struct World<'k> {
    /// Under the map's shifts.
    pub kernel: &'k Kernel,
    pub mapping: &'k Mapping,
    pub places: &'k Places,
    pub ranges: &'k Ranges,
    /// With lengths.
    pub sizes: Vec<Int>,
    /// Whether the registers of the fold are a loop of the program; their distance is then the number of lanes.
    pub strided: bool,
}

/// The spots, with the leaf loops of each, and what they are numbered by.
#[derive(Default)]
pub struct Spots {
    pub spots: Vec<Spot>,
    /// The leaf loops of every spot.
    pub leaves: Vec<Vec<Int>>,
    pub blocks: Vec<Vec<Int>>,
    pub steps: Vec<Vec<Int>>,
    pub omitted: usize,
    pub lanes: Int,
    pub warps: Int,
}

/// A run of a point: its leaf loops, and the values of all rows.
struct Run {
    point: Vec<Int>,
    leaves: Vec<Int>,
    rows: Vec<Int>,
    halo: bool,
}

impl World<'_> {
    /// A form over sizes and loops, at the sizes.
    pub fn affine(&self, form: &Form) -> Affine {
        let loops = self.kernel.loops.len();
        let mut point = self.sizes.clone();
        point.resize(self.kernel.dims(), 0);
        let coefs = (0..loops).map(|k| form.coef(self.kernel.loop_dim(k))).collect();
        Affine { coefs, constant: form.eval(&point).unwrap_or_default() }
    }

    /// The sizes with the lengths of a point, then these coordinates: the point itself, or its leaf loops.
    pub fn dims(&self, point: &[Int], coordinates: &[Int]) -> Vec<Int> {
        let mut all = self.sizes.clone();
        for length in self.kernel.lengths() {
            let ParameterKind::Array { dims, .. } = &self.kernel.parameters[length.parameter].kind else { continue };
            let is_outside = |((l, plus), dim): (&(usize, Int), &Form)| {
                let end = dim.eval(&self.sizes).unwrap_or_default();
                point.get(*l).is_some_and(|at| !(0..end).contains(&(at + plus)))
            };
            if length.index.iter().zip(dims).any(is_outside) {
                all[length.size] = length.range.least;
            }
        }
        all.extend(coordinates);
        all
    }

    /// All points, in the order of the loops; at most a bounded number.
    fn points(&self) -> Vec<Vec<Int>> {
        let mut all = vec![Vec::new()];
        for l in &self.kernel.loops {
            let mut next = Vec::new();
            for point in all {
                let at = self.dims(&point, &point);
                let (low, high) = (l.low.eval(&at).unwrap_or(0), l.high.eval(&at).unwrap_or(0));
                for value in low..high {
                    if next.len() >= shown::POINTS {
                        break;
                    }
                    next.push([point.as_slice(), &[value]].concat());
                }
            }
            all = next;
        }
        all
    }

    /// The leaf loops of every run of a point: one per tile whose core or halo has it.
    fn runs(&self, point: &[Int]) -> Vec<Vec<Int>> {
        let mut first = point.to_vec();
        first.resize(self.mapping.nodes.len(), 0);
        let mut all = vec![first];
        for (n, node) in self.mapping.nodes.iter().enumerate() {
            let Some(tile) = &node.tile else { continue };
            all = all.into_iter().flat_map(|nodes| tiles_of(nodes, n, tile)).collect();
        }
        all.into_iter().map(|nodes| self.mapping.leaves.iter().map(|leaf| nodes[*leaf]).collect()).collect()
    }

    /// Every spot whose place is in the domain of the map, with the values of all rows.
    fn placed(&self) -> Vec<Run> {
        let (domain, core) = (self.places.domain(self.kernel, self.mapping), self.places.core(self.mapping));
        let mut all = Vec::new();
        for point in self.points() {
            for leaves in self.runs(&point) {
                let at = self.dims(&point, &leaves);
                if domain.holds(&at) == Some(true) {
                    let rows = self.rows(&leaves);
                    let halo = core.holds(&at) != Some(true);
                    all.push(Run { point: point.clone(), leaves, rows, halo });
                }
            }
        }
        all
    }

    /// The values of all rows.
    pub fn rows(&self, leaves: &[Int]) -> Vec<Int> {
        self.places.rows.iter().map(|row| row.coefs.iter().zip(leaves).map(|(c, x)| c * x).sum()).collect()
    }

    /// The values of the rows of a kind.
    fn of_kind(&self, kind: RowKind, rows: &[Int]) -> Vec<Int> {
        self.places.rows.iter().zip(rows).filter(|(row, _)| row.kind == kind).map(|(_, value)| *value).collect()
    }

    /// All spots, sorted by block, step, warp, lane and register. Beyond `most`, those of the last blocks and steps are left out.
    pub fn spots(&self, most: usize) -> Spots {
        let placed = self.placed();
        let intervals: Vec<(Int, Int)> = (0..self.places.rows.len())
            .map(|k| {
                let of = || placed.iter().map(|run| run.rows[k]);
                self.ranges.get(k).copied().flatten().unwrap_or((of().min().unwrap_or(0), of().max().unwrap_or(0)))
            })
            .collect();
        let mut keyed: Vec<_> = placed
            .into_iter()
            .map(|Run { point, leaves, rows, halo }| {
                let (warp, _) = self.number(RowKind::Warp, &rows, &intervals, 1);
                let (lane, register) = self.number(RowKind::Lane, &rows, &intervals, self.mapping.fold);
                let key =
                    (self.of_kind(RowKind::Block, &rows), self.of_kind(RowKind::Time, &rows), warp, lane, register);
                (key, point, leaves, halo)
            })
            .collect();
        keyed.sort();
        let mut found = Spots { omitted: keyed.len().saturating_sub(most), ..Spots::default() };
        keyed.truncate(most);
        let steps: BTreeMap<Vec<Int>, usize> = keyed.iter().map(|((_, time, ..), ..)| (time.clone(), 0)).collect();
        found.steps = steps.into_keys().collect();
        for ((block, time, warp, lane, register), point, leaves, halo) in keyed {
            if found.blocks.last() != Some(&block) {
                found.blocks.push(block);
            }
            let step = found.steps.binary_search(&time).unwrap_or_default();
            let block = found.blocks.len() - 1;
            (found.lanes, found.warps) = (found.lanes.max(lane + 1), found.warps.max(warp + 1));
            found.spots.push(Spot { block, warp, lane, register, step, point, halo, statements: Vec::new() });
            found.leaves.push(leaves);
        }
        found
    }

    /// The number of a warp or lane, and the register of the fold. The last row varies fastest and has the fold.
    fn number(&self, kind: RowKind, rows: &[Int], intervals: &[(Int, Int)], fold: Int) -> (Int, Int) {
        let of_kind: Vec<usize> = (0..rows.len()).filter(|k| self.places.rows[*k].kind == kind).collect();
        let (mut number, mut register) = (0, 0);
        for k in &of_kind {
            let (low, high) = intervals[*k];
            let fold = if Some(k) == of_kind.last() { fold } else { 1 };
            let (extent, value) = ((high - low) / fold + 1, rows[*k] - low);
            let coordinate = if self.strided { value % extent } else { value.div_euclid(fold) };
            register = if self.strided { value / extent } else { value.rem_euclid(fold) };
            number = number * extent + coordinate;
        }
        (number, register)
    }
}

/// The runs of a node in every tile whose core or halo has it.
fn tiles_of(nodes: Vec<Int>, n: usize, tile: &Tile) -> Vec<Vec<Int>> {
    let value = nodes[n];
    let first = (value - tile.by - tile.after).div_euclid(tile.by) + 1;
    let last = (value + tile.before).div_euclid(tile.by);
    let with = |outer: Int| {
        let mut nodes = nodes.clone();
        (nodes[tile.outer], nodes[tile.inner]) = (outer, value - tile.by * outer);
        nodes
    };
    (first..=last).map(with).collect()
}
