//! Values that wait, counted from the wires alone: rotations in registers, rings in shared memory.
//!
//! A rotation brings the values of one instance of a variable from one distance across the lanes. All who read them
//! there share it, and the longest delay counts: d registers for d steps, and one more where the oldest value is still read
//! after the new one is computed. The order of a step is that of the unrolled rows, then of the fold, then of the reads
//! within an instance; a value from another lane is shuffled when all are computed, and stores come last. A ring holds the
//! values of one instance for other warps: one slot more than the steps it reaches back.
//!
//! A program is built from every read in the text, so it holds no more than the count of all of them. Where only the
//! reads that some point makes fit, it leaves out the others, which are given here by name: one count serves both.
use crate::dependence::{
    Class, Dependences, Ranges, Reach, fold_source, in_register, reach, readers, time_rows, unrolled_rows,
    unrolled_source, unrolled_times,
};
use crate::model::{Form, Formula, Int, Kernel, Mapping, Places, Read, Reader, RowKind};
use crate::sorted::{SortedMap, SortedSet};
use systolic_sets::{Answer, Matrix, find_point};

/// How the wires are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// At most so much: every read is taken to happen in every instance, and no value to die in time.
    AtMost,
    /// Only reads that some point makes.
    Exact,
}

/// A value carried from step to step in registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    pub delay: Int,
    /// Whether the oldest value is read after the new one is computed.
    pub late: bool,
}

impl Rotation {
    /// The values it holds.
    pub fn values(&self) -> Int {
        self.delay + Int::from(self.late)
    }
}

/// One class of a read by a value of the step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The equation that reads; `None`: a store.
    pub reader: Option<usize>,
    pub variable: usize,
    pub distance: Vec<Int>,
    /// Its number among the classes of the distance.
    pub class: usize,
    /// The instance of the reader: unrolled rows, register of the fold.
    pub unrolled: Vec<Int>,
    pub register: Int,
}

/// What a rotation brings: a variable, the unrolled rows of its instance, the lane rows counted from the reader's lane.
type Key = (usize, Vec<Int>, Vec<Int>);
/// A variable or store in an instance of the step: unrolled rows, register of the fold.
type Site = (Reader, Vec<Int>, Int);

/// What a row of memory brings: a value of the step, across how many lanes, past which of the rolled loops.
type RowKey = (Site, Vec<Int>, usize);

/// What waits in a step.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    rotations: SortedMap<Key, Rotation>,
    /// The largest delay of a read of each.
    rings: SortedMap<Site, Int>,
    /// How far each row of memory reaches back over its loop, and the lengths of the loops inside where they are constants.
    rows: SortedMap<RowKey, Int>,
    /// Whether some point reads so; asked by the exact count alone.
    happens: SortedMap<Edge, bool>,
}

impl Waiting {
    pub fn rotations(&self) -> impl Iterator<Item = &Rotation> {
        self.rotations.values()
    }

    /// The reads that no point makes, of all that were asked for.
    pub fn unused(&self) -> SortedSet<Edge> {
        self.happens.iter().filter(|(_, happens)| !**happens).map(|(edge, _)| edge.clone()).collect()
    }

    /// The words of 4 bytes that the rotations of each variable take in a lane.
    pub fn registers(&self, kernel: &Kernel) -> Vec<Int> {
        let mut words = vec![0; kernel.equations.len()];
        for ((variable, ..), rotation) in self.rotations.iter() {
            words[*variable] += rotation.values() * kernel.equations[*variable].ty.words() as Int;
        }
        words
    }

    /// The cells of 32 lanes that the rows of each variable take per warp, where the loops inside have constant lengths;
    /// `length` gives that of a rolled loop, and there are `loops` of them.
    pub fn row_cells(&self, kernel: &Kernel, loops: usize, length: impl Fn(usize) -> Option<Int>) -> Vec<Int> {
        let mut cells: Vec<Int> = vec![0; kernel.equations.len()];
        for (((source, ..), _, level), laps) in self.rows.iter() {
            let inner = (level + 1..loops).map(&length).try_fold(laps + 1, |cells, n| Some(cells.saturating_mul(n?)));
            if let (Reader::Equation(variable), Some(count)) = (source, inner) {
                cells[*variable] = cells[*variable].saturating_add(count);
            }
        }
        cells
    }

    /// The bytes that the rings of each variable take for every lane of a block.
    pub fn ring_bytes(&self, kernel: &Kernel) -> Vec<Int> {
        let mut bytes = vec![0; kernel.equations.len()];
        for ((source, ..), delay) in self.rings.iter() {
            if let Reader::Equation(variable) = source {
                bytes[*variable] += (delay + 1) * kernel.equations[*variable].ty.bytes() as Int;
            }
        }
        bytes
    }
}

/// What waits in the steps of a map.
pub fn waiting(
    kernel: &Kernel,
    mapping: &Mapping,
    places: &Places,
    ranges: &Ranges,
    dependences: &Dependences,
    count: Count,
) -> Waiting {
    Step::new(kernel, mapping, places, ranges, count).waiting(dependences)
}

