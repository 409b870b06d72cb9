//! Where and when every point runs under a map. With an `overlap` a point runs several times: once in the core of its
//! own tile, and in the halos of neighbouring tiles. Each such run is an *instance*: a value for every loop, tiled or
//! not.
use crate::copies::find_copies;
use crate::items::Items;
use crate::origin::origin;
use crate::shifts::Shifts;
use crate::sites::{ReadSite, sites};
use crate::world::{World, minus, value};
use std::cell::OnceCell;
use std::collections::{BTreeSet, VecDeque};
use systolic_compiler::model::{Form, Int, Kernel, Lengths, Mapping, Places, Reader, RowKind, Tile};

/// One execution of a point: a value for every node of the mapping.
pub type Instance = Vec<Int>;

/// A read that happens, from the producing instance to the consuming one.
pub struct Wire {
    pub read: usize,
    pub source: Instance,
    /// Whether the value lies beyond the halo of an overlapped tile, so that it is not available.
    pub beyond_rim: bool,
}

/// The judgement of the laws on one wire.
pub enum Verdict {
    Fine,
    /// Computed after it is read.
    Later,
    /// Computed in a later launch.
    LaterLaunch,
    /// Computed by another block.
    OtherBlock,
    /// Computed by another block, which the reader's block waits for.
    WaitsFor,
    /// Beyond the halo of its tile, so not computed: a fault if a store needs it.
    BeyondRim,
    /// Computed at the same time by another warp.
    OtherWarp,
    /// Computed at the same time in the same warp: the instructions of the step must be ordered.
    SameTime,
}

/// A kernel at given sizes, with a map.
pub struct Placement<'k> {
    /// The kernel as it is written.
    pub world: World<'k>,
    /// The points of the map: those of the kernel, moved by every shift.
    pub space: World<'k>,
    pub shifts: Shifts,
    pub mapping: &'k Mapping,
    pub places: &'k Places,
    pub copies: Vec<bool>,
    /// The first and last value of every node; the interval may be slightly too large.
    range: Vec<(Int, Int)>,
    /// The value of every row at lane 0, computed on first use.
    low: OnceCell<Vec<Int>>,
}

impl<'k> Placement<'k> {
    pub fn new(kernel: &'k Kernel, mapping: &'k Mapping, places: &'k Places, sizes: &[Int]) -> Placement<'k> {
        Placement::with_items(kernel, mapping, places, sizes, Items::default())
    }

    /// The same with lengths of which some are given.
    pub fn with_items(
        kernel: &'k Kernel,
        mapping: &'k Mapping,
        places: &'k Places,
        sizes: &[Int],
        items: Items,
    ) -> Placement<'k> {
        let world = World::new(kernel, sizes).with_items(items.clone());
        let reads: Vec<_> = world.reads.iter().map(|r| (r.reader, r.variable)).collect();
        let shifts = Shifts::new(kernel, mapping, &reads);
        let space = World::grown(kernel, sizes, shifts.all()).with_items(items);
        let copies = find_copies(kernel).iter().map(Option::is_some).collect();
        let mut known: Vec<Option<(Int, Int)>> = sizes.iter().map(|s| Some((*s, *s))).collect();
        known.extend(kernel.lengths().map(|l| Some((l.range.least, value(&l.range.most, sizes).max(l.range.least)))));
        let range =
            ranges(kernel, &shifts.all(), mapping, known).into_iter().map(|r| r.expect("sizes are known")).collect();
        Placement { world, space, shifts, mapping, places, copies, range, low: OnceCell::new() }
    }

