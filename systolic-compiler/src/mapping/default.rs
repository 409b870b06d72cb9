//! Finds a map for a kernel that has none, by a deterministic search over small schedules.
//!
//! One loop goes to the lanes, in tiles of 32. Loops along which no computed value is read become blocks. The others are time,
//! in an order in which computed values are read after they are computed, skewed by the lane where that is needed.
//!
//! A copy is a variable that equals an input element at every point. Where time runs against the reads of a copy, the element
//! is loaded again ("fed"). A short loop along which computed values are read both ways is held in registers.
use super::draft::{Draft, TimeRow};
use super::orders::{Rows, fronts, nests, unit};
use super::shift::shifted_map;
use crate::laws::{Direction, Lawful, LawfulMap, Order, prove_map};
use crate::model::{Array, Form, Formula, Int, Kernel};
use crate::target::{effort, gpu, tuning};
use std::cmp::Reverse;
use systolic_sets::{Answer, find_point};

/// The skews to try, in steps from one lane to the next.
const SKEWS: [Int; 6] = [1, -1, 2, -2, 3, -3];

/// Returns the first lawful map, in order of preference; `None` if none was found, for example because computed values are read
/// both ways along a long loop.
pub fn default_map(lawful: &Lawful) -> Option<LawfulMap> {
    let kernel = lawful.kernel();
    let first: Option<Rows> = match lawful.order() {
        Order::Nest { loops, .. } => Some(loops.iter().map(|(l, d)| unit(kernel.loops.len(), *l, sign(*d))).collect()),
        Order::Keys(_) => None,
    };
    search(kernel, first).or_else(|| shifted_map(lawful))
}

/// The same for a kernel whose order is not known.
pub fn find_for(kernel: &Kernel) -> Option<LawfulMap> {
    search(kernel, None)
}

/// Searches with all reads, then with those that ever happen.
fn search(kernel: &Kernel, first: Option<Rows>) -> Option<LawfulMap> {
    let all = Reads::of(kernel, |_| true);
    let found = find(kernel, &all, first);
    if found.is_some() {
        return found;
    }
    // Reads whose guards never hold are removed only now, since finding them takes one query per read.
    let domain = kernel.domain();
    let happens = |guard: &Formula| find_point(kernel.dims(), &domain.clone().and(guard.clone())) != Answer::None;
    let some = Reads::of(kernel, happens);
    if some == all { None } else { find(kernel, &some, None) }
}

fn sign(direction: Direction) -> Int {
    if direction == Direction::Up { 1 } else { -1 }
}

/// The distances at which values are read, other than 0, each once.
#[derive(Clone, PartialEq, Eq)]
struct Reads {
    computed: Vec<Vec<Int>>,
    copied: Vec<Vec<Int>>,
}

impl Reads {
    fn of(kernel: &Kernel, happens: impl Fn(&Formula) -> bool) -> Reads {
        let mut reads = Reads { computed: Vec::new(), copied: Vec::new() };
        // A loop limits distances only if its bounds are constants: with bounds that depend on other loops, it can be short
        // and still move far.
        let extent = |l: usize| length(kernel, l).filter(|_| has_numbers(kernel, l));
        let extents: Vec<Option<Int>> = (0..kernel.loops.len()).map(extent).collect();
        for read in kernel.reads() {
            let copy = kernel.equations[read.variable].copy.is_some();
            let list = if copy { &mut reads.copied } else { &mut reads.computed };
            let distance = read.distance.to_vec();
            let moves = distance.iter().any(|d| *d != 0);
            let fits = distance.iter().zip(&extents).all(|(d, extent)| extent.is_none_or(|n| d.abs() < n));
            if moves && fits && !list.contains(&distance) && happens(&read.guard) {
                list.push(distance);
            }
        }
        reads
    }

    /// The distances without their part along loop `l`.
    fn beside(&self, l: usize) -> Reads {
        let mut reads = self.clone();
        for list in [&mut reads.computed, &mut reads.copied] {
            list.iter_mut().for_each(|d| d[l] = 0);
            list.retain(|d| d.iter().any(|d| *d != 0));
        }
        reads
    }
}