struct Step<'k> {
    kernel: &'k Kernel,
    mapping: &'k Mapping,
    places: &'k Places,
    ranges: &'k Ranges,
    count: Count,
    rolled: Vec<usize>,
    unrolled: Vec<usize>,
    lanes: Vec<usize>,
    reads: Vec<Read<'k>>,
    /// For every variable whether it stays in its lane, so that it reads nothing.
    stays: Vec<bool>,
    /// For every variable its position within an instance.
    position: Vec<usize>,
}

impl<'k> Step<'k> {
    fn new(kernel: &'k Kernel, mapping: &'k Mapping, places: &'k Places, ranges: &'k Ranges, count: Count) -> Self {
        let mut rolled = time_rows(places);
        let unrolled = rolled.split_off(rolled.len() - unrolled_rows(mapping, places, ranges));
        let lanes = (0..places.rows.len()).filter(|k| places.rows[*k].kind == RowKind::Lane).collect();
        let stays = (0..kernel.equations.len()).map(|v| stays(kernel, mapping, places, ranges, v)).collect();
        let (reads, position) = (kernel.reads(), positions(kernel));
        Step { kernel, mapping, places, ranges, count, rolled, unrolled, lanes, reads, stays, position }
    }

    /// What the stores and the values that leave the block wait for, directly or through other values.
    fn waiting(&self, dependences: &Dependences) -> Waiting {
        let mut all = Waiting::default();
        let stores = (0..self.kernel.stores.len()).map(Reader::Store);
        let ends = stores.chain(self.leaving(dependences).into_iter().map(Reader::Equation));
        let mut pending: Vec<Site> =
            ends.flat_map(|s| self.instances().into_iter().map(move |(u, f)| (s, u, f))).collect();
        let mut known: SortedSet<Site> = pending.iter().cloned().collect();
        while let Some(site) = pending.pop() {
            for read in self.reads.iter().filter(|r| r.reader == site.0) {
                for (number, class) in dependences.of(read.distance).iter().enumerate() {
                    let Some(source) = self.follow(read, (number, class), &site, &mut all) else { continue };
                    if !self.stays[read.variable] && known.insert(source.clone()) {
                        pending.push(source);
                    }
                }
            }
        }
        all
    }

    /// The variables that other blocks or launches read.
    fn leaving(&self, dependences: &Dependences) -> SortedSet<usize> {
        let leaves = |class: &Class| class.launched || self.mapping.ordered && class.moves(self.places, RowKind::Block);
        let far = |read: &&Read| dependences.of(read.distance).iter().any(leaves);
        let computed = self.reads.iter().filter(|r| self.kernel.equations[r.variable].copy.is_none());
        computed.filter(far).map(|r| r.variable).collect()
    }

    /// Follows a class of a read to its source, and counts what waits on the way; `None` where nothing is brought.
    fn follow(&self, read: &Read, (number, class): (usize, &Class), site: &Site, all: &mut Waiting) -> Option<Site> {
        let (_, unrolled, register) = site;
        let (places, delta) = (self.places, &class.displacement);
        let copy = self.kernel.equations[read.variable].copy.is_some();
        let between_warps = class.moves(places, RowKind::Warp);
        if class.moves(places, RowKind::Block) || (copy && (class.crosses || between_warps)) || self.leaves_warps(delta)
        {
            return None;
        }
        let from = unrolled_source(&self.unrolled, unrolled, delta, self.ranges)?;
        let across = self.across(delta, *register);
        if self.count == Count::Exact {
            let happens = self.happens(read, class, unrolled, *register);
            *all.happens.or_default(self.edge(read, number, site)) |= happens;
            if !happens {
                return None;
            }
        }
        let folded = |row: &usize| fold_source(self.mapping.fold, *register, delta[*row]);
        let (lanes_back, home) = self.lanes.last().map_or((0, 0), folded);
        let source = (Reader::Equation(read.variable), from.clone(), home);
        let steps: Vec<Int> = self.rolled.iter().map(|k| delta[*k]).collect();
        let reach = reach(&steps, |k| self.ranges[self.rolled[k]]);
        match reach {
            Reach::Step | Reach::Steps(_) if between_warps => {
                let delay = if let Reach::Steps(delay) = reach { delay } else { 0 };
                let longest = all.rings.or_default(source.clone());
                *longest = delay.max(*longest);
            }
            Reach::Steps(delay) => {
                let late = self.count == Count::AtMost || self.is_late(read, delta, *register, &across);
                let rotation = all.rotations.or_default((read.variable, from, across));
                if delay > rotation.delay {
                    *rotation = Rotation { delay, late: false };
                }
                rotation.late |= late && delay == rotation.delay;
            }
            Reach::Loop { level, laps, .. } if !copy => {
                let others = across.split_last().map_or(&across[..], |(_, others)| others);
                let lanes: Vec<Int> = others.iter().copied().chain([-lanes_back]).collect();
                let most = all.rows.or_default((source.clone(), lanes, level));
                *most = laps.max(*most);
            }
            _ => {}
        }
        Some(source)
    }