    /// All instances of a point, the one in the core first.
    pub fn instances(&self, point: &[Int]) -> Vec<Instance> {
        let mut first = point.to_vec();
        first.resize(self.mapping.nodes.len(), 0);
        let mut all = vec![first];
        for (n, tile) in self.tiles() {
            let mut more = Vec::new();
            for values in all {
                let v = values[n];
                let core = v.div_euclid(tile.by);
                let (low, high) = self.range[tile.outer];
                let least = (v - tile.by - tile.after).div_euclid(tile.by) + 1;
                let most = (v + tile.before).div_euclid(tile.by);
                let outers = (least..=most).filter(|o| *o != core && (low..=high).contains(o));
                for outer in std::iter::once(core).chain(outers) {
                    let mut values = values.clone();
                    values[tile.outer] = outer;
                    values[tile.inner] = v - tile.by * outer;
                    more.push(values);
                }
            }
            all = more;
        }
        all
    }

    fn tiles(&self) -> impl Iterator<Item = (usize, &Tile)> {
        self.mapping.nodes.iter().enumerate().filter_map(|(n, node)| node.tile.as_ref().map(|t| (n, t)))
    }

    pub fn point<'i>(&self, instance: &'i Instance) -> &'i [Int] {
        &instance[..self.world.kernel.loops.len()]
    }

    /// Whether this instance lies in no halo. Only such instances store.
    pub fn is_core(&self, instance: &Instance) -> bool {
        self.tiles().all(|(_, tile)| (0..tile.by).contains(&instance[tile.inner]))
    }

    /// The instance whose value is read at a distance. Reads do not leave an overlapped tile: if its halo does not
    /// reach that far, or an enclosing tile is left, this returns the core instance and that the value is not
    /// available.
    pub fn source(&self, instance: &Instance, distance: &[Int]) -> (Instance, bool) {
        let mut values = minus(self.point(instance), distance);
        values.resize(self.mapping.nodes.len(), 0);
        let mut beyond_rim = false;
        // Whether a node lies in a different tile than the reader's; then nodes inside it do too.
        let mut elsewhere = vec![false; self.mapping.nodes.len()];
        for (n, tile) in self.tiles() {
            let own = instance[tile.outer];
            let inner = values[n] - tile.by * own;
            if !elsewhere[n] && (-tile.before..tile.by + tile.after).contains(&inner) {
                (values[tile.outer], values[tile.inner]) = (own, inner);
            } else {
                values[tile.outer] = values[n].div_euclid(tile.by);
                values[tile.inner] = values[n].rem_euclid(tile.by);
                beyond_rim |= tile.before > 0 || tile.after > 0;
            }
            elsewhere[tile.inner] = elsewhere[n] || values[tile.outer] != own;
            elsewhere[tile.outer] = elsewhere[n];
        }
        if self.launch(&values) != self.launch(instance) {
            // A value of another launch is that of its owner.
            return (self.core_of(minus(self.point(instance), distance)), false);
        }
        (values, beyond_rim)
    }

    /// The instance of a point that lies in no halo.
    fn core_of(&self, mut values: Vec<Int>) -> Instance {
        values.resize(self.mapping.nodes.len(), 0);
        for (n, tile) in self.tiles() {
            (values[tile.outer], values[tile.inner]) = (values[n].div_euclid(tile.by), values[n].rem_euclid(tile.by));
        }
        values
    }

    /// The launch of an instance: the first rows of its block.
    pub fn launch(&self, instance: &Instance) -> Vec<Int> {
        self.mapping.launches.iter().map(|leaf| instance[self.mapping.leaves[*leaf]]).collect()
    }

    pub fn row(&self, row: usize, instance: &Instance) -> Int {
        self.places.rows[row].coefs.iter().zip(&self.mapping.leaves).map(|(c, leaf)| c * instance[*leaf]).sum()
    }

    /// The values of all rows of a kind.
    pub fn rows(&self, kind: RowKind, instance: &Instance) -> Vec<Int> {
        self.rows_of(kind).map(|row| self.row(row, instance)).collect()
    }

    pub fn rows_of(&self, kind: RowKind) -> impl Iterator<Item = usize> {
        (0..self.places.rows.len()).filter(move |row| self.places.rows[*row].kind == kind)
    }

    /// The lane and the register of the fold of an instance.
    pub fn lane(&self, instance: &Instance) -> (Vec<Int>, Int) {
        let low = self.low.get_or_init(|| origin(self));
        let mut lanes: Vec<Int> = self.rows_of(RowKind::Lane).map(|row| self.row(row, instance) - low[row]).collect();
        let fold = self.mapping.fold;
        let register = lanes.last().map_or(0, |k| k.rem_euclid(fold));
        if let Some(last) = lanes.last_mut() {
            *last = last.div_euclid(fold);
        }
        (lanes, register)
    }

    /// The reads that happen at an instance and stay in the domain. Halo instances store nothing, so reads of stores
    /// are left out there.
    pub fn wires(&self, instance: &Instance) -> Vec<Wire> {
        let core = self.is_core(instance);
        let mut wires = Vec::new();
        for (n, read) in self.world.reads.iter().enumerate() {
            let point = self.written(read.reader, instance);
            if (core || matches!(read.reader, Reader::Equation(_)))
                && self.world.contains(&point)
                && self.world.contains(&minus(&point, &read.distance))
                && self.world.is_active(&read.path, &point)
            {
                let (source, beyond_rim) = self.source(instance, &self.distance(read));
                wires.push(Wire { read: n, source, beyond_rim });
            }
        }
        wires
    }

    /// The point of the kernel whose equation or store runs at an instance.
    pub fn written(&self, reader: Reader, instance: &Instance) -> Vec<Int> {
        minus(self.point(instance), self.shifts.of(reader))
    }

    /// The distance of a read between the points of the map.
    fn distance(&self, read: &ReadSite) -> Vec<Int> {
        let (to, from) = (self.shifts.of(read.reader), self.shifts.of_variable(read.variable));
        read.distance.iter().zip(to.iter().zip(from)).map(|(d, (to, from))| d + to - from).collect()
    }

    /// Whether a value comes from another tile. A copy is then loaded from the input instead.
    pub fn leaves_tile(&self, sink: &Instance, source: &Instance) -> bool {
        self.tiles().any(|(_, tile)| sink[tile.outer] != source[tile.outer])
    }

    pub fn judge(&self, sink: &Instance, wire: &Wire) -> Verdict {
        let copy = self.copies[self.world.reads[wire.read].variable];
        if wire.beyond_rim {
            return if copy { Verdict::Fine } else { Verdict::BeyondRim };
        }
        let (launch, made) = (self.launch(sink), self.launch(&wire.source));
        if launch != made {
            return if made < launch || copy { Verdict::Fine } else { Verdict::LaterLaunch };
        }
        let other_block = self.rows(RowKind::Block, sink) != self.rows(RowKind::Block, &wire.source);
        if copy && (other_block || self.leaves_tile(sink, &wire.source)) {
            return Verdict::Fine; // A copy is loaded from the input instead.
        }
        if other_block {
            return if self.mapping.ordered { Verdict::WaitsFor } else { Verdict::OtherBlock };
        }
        let (time, made) = (self.rows(RowKind::Time, sink), self.rows(RowKind::Time, &wire.source));
        if made > time {
            Verdict::Later
        } else if made < time || copy {
            Verdict::Fine
        } else if self.rows(RowKind::Warp, sink) != self.rows(RowKind::Warp, &wire.source) {
            Verdict::OtherWarp
        } else {
            Verdict::SameTime
        }
    }

    /// Whether a variable at an instance reaches a store of a core, through instances of its own tiles. Halo values
    /// that reach no store may be arbitrary.
    pub fn is_needed(&self, reader: Reader, instance: &Instance) -> bool {
        let Reader::Equation(variable) = reader else { return self.is_core(instance) };
        let mut seen = BTreeSet::from([(variable, instance.clone())]);
        let mut queue = VecDeque::from([(variable, instance.clone())]);
        while let Some((variable, made)) = queue.pop_front() {
            for read in self.world.reads.iter().filter(|r| r.variable == variable) {
                let distance = self.distance(read);
                let sink: Vec<Int> = self.point(&made).iter().zip(&distance).map(|(p, d)| p + d).collect();
                let point = minus(&sink, self.shifts.of(read.reader));
                if !self.world.contains(&point) || !self.world.is_active(&read.path, &point) {
                    continue;
                }
                for instance in self.instances(&sink) {
                    if self.source(&instance, &distance) != (made.clone(), false) {
                        continue;
                    }
                    match read.reader {
                        Reader::Store(_) if self.is_core(&instance) => return true,
                        Reader::Equation(reader) if !self.copies[reader] && seen.insert((reader, instance.clone())) => {
                            queue.push_back((reader, instance));
                        }
                        _ => {}
                    }
                }
            }
        }
        false
    }
}

