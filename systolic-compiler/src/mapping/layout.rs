//! The layout of a map: the loops, lanes and registers of its program, the instances of a step, and the iteration point of
//! every place.
use super::bound::Bound;
use super::inverse::{Inverse, invert};
use super::narrow;
use super::obstacle::Obstacle;
use super::place_form::{Atom, PlaceForm};
use crate::dependence::{Dependences, written_rows, written_times};
use crate::laws::{Edge, LawfulMap};
use crate::model::{Form, Int, Kernel, Mapping, Places, Row, RowKind, RowName, StageMedium, Tile};
use crate::planted::planted;
use crate::target::{limits, tuning};
use std::collections::BTreeSet;

/// Σ c · bound.
type Terms = Vec<(Int, Bound)>;

/// The machine that runs the program. Several media can carry a value; the costs of the machine decide between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A shuffle is cheap, a second load is not; adjacent values of a fold are one wide load.
    Gpu,
    /// An unaligned load beats a shuffle; adjacent lanes are one wide load.
    Cpu,
}

/// A row of lanes or warps: `extent` coordinates of `fold` values each. Its least value is `low`.
#[derive(Clone, Debug)]
pub struct Space {
    pub row: usize,
    pub low: Int,
    pub extent: Int,
    pub fold: Int,
    /// Whether the values of a lane lie `extent` apart instead of next to each other.
    pub strided: bool,
}

/// A loop of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rolled {
    /// The registers of a strided fold, one after the other. Possible because no computed value moves between them.
    Fold,
    /// A time row.
    Row(usize),
}

/// One copy of the equations in the body of a step: a time of the rows that are written out, and a register of the fold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instance {
    /// The values of the rows that are written out.
    pub written: Vec<Int>,
    pub register: Int,
}