/// Tries the kinds of maps in turn, those that keep the machine busiest first.
fn find(kernel: &Kernel, reads: &Reads, first: Option<Rows>) -> Option<LawfulMap> {
    let loops = kernel.loops.len();
    let first: Vec<Rows> = first.into_iter().collect();
    let (nests, fronts) = (nests(loops, &reads.computed), fronts(loops, &reads.computed));
    let mut search = Search { kernel, reads, fold: None, proofs: 0 };
    let found = search
        .over(&first, gpu::LANES, Copies::Move)
        .or_else(|| search.over(&nests, gpu::LANES, Copies::Move))
        .or_else(|| search.over(&nests, gpu::LANES, Copies::Fed))
        .or_else(|| search.over(&first, gpu::LANES, Copies::Unknown))
        .or_else(|| search.over(&fronts, gpu::LANES, Copies::Fed))
        .or_else(|| search.over(&nests, 1, Copies::Fed))
        .or_else(|| search.over(&fronts, 1, Copies::Fed));
    found.or_else(|| {
        let short = (0..loops).filter(|l| has_numbers(kernel, *l)).filter_map(|l| Some((l, length(kernel, l)?)));
        short.filter(|(_, n)| (2..=tuning::REGISTER_LOOP).contains(n)).find_map(|fold| folded(kernel, reads, fold))
    })
}

/// Finds a map that holds a loop in registers.
fn folded(kernel: &Kernel, reads: &Reads, fold: (usize, Int)) -> Option<LawfulMap> {
    let reads = reads.beside(fold.0);
    let nests = nests(kernel.loops.len(), &reads.computed);
    let mut search = Search { kernel, reads: &reads, fold: Some(fold), proofs: 0 };
    search.over(&nests, gpu::LANES, Copies::Fed).or_else(|| search.over(&nests, 1, Copies::Fed))
}

/// How a draft is treated if time runs against the reads of a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copies {
    /// It is rejected: all copies move along wires.
    Move,
    /// The copy is fed: its element is loaded again.
    Fed,
    /// The draft goes to the laws unchecked: only they know whether the reads that look wrong ever happen.
    Unknown,
}

struct Search<'a> {
    kernel: &'a Kernel,
    reads: &'a Reads,
    /// The loop in registers, and its length.
    fold: Option<(usize, Int)>,
    proofs: usize,
}