/// The interval of every node that has constant bounds.
pub fn constant_ranges(kernel: &Kernel, mapping: &Mapping) -> Vec<Option<(Int, Int)>> {
    let reads: Vec<_> = sites(kernel).0.iter().map(|r| (r.reader, r.variable)).collect();
    let shifts = Shifts::new(kernel, mapping, &reads).all();
    let mut known = vec![None; kernel.call_sizes()];
    known.extend(kernel.lengths().map(|l| {
        let Lengths { least, most } = l.range;
        most.is_constant().then(|| (*least, most.constant.max(*least)))
    }));
    ranges(kernel, &shifts, mapping, known)
}

/// The interval of a row, given the intervals of nodes; `None` if it depends on a node whose interval is unknown.
pub fn interval_of_row(mapping: &Mapping, coefs: &[Int], nodes: &[Option<(Int, Int)>]) -> Option<(Int, Int)> {
    let leaves: Vec<_> = mapping.leaves.iter().map(|leaf| nodes[*leaf]).collect();
    interval(&Form::new(coefs.to_vec(), 0), &leaves)
}

/// The interval of every node, given the intervals of the sizes; `None` if it is unknown.
fn ranges(
    kernel: &Kernel,
    shifts: &[Vec<Int>],
    mapping: &Mapping,
    sizes: Vec<Option<(Int, Int)>>,
) -> Vec<Option<(Int, Int)>> {
    let mut known = sizes;
    let mut nodes: Vec<Option<(Int, Int)>> = Vec::new();
    for (k, l) in kernel.loops.iter().enumerate() {
        // A bound at a moved point: the loops outside it move back, the bound itself moves along.
        let moves = |bound: &Form| -> Vec<Int> {
            let outer = |s: &[Int]| (0..k).map(|o| bound.coef(kernel.loop_dim(o)) * s[o]).sum::<Int>();
            shifts.iter().map(|s| s[k] - outer(s)).collect()
        };
        let least = moves(&l.low).into_iter().min().unwrap_or(0);
        let most = moves(&l.high).into_iter().max().unwrap_or(0);
        let (low, high) = (interval(&l.low, &known), interval(&l.high, &known));
        let range = low.zip(high).map(|(low, high)| (low.0 + least, (high.1 + most - 1).max(low.0 + least)));
        known.push(range);
        nodes.push(range);
    }
    nodes.resize(mapping.nodes.len(), None);
    for (n, node) in mapping.nodes.iter().enumerate() {
        if let Some(tile) = &node.tile {
            nodes[tile.outer] = nodes[n].map(|(low, high)| (low.div_euclid(tile.by), high.div_euclid(tile.by)));
            nodes[tile.inner] = Some((-tile.before, tile.by - 1 + tile.after));
        }
    }
    nodes
}

fn interval(form: &Form, known: &[Option<(Int, Int)>]) -> Option<(Int, Int)> {
    let (mut low, mut high) = (form.constant, form.constant);
    for (c, range) in form.coefs.iter().zip(known).filter(|(c, _)| **c != 0) {
        let (l, h) = (*range)?;
        low += c * if *c > 0 { l } else { h };
        high += c * if *c > 0 { h } else { l };
    }
    Some((low, high))
}