/// The layout of a map. Rows are numbered as in `Places`.
#[derive(Clone, Debug)]
pub struct Layout<'k> {
    pub kernel: &'k Kernel,
    pub mapping: &'k Mapping,
    pub places: &'k Places,
    /// The classes of every read.
    pub dependences: &'k Dependences,
    pub target: Target,
    /// About how many instructions a group of lines that a step may skip should have.
    pub group: usize,
    /// The block rows.
    pub blocks: Vec<usize>,
    /// The warp rows. The last one varies fastest.
    pub warps: Vec<Space>,
    /// The lane rows. The last one varies fastest and has the fold.
    pub lanes: Vec<Space>,
    /// The loops of the program, outermost first.
    pub rolled: Vec<Rolled>,
    /// The time rows that are written out (unrolled) inside the innermost loop.
    pub written: Vec<usize>,
    /// The ranges of rows, where they are constants.
    pub ranges: Vec<Option<(Int, Int)>>,
    /// The copies of the equations in a step, in order of time.
    pub instances: Vec<Instance>,
    /// Every leaf loop as a form of the place.
    pub leaves: Vec<PlaceForm>,
    /// Forms that are 0 at every place that is an iteration point.
    pub consistent: Vec<PlaceForm>,
    /// Reads that no point performs, if the program leaves them out because they do not fit.
    pub unused: BTreeSet<Edge>,
}

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
        let count = written_rows(map.mapping(), map.places(), map.ranges());
        Layout::with_written(kernel, map, target, count).ok_or(Obstacle::Rows)
    }

    /// The layout with `count` of the innermost time rows written out; `None` if one of these has no constant range, if the
    /// rows cannot be inverted, or if the fold has too many registers.
    pub fn with_written(kernel: &'k Kernel, map: &'k LawfulMap, target: Target, count: usize) -> Option<Layout<'k>> {
        let (kernel, mapping, places) = (map.kernel(kernel), map.mapping(), map.places());
        if mapping.fold > limits::BODIES {
            return None;
        }
        let strided = target == Target::Cpu && mapping.fold > 1 && !moves_along_fold(kernel, map);
        let ranges = map.ranges().clone();
        let rows = |kind: RowKind| (0..places.rows.len()).filter(move |k| places.rows[*k].kind == kind);
        let space = |kind: RowKind, fold: Int| -> Option<Vec<Space>> {
            let rows: Vec<usize> = rows(kind).collect();
            let last = rows.last().copied();
            rows.into_iter()
                .map(|row| {
                    let (low, high) = ranges[row]?;
                    let fold = if Some(row) == last { fold } else { 1 };
                    Some(Space { row, low, extent: (high - low) / fold + 1, fold, strided: strided && fold > 1 })
                })
                .collect()
        };
        let (warps, lanes) = (space(RowKind::Warp, 1)?, space(RowKind::Lane, mapping.fold)?);
        let time: Vec<usize> = rows(RowKind::Time).collect();
        let (rows_rolled, written) = time.split_at(time.len() - count);
        // Only a row of constant range can be written out.
        if written.iter().any(|row| ranges[*row].is_none()) {
            return None;
        }
        let mut rolled: Vec<Rolled> = strided.then_some(Rolled::Fold).into_iter().collect();
        rolled.extend(rows_rolled.iter().map(|row| Rolled::Row(*row)));
        let mut layout = Layout {
            kernel,
            mapping,
            places,
            dependences: map.dependences(),
            target,
            group: tuning::BRANCH_INSTRUCTIONS,
            blocks: rows(RowKind::Block).collect(),
            warps,
            lanes,
            rolled,
            written: written.to_vec(),
            ranges,
            instances: Vec::new(),
            leaves: Vec::new(),
            consistent: Vec::new(),
            unused: unused(map, strided),
        };
        layout.instances = layout.list_instances();
        let rows: Vec<(Vec<Int>, PlaceForm)> =
            (0..places.rows.len()).map(|row| (places.rows[row].coefs.clone(), layout.place(row))).collect();
        let inverse = narrow::lists(kernel, mapping, places).find_map(|narrow| invert(&rows, &narrow));
        let Inverse { leaves, consistent } = inverse?;
        (layout.leaves, layout.consistent) = (leaves, consistent);
        Some(layout)
    }

    fn list_instances(&self) -> Vec<Instance> {
        let all = written_times(&self.ranges, &self.written);
        let fold = if self.rolled.contains(&Rolled::Fold) { 1 } else { self.mapping.fold };
        all.into_iter().flat_map(|w| (0..fold).map(move |register| Instance { written: w.clone(), register })).collect()
    }

    /// The value of a row as a form of the place.
    fn place(&self, row: usize) -> PlaceForm {
        let space = |list: &[Space], atom: fn(usize) -> Atom| {
            let k = list.iter().position(|s| s.row == row)?;
            let lane = PlaceForm::atom(atom(k));
            let form = match &list[k] {
                Space { fold: 1, .. } => lane,
                // A strided fold is the outermost loop.
                Space { strided: true, extent, .. } => lane.add(&PlaceForm::atom(Atom::Time(0)).scale(*extent, 1)),
                Space { fold, .. } => lane.scale(*fold, 1).add(&PlaceForm::atom(Atom::Register)),
            };
            Some(form.plus(list[k].low))
        };
        match self.places.rows[row].kind {
            RowKind::Block => {
                let number = self.blocks.iter().position(|b| *b == row);
                number.map_or_else(PlaceForm::broken, |number| PlaceForm::atom(Atom::Block(number)))
            }
            RowKind::Warp => space(&self.warps, Atom::Warp).unwrap_or_else(PlaceForm::broken),
            RowKind::Lane => space(&self.lanes, Atom::Lane).unwrap_or_else(PlaceForm::broken),
            RowKind::Time => {
                self.time_number(row).map_or_else(PlaceForm::broken, |number| PlaceForm::atom(Atom::Time(number)))
            }
        }
    }

    /// The number of a time row: the loops of the program come first, then the rows that are written out.
    pub fn time_number(&self, row: usize) -> Option<usize> {
        let written = self.written.iter().map(|row| Rolled::Row(*row));
        self.rolled.iter().copied().chain(written).position(|r| r == Rolled::Row(row))
    }

    /// The parameters staged in shared memory, each with its level: the number of loops inside which its box is filled.
    pub fn staged(&self) -> Vec<(usize, usize)> {
        let level = |name: RowName| {
            let row = self.places.named(name)?;
            match self.places.rows[row].kind {
                RowKind::Time => Some((self.time_number(row)? + 1).min(self.rolled.len())),
                _ => Some(0),
            }
        };
        let shared = self.mapping.stages.iter().filter(|s| s.medium == StageMedium::Shared);
        shared.filter_map(|s| Some((s.parameter, level(s.row)?))).collect()
    }

    /// The parameters staged in registers.
    pub fn kept(&self) -> Vec<usize> {
        let kept = self.mapping.stages.iter().filter(|s| s.medium == StageMedium::Registers);
        kept.map(|s| s.parameter).collect()
    }

    /// The name of a loop of the program.
    pub fn loop_name(&self, rolled: usize) -> String {
        match self.rolled[rolled] {
            Rolled::Fold => "fold".to_string(),
            Rolled::Row(row) => self.places.rows[row].name.clone(),
        }
    }

    /// Every dimension of the kernel (its sizes, then its loops) as a form of the place, in one instance.
    pub fn point(&self, instance: &Instance) -> Vec<PlaceForm> {
        let leaves = self.leaves_at(instance);
        let sizes = self.kernel.sizes.len();
        let mut point: Vec<PlaceForm> = (0..sizes).map(|s| PlaceForm::atom(Atom::Size(s))).collect();
        point.extend((0..self.kernel.loops.len()).map(|l| over_leaves(&self.places.nodes[l], sizes, &leaves)));
        point
    }

    /// Every leaf loop as a form of the place, in one instance.
    pub fn leaves_at(&self, instance: &Instance) -> Vec<PlaceForm> {
        let image = |atom: &Atom| self.known(instance, atom);
        self.leaves.iter().map(|l| l.substitute(&image)).collect()
    }

    /// The value of an atom that is a constant in an instance; `None` for other atoms.
    pub fn known(&self, instance: &Instance, atom: &Atom) -> Option<PlaceForm> {
        match atom {
            Atom::Register => Some(PlaceForm::constant(instance.register)),
            // The only warp of its row.
            Atom::Warp(k) if self.warps[*k].extent == 1 => Some(PlaceForm::constant(0)),
            Atom::Time(k) if *k >= self.rolled.len() => {
                Some(PlaceForm::constant(instance.written[k - self.rolled.len()]))
            }
            _ => None,
        }
    }

    pub fn lane_count(&self) -> Int {
        self.lanes.iter().map(|s| s.extent).product()
    }

    pub fn warp_count(&self) -> Int {
        self.warps.iter().map(|s| s.extent).product()
    }

    /// The range of a loop of the program, if it is constant. Only then can delays in steps be counted across it.
    pub fn constant_range(&self, rolled: usize) -> Option<(Int, Int)> {
        match self.rolled[rolled] {
            Rolled::Fold => Some((0, self.mapping.fold - 1)),
            Rolled::Row(row) => self.ranges[row],
        }
    }

    /// The bounds of a loop of the program, inclusive, the same for all lanes and warps of a block. If delays are counted
    /// across it (`counted`) and its range is constant, it runs over that whole range.
    pub fn loop_bounds(&self, rolled: usize, counted: bool) -> (Bound, Bound) {
        let Rolled::Row(row) = self.rolled[rolled] else {
            return (Bound::number(0), Bound::number(self.mapping.fold - 1));
        };
        if let (Some((low, high)), true) = (self.constant_range(rolled), counted && !planted(43)) {
            return (Bound::number(low), Bound::number(high));
        }
        let (low, mut high) = self.row_bounds(row, true);
        if planted(21) {
            high.push((-1, Bound::number(1)));
        }
        (Bound::sum(low), Bound::sum(high))
    }

    /// An upper limit on the iterations of a loop in any block, as a bound of sizes. `counted` is as for `loop_bounds`.
    pub fn longest(&self, rolled: usize, counted: bool) -> Bound {
        let Rolled::Row(row) = self.rolled[rolled] else { return Bound::number(self.mapping.fold) };
        if let (Some((low, high)), true) = (self.ranges[row], counted) {
            return Bound::number(high - low + 1);
        }
        let (low, high) = self.row_bounds(row, false);
        difference(low, high)
    }

    /// Whether some time row is a sum of several loops.
    pub fn is_skewed(&self) -> bool {
        let terms = |row: &Row| row.coefs.iter().filter(|c| **c != 0).count();
        self.places.of_kind(RowKind::Time).any(|row| terms(row) > 1)
    }

    /// Upper limits on the lengths of the leaf loops inside a block, as bounds of sizes.
    pub fn block_lengths(&self) -> Vec<Bound> {
        let nodes = self.interval_of_nodes(false);
        let is_inside = |leaf: usize| self.blocks.iter().all(|row| self.places.rows[*row].coefs[leaf] == 0);
        let leaves = self.mapping.leaves.iter().enumerate().filter(|(leaf, _)| is_inside(*leaf));
        leaves
            .map(|(_, node)| nodes[*node].clone())
            .map(|(low, high)| difference(vec![(1, low)], vec![(1, high)]))
            .collect()
    }

    /// The least and the greatest value of a time row, as sums over its leaves: in the block that runs if `in_block`, else in
    /// all blocks.
    fn row_bounds(&self, row: usize, in_block: bool) -> (Terms, Terms) {
        let nodes = self.interval_of_nodes(in_block);
        let coefs = self.places.rows[row].coefs.iter().zip(&self.mapping.leaves).filter(|(c, _)| **c != 0);
        let ends = coefs.map(|(c, leaf)| {
            let (a, b) = nodes[*leaf].clone();
            if *c > 0 { ((*c, a), (*c, b)) } else { ((*c, b), (*c, a)) }
        });
        ends.unzip()
    }

    /// The least and the greatest value of a block row in the grid.
    pub fn grid(&self, block: usize) -> (Bound, Bound) {
        let leaf = self.places.rows[self.blocks[block]].coefs.iter().position(|c| *c != 0);
        let broken = || (Bound::Form(PlaceForm::broken()), Bound::Form(PlaceForm::broken()));
        leaf.map_or_else(broken, |leaf| self.interval_of_nodes(false)[self.mapping.leaves[leaf]].clone())
    }

    /// The intervals of all nodes. If `in_block`, a block loop has one value, the coordinate of the block that runs.
    fn interval_of_nodes(&self, in_block: bool) -> Vec<(Bound, Bound)> {
        let (kernel, mapping) = (self.kernel, self.mapping);
        let nothing = (Bound::number(0), Bound::number(0));
        let mut nodes: Vec<(Bound, Bound)> = vec![nothing; mapping.nodes.len()];
        let fixed = |node: usize| {
            let leaf = mapping.leaves.iter().position(|l| *l == node)?;
            let block = self.blocks.iter().position(|b| self.places.rows[*b].coefs[leaf] != 0)?;
            let own = Bound::Form(PlaceForm::atom(Atom::Block(block)));
            in_block.then(|| (own.clone(), own))
        };
        let mut pending: Vec<usize> = Vec::new();
        for (k, l) in kernel.loops.iter().enumerate() {
            let low = interval(&l.low, kernel.sizes.len(), &nodes).0;
            let high = interval(&l.high.plus(-1), kernel.sizes.len(), &nodes).1;
            nodes[k] = fixed(k).unwrap_or((low, high));
            // Its tiles come next, because the bounds of later loops may depend on this one.
            pending.push(k);
            while let Some(n) = pending.pop() {
                let Some(tile) = &mapping.nodes[n].tile else { continue };
                let (low, high) = nodes[n].clone();
                let outer = (low.quotient(tile.by), high.quotient(tile.by));
                nodes[tile.outer] = fixed(tile.outer).unwrap_or(outer);
                let inner = self.inner_interval(tile, &nodes, n);
                nodes[tile.inner] = fixed(tile.inner).unwrap_or(inner);
                pending.extend([tile.outer, tile.inner]);
            }
            nodes[k] = self.through_tiles(k, &nodes);
        }
        nodes
    }

    /// The interval of the inner loop of a tile: the tile and its halo. If the block determines the tile, the interval ends
    /// where the tiled loop does.
    fn inner_interval(&self, tile: &Tile, nodes: &[(Bound, Bound)], node: usize) -> (Bound, Bound) {
        let whole = (Bound::number(-tile.before), Bound::number(tile.by + tile.after - 1));
        let (outer, (low, high)) = (&nodes[tile.outer], &nodes[node]);
        if outer.0 != outer.1 {
            let length = tile.by + tile.before + tile.after;
            // The first tile begins at or before the start of the loop. So in no tile the inner loop goes further than from
            // there to the end of the loop.
            let farthest = || Bound::sum(vec![(1, high.clone()), (-tile.by, outer.0.clone())]);
            let end = if length > tuning::LONG_TILE { Bound::least([farthest(), whole.1.clone()]) } else { None };
            return (whole.0, end.unwrap_or(whole.1));
        }
        let within =
            |end: &Bound| Bound::sum(vec![(1, end.clone()), (-tile.by - Int::from(planted(44)), outer.0.clone())]);
        // If the loop begins where a tile does, no tile begins before the loop.
        let aligned = low.constant().is_some_and(|low| low.rem_euclid(tile.by) == 0);
        let from = if aligned { None } else { Some(within(low)) };
        (
            Bound::greatest(from.into_iter().chain([whole.0.clone()])).unwrap_or(whole.0),
            Bound::least([within(high), whole.1.clone()]).unwrap_or(whole.1),
        )
    }

    /// The interval of a node, limited by those of its tile loops: in a block, a tiled loop covers its tile only.
    fn through_tiles(&self, node: usize, nodes: &[(Bound, Bound)]) -> (Bound, Bound) {
        let Some(tile) = &self.mapping.nodes[node].tile else { return nodes[node].clone() };
        let outer = self.through_tiles(tile.outer, nodes);
        let inner = self.through_tiles(tile.inner, nodes);
        let whole = nodes[node].clone();
        let low = Bound::sum(vec![(tile.by, outer.0), (1, inner.0)]);
        let high = Bound::sum(vec![(tile.by, outer.1), (1, inner.1)]);
        (Bound::Greatest(Box::new(whole.0), Box::new(low)), Bound::Least(Box::new(whole.1), Box::new(high)))
    }
}