impl Search<'_> {
    /// The first lawful map that has one of these orders, over all choices of lanes, blocks and skews.
    fn over(&mut self, orders: &[Rows], width: Int, copies: Copies) -> Option<LawfulMap> {
        self.proofs = 0;
        for lane in self.lanes() {
            for tiles_are_blocks in [true, false] {
                if tiles_are_blocks && !self.is_parallel(lane) {
                    continue;
                }
                let blocks = self.blocks(lane, tiles_are_blocks);
                for order in orders {
                    let time = rows(order, lane, width, &blocks, self.fold);
                    let (kernel, fold, blocks) = (self.kernel, self.fold, blocks.clone());
                    let plain = Draft { kernel, lane, width, blocks, time, fold, cut: Vec::new() };
                    let found = skewed(&plain).into_iter().find_map(|draft| self.prove(draft, copies));
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        None
    }

    /// The loops that may go to the lanes, best first.
    fn lanes(&self) -> Vec<usize> {
        let kernel = self.kernel;
        let mut lanes: Vec<usize> = (0..kernel.loops.len()).collect();
        if lanes.len() > 1 {
            lanes.retain(|l| !self.is_folded(*l));
        }
        // A loop shorter than the warp would leave lanes idle.
        lanes.sort_by_key(|l| (is_short(kernel, *l), Reverse(adjacency(kernel, *l)), Reverse(*l)));
        lanes
    }

    /// The loops that become blocks: those along which no computed value is read, at most three, outermost first. Loops with
    /// constant bounds stay in time.
    fn blocks(&self, lane: usize, tiles_are_blocks: bool) -> Vec<usize> {
        let mut blocks: Vec<usize> = if tiles_are_blocks { vec![lane] } else { Vec::new() };
        let others = (0..self.kernel.loops.len()).filter(|l| *l != lane && self.is_parallel(*l));
        blocks.extend(others.filter(|l| !has_numbers(self.kernel, *l)));
        blocks.truncate(gpu::GRID_AXES);
        blocks
    }

    fn is_parallel(&self, l: usize) -> bool {
        !self.is_folded(l) && self.reads.computed.iter().all(|d| d[l] == 0)
    }

    fn is_folded(&self, l: usize) -> bool {
        self.fold.is_some_and(|(folded, _)| folded == l)
    }

    /// Proves a draft lawful, after cutting the loops along which copies must be fed.
    fn prove(&mut self, mut draft: Draft, copies: Copies) -> Option<LawfulMap> {
        if copies != Copies::Unknown && !draft.serves(&self.reads.computed) {
            return None;
        }
        while let Some(l) = draft.against(&self.reads.copied).filter(|_| copies != Copies::Unknown) {
            if copies == Copies::Move || draft.cut.contains(&l) {
                return None;
            }
            draft.cut.push(l);
        }
        self.proofs += 1;
        if self.proofs > effort::DEFAULT_MAP_PROOFS {
            return None;
        }
        prove_map(self.kernel, &draft.mapping()).ok()
    }
}

/// The rows of an order that are time in a draft. In a row over several loops, the loop of the lanes counts with tile and lane:
/// its coefficient c becomes c · width for the tile and c for the lane. In a row of its own, only its tiles are time.
fn rows(order: &Rows, lane: usize, width: Int, blocks: &[usize], fold: Option<(usize, Int)>) -> Vec<TimeRow> {
    let is_time = |l: usize| !blocks.contains(&l) && fold.is_none_or(|(folded, _)| folded != l);
    let stays = |row: &&Vec<Int>| row.iter().enumerate().any(|(l, c)| *c != 0 && is_time(l));
    let row = |row: &Vec<Int>| {
        let mut loops = row.clone();
        let mixed = row.iter().filter(|c| **c != 0).count() > 1;
        let share = if mixed { row[lane] } else { 0 };
        if mixed {
            loops[lane] *= width;
        }
        TimeRow { loops, lane: share }
    };
    order.iter().filter(stays).map(row).collect()
}

/// The draft itself, then with one row skewed by the lane, the innermost row first.
fn skewed<'k>(plain: &Draft<'k>) -> Vec<Draft<'k>> {
    let mut all = vec![plain.clone()];
    for row in (0..plain.time.len()).rev() {
        for skew in SKEWS {
            let mut draft = plain.clone();
            draft.time[row].lane += skew;
            all.push(draft);
        }
    }
    all
}

/// The number of accesses that visit adjacent elements as this loop runs.
fn adjacency(kernel: &Kernel, l: usize) -> usize {
    let dim = kernel.loop_dim(l);
    let walks = |index: &[Form]| {
        let (last, rest) = match index.split_last() {
            Some(parts) => parts,
            None => return false,
        };
        last.coef(dim).abs() == 1 && rest.iter().all(|f| f.coef(dim) == 0)
    };
    let inputs = kernel.accesses();
    let reads = inputs.iter().filter(|a| matches!(a.array, Array::Parameter(_)) && walks(a.index)).count();
    reads + kernel.stores.iter().filter(|s| walks(&s.index)).count()
}

/// The number of iterations of a loop, if it is a constant.
fn length(kernel: &Kernel, l: usize) -> Option<Int> {
    let length = &kernel.loops[l].high - &kernel.loops[l].low;
    length.is_constant().then_some(length.constant)
}

/// Whether a loop has fewer iterations than a warp has lanes.
fn is_short(kernel: &Kernel, l: usize) -> bool {
    length(kernel, l).is_some_and(|n| n < gpu::LANES)
}

/// Whether both bounds of a loop are constants.
fn has_numbers(kernel: &Kernel, l: usize) -> bool {
    kernel.loops[l].low.is_constant() && kernel.loops[l].high.is_constant()
}