    /// Whether no warp of the block lies so far away.
    fn leaves_warps(&self, delta: &[Int]) -> bool {
        let beyond = |k: usize| self.ranges[k].is_some_and(|(low, high)| delta[k].abs() > high - low);
        (0..delta.len()).any(|k| self.places.rows[k].kind == RowKind::Warp && beyond(k))
    }

    fn edge(&self, read: &Read, class: usize, (reader, unrolled, register): &Site) -> Edge {
        let reader = if let Reader::Equation(equation) = reader { Some(*equation) } else { None };
        let (distance, unrolled) = (read.distance.to_vec(), unrolled.clone());
        Edge { reader, variable: read.variable, distance, class, unrolled, register: *register }
    }

    /// Every (unrolled rows, register of the fold) of a step.
    fn instances(&self) -> Vec<(Vec<Int>, Int)> {
        let all = unrolled_times(self.ranges, &self.unrolled);
        all.into_iter().flat_map(|u| (0..self.mapping.fold).map(move |f| (u.clone(), f))).collect()
    }

    /// The lane rows of the source, counted from the reader's lane; of the last, in registers.
    fn across(&self, delta: &[Int], register: Int) -> Vec<Int> {
        let last = self.lanes.len().saturating_sub(1);
        self.lanes.iter().enumerate().map(|(n, k)| if n == last { register - delta[*k] } else { -delta[*k] }).collect()
    }

    /// Whether the reader comes after the new value of what it reads.
    fn is_late(&self, read: &Read, delta: &[Int], register: Int, across: &[Int]) -> bool {
        let Reader::Equation(reader) = read.reader else { return true };
        let (last, others) = across.split_last().map_or((0, across), |(last, others)| (*last, others));
        if !(0..self.mapping.fold).contains(&last) || others.iter().any(|d| *d != 0) {
            return false;
        }
        let apart = self.unrolled.iter().map(|k| delta[*k]).chain([register - last]).find(|d| *d != 0);
        apart.map_or(self.position[reader] > self.position[read.variable], |d| d > 0)
    }

    /// Whether some point of this instance reads in this way.
    fn happens(&self, read: &Read, class: &Class, unrolled: &[Int], register: Int) -> bool {
        let mut set = readers(self.kernel, self.mapping, self.places, read, class);
        let form = |k: usize| self.places.form(&self.places.rows[k]);
        for (k, u) in self.unrolled.iter().zip(unrolled) {
            set = set.and(Formula::Zero(form(*k).plus(-u)));
        }
        set = in_register(self.mapping, self.places, self.ranges, set, register);
        !matches!(find_point(self.places.dims(), &set), Answer::None)
    }
}

/// Whether a variable is a copy of an element that the innermost loop does not change: the other rows alone give its
/// index. It is loaded once, before that loop.
pub fn stays(kernel: &Kernel, mapping: &Mapping, places: &Places, ranges: &Ranges, variable: usize) -> bool {
    let Some(element) = &kernel.equations[variable].copy else { return false };
    let mut rolled = time_rows(places);
    rolled.truncate(rolled.len() - unrolled_rows(mapping, places, ranges));
    let Some(innermost) = rolled.pop() else { return false };
    let images = places.images(kernel);
    let others = places.rows.iter().enumerate().filter(|(k, _)| *k != innermost).map(|(_, r)| r.coefs.clone());
    let others: Vec<Vec<Int>> = others.collect();
    let along = |f: &Form| (places.sizes..places.dims()).map(|d| f.coef(d)).collect::<Vec<Int>>();
    // Where the rows are no basis of the leaves, there is more than one way to say an index.
    let is_basis = places.rows.len() == places.leaf_ranges.len();
    element.index.iter().all(|index| {
        let index = along(&index.substitute(&images));
        let mut rows = others.clone();
        rows.push(index.clone());
        let spans = || Matrix::from_rows(rows).and_then(|m| m.rank()).is_some_and(|rank| rank <= others.len());
        index.iter().all(|c| *c == 0) || (is_basis && spans())
    })
}

/// The position of every variable within an instance: after those it reads there, else in the order of the text.
fn positions(kernel: &Kernel) -> Vec<usize> {
    let count = kernel.equations.len();
    let here: Vec<(usize, usize)> = kernel
        .reads()
        .iter()
        .filter(|r| r.distance.iter().all(|d| *d == 0))
        .filter_map(|r| if let Reader::Equation(n) = r.reader { Some((n, r.variable)) } else { None })
        .collect();
    let mut position = vec![count; count];
    for next in 0..count {
        let ready = |v: &usize| position[*v] == count && here.iter().all(|(n, from)| n != v || position[*from] < count);
        match (0..count).find(ready) {
            Some(v) => position[v] = next,
            None => break,
        }
    }
    position
}