/// The number of values from one bound to another, both included.
fn difference(low: Terms, high: Terms) -> Bound {
    let opposite = low.into_iter().map(|(c, bound)| (-c, bound));
    Bound::sum(high.into_iter().chain(opposite).chain([(1, Bound::number(1))]).collect())
}

/// The reads that no point performs and that the program leaves out. With a strided fold the body has one register, which
/// stands for all; there a read is left out only if it is unused in all registers.
fn unused(map: &LawfulMap, strided: bool) -> BTreeSet<Edge> {
    let all = map.unused();
    if !strided {
        return all.clone();
    }
    let everywhere =
        |edge: &&Edge| (0..map.mapping().fold).all(|register| all.contains(&Edge { register, ..(*edge).clone() }));
    all.iter().filter(|edge| edge.register == 0).filter(everywhere).cloned().collect()
}

/// Whether a computed value is read along the folded row.
fn moves_along_fold(kernel: &Kernel, map: &LawfulMap) -> bool {
    let places = map.places();
    let Some(row) = (0..places.rows.len()).rev().find(|k| places.rows[*k].kind == RowKind::Lane) else { return false };
    kernel
        .reads()
        .iter()
        .filter(|r| kernel.equations[r.variable].copy.is_none())
        .any(|read| map.dependences().of(read.distance).iter().any(|class| class.displacement[row] != 0))
}

/// The interval of a form over sizes and loops.
fn interval(form: &Form, sizes: usize, nodes: &[(Bound, Bound)]) -> (Bound, Bound) {
    let mut fixed = PlaceForm::constant(form.constant);
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for (k, c) in form.coefs.iter().enumerate().filter(|(_, c)| **c != 0) {
        if k < sizes {
            fixed = fixed.add(&PlaceForm::atom(Atom::Size(k)).scale(*c, 1));
        } else {
            let (a, b) = &nodes[k - sizes];
            let (least, most) = if *c > 0 { (a, b) } else { (b, a) };
            low.push((*c, least.clone()));
            high.push((*c, most.clone()));
        }
    }
    low.push((1, Bound::Form(fixed.clone())));
    high.push((1, Bound::Form(fixed)));
    (Bound::sum(low), Bound::sum(high))
}

/// A form over sizes and leaves as a form of the place. The leaves are given as such forms.
pub fn over_leaves(form: &Form, sizes: usize, leaves: &[PlaceForm]) -> PlaceForm {
    let mut result = PlaceForm::constant(form.constant);
    for (k, c) in form.coefs.iter().enumerate() {
        let value = if k < sizes { PlaceForm::atom(Atom::Size(k)) } else { leaves[k - sizes].clone() };
        result = result.add(&value.scale(*c, 1));
    }
    result
}
