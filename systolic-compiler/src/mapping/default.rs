//! Finds a map for a kernel that has none, by a deterministic search over small schedules.
//!
//! One loop goes to the lanes, in tiles of 32. Loops along which no computed value is read become blocks. The others are time,
//! in an order in which computed values are read after they are computed, skewed by the lane where that is needed.
//!
//! A copy is a variable that equals an input element at every point. Where time runs against the reads of a copy, the element
//! is loaded again ("fed"). A short loop along which computed values are read both ways is held in registers.
use super::draft::{Draft, TimeRow};
use super::joined::Joined;
use super::layout::Target;
use super::orders::{Rows, fronts, nests, unit};
use super::reads::{Reads, has_numbers, length, of_numbers, points_of, stands_alone, walks};
use super::shift::shifted_map;
use super::totals::total_along;
use crate::laws::{Direction, Lawful, LawfulMap, Order, order_of, prove_map};
use crate::model::{Array, Form, Formula, Int, Kernel, Mapping};
use crate::sorted;
use crate::target::{cpu, effort, gpu, tuning};
use std::cmp::Reverse;
use systolic_sets::{Answer, find_point};

/// The skews to try, in steps from one lane to the next.
const SKEWS: [Int; 6] = [1, -1, 2, -2, 3, -3];

/// Returns the first lawful map, in order of preference; `None` if none was found, for example because computed values are read
/// both ways along a long loop. What variables only pass on is computed directly.
pub fn default_map(lawful: &Lawful, target: Target) -> Option<LawfulMap> {
    let kernel = lawful.kernel();
    direct_map(kernel, target).or_else(|| first_map(kernel, lawful.order(), target))
}

/// The same for a kernel that the compiler made, if an order of its loops is found.
pub fn default_map_of(kernel: &Kernel, target: Target) -> Option<LawfulMap> {
    direct_map(kernel, target).or_else(|| first_map(kernel, &order_of(kernel)?, target))
}

/// The same for the direct kernel; `None` if it is the kernel itself.
fn direct_map(kernel: &Kernel, target: Target) -> Option<LawfulMap> {
    let direct = kernel.direct()?;
    let found = first_map(&direct, &order_of(&direct)?, target)?;
    // Proved once more for the kernel itself, as a map that a user writes.
    prove_map(kernel, &Mapping { direct: true, ..found.mapping().clone() }).ok()
}

/// The same for a kernel with this order, as it is.
fn first_map(kernel: &Kernel, order: &Order, target: Target) -> Option<LawfulMap> {
    let first: Option<Rows> = match order {
        Order::Nest { loops, .. } => Some(loops.iter().map(|(l, d)| unit(kernel.loops.len(), *l, sign(*d))).collect()),
        Order::Keys(_) => None,
    };
    search(kernel, target, first).or_else(|| shifted_map(kernel, target))
}

/// The same for a kernel whose order is not known.
pub fn find_for(kernel: &Kernel, target: Target) -> Option<LawfulMap> {
    search(kernel, target, None)
}

/// Searches with all reads, then with those that ever happen.
fn search(kernel: &Kernel, target: Target, first: Option<Rows>) -> Option<LawfulMap> {
    let all = Reads::of(kernel, |_| true);
    let found = find(kernel, target, &all, first);
    if found.is_some() {
        return found;
    }
    // Reads whose guards never hold are removed only now, since finding them takes one query per read.
    let domain = kernel.domain();
    let happens = |guard: &Formula| find_point(kernel.dims(), &domain.clone().and(guard.clone())) != Answer::None;
    let some = Reads::of(kernel, happens);
    if some == all { None } else { find(kernel, target, &some, None) }
}

fn sign(direction: Direction) -> Int {
    if direction == Direction::Up { 1 } else { -1 }
}

/// Tries the kinds of maps in turn, those that keep the machine busiest first.
fn find(kernel: &Kernel, target: Target, reads: &Reads, first: Option<Rows>) -> Option<LawfulMap> {
    let loops = kernel.loops.len();
    let first: Vec<Rows> = first.into_iter().collect();
    let (nests, fronts) = (nests(loops, &reads.computed), fronts(loops, &reads.computed));
    let total = total_along(kernel, reads).filter(|_| target == Target::Cpu);
    let mut search = Search { kernel, target, reads, fold: None, total, proofs: 0 };
    let ends_with = |l: usize| nests.iter().filter(|rows| rows.last() == Some(&unit(loops, l, 1))).cloned().collect();
    let totals: Vec<Rows> = total.map(ends_with).unwrap_or_default();
    // One loop after which everything waits: lanes would run one after another.
    let alone = target == Target::Cpu && is_serial(kernel, reads);
    let found = search
        .over(&totals, 1, Copies::Move)
        .or_else(|| search.over(if alone { &first } else { &[] }, 1, Copies::Move))
        .or_else(|| search.over(if alone { &nests } else { &[] }, 1, Copies::Fed))
        .or_else(|| search.over(&first, gpu::LANES, Copies::Move))
        .or_else(|| search.over(&nests, gpu::LANES, Copies::Move))
        .or_else(|| search.over(&nests, gpu::LANES, Copies::Fed))
        .or_else(|| search.over(&first, gpu::LANES, Copies::Unknown))
        .or_else(|| search.over(&fronts, gpu::LANES, Copies::Fed))
        .or_else(|| search.over(&nests, 1, Copies::Fed))
        .or_else(|| search.over(&fronts, 1, Copies::Fed));
    found.or_else(|| {
        let short = (0..loops).filter(|l| has_numbers(kernel, *l)).filter_map(|l| Some((l, length(kernel, l)?)));
        short
            .filter(|(_, n)| (2..=tuning::REGISTER_LOOP).contains(n))
            .find_map(|fold| folded(kernel, target, reads, fold))
    })
}

/// Finds a map that holds a loop in registers.
fn folded(kernel: &Kernel, target: Target, reads: &Reads, fold: (usize, Int)) -> Option<LawfulMap> {
    let reads = reads.beside(fold.0);
    let nests = nests(kernel.loops.len(), &reads.computed);
    let mut search = Search { kernel, target, reads: &reads, fold: Some(fold), total: None, proofs: 0 };
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
    target: Target,
    reads: &'a Reads,
    /// The loop in registers, and its length.
    fold: Option<(usize, Int)>,
    /// The loop along which the kernel only adds up, while maps with one lane are searched.
    total: Option<usize>,
    proofs: usize,
}

impl Search<'_> {
    /// The first lawful map that has one of these orders, over all choices of lanes, blocks and skews.
    fn over(&mut self, orders: &[Rows], width: Int, copies: Copies) -> Option<LawfulMap> {
        self.proofs = 0;
        for lane in self.lanes() {
            let width = self.width(lane, width);
            for tiles_are_blocks in [true, false] {
                if tiles_are_blocks && !self.is_parallel(lane) {
                    continue;
                }
                let blocks = self.blocks(lane, tiles_are_blocks);
                for order in orders {
                    let time = rows(order, lane, width, &blocks, self.fold);
                    let (kernel, fold, blocks) = (self.kernel, self.fold, blocks.clone());
                    let plain = Draft {
                        kernel,
                        lane,
                        width,
                        blocks,
                        time,
                        fold,
                        chunks: Vec::new(),
                        unrolled: 0,
                        cut: Vec::new(),
                    };
                    let chunked = self.chunked(&plain).filter(|_| copies != Copies::Unknown);
                    let all = chunked.into_iter().chain(skewed(&plain));
                    let found = all.into_iter().find_map(|draft| self.prove(draft, copies));
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
        sorted::sort_by_key(&mut lanes, |l| (is_short(kernel, *l), Reverse(adjacency(kernel, *l)), Reverse(*l)));
        if self.target == Target::Cpu {
            // On a CPU idle lanes cost less than lanes that wait for each other: a short vector has few.
            sorted::sort_by_key(&mut lanes, |l| !self.is_parallel(*l));
        }
        // No map with such a loop in the lanes is lawful.
        sorted::sort_by_key(&mut lanes, |l| kernel.gives_lengths(*l));
        lanes
    }

    /// The lanes for a loop: on a CPU no more than it has iterations, so that a shorter vector serves them.
    fn width(&self, lane: usize, most: Int) -> Int {
        let low = &self.kernel.loops[lane].low;
        let few = length(self.kernel, lane).filter(|n| *n > 0 && low.is_constant() && low.constant == 0);
        few.filter(|_| self.target == Target::Cpu).map_or(most, |n| n.min(most))
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

    /// The draft for a CPU whose blocks are chunks of the parallel loops: a block of 32 points would take longer to start than
    /// to run. `None` if a block of the draft is long already, since a loop of any length runs inside it.
    ///
    /// A copy that is read along a loop of a chunk is fed, whether its element lies in the chunk or not.
    fn chunked<'k>(&self, plain: &Draft<'k>) -> Option<Draft<'k>> {
        let kernel = self.kernel;
        let loops = kernel.loops.len();
        let in_one_lane = plain.width == 1 && self.total.is_some();
        let of_numbers = of_numbers(kernel);
        let long = |l: usize| !self.is_parallel(l) && !of_numbers[l] && !in_one_lane;
        let fits = self.target == Target::Cpu && self.fold.is_none() && plain.blocks.contains(&plain.lane);
        if !fits || (0..loops).any(long) {
            return None;
        }
        let inside: Vec<usize> = (0..loops).filter(|l| !self.is_parallel(*l) && of_numbers[*l]).collect();
        let (mut draft, stands) = (plain.clone(), |l: &usize| stands_alone(kernel, *l));
        // Rows that may be one are one where they are short.
        let long = plain.blocks.iter().filter(|l| stands(l)).count() == 1 || Joined::of(kernel).is_some();
        let [row, rows] = if long { cpu::LONG_CHUNK } else { cpu::CHUNK };
        // With more points than a row has vectors, a block has one of these.
        let vectors = row / plain.width;
        let points = points_of(kernel, &inside, vectors as usize).map_or(vectors, |n| n as Int);
        let tiles = if in_one_lane { cpu::CHUNK[1] } else { (vectors / points.max(1)).clamp(1, row / gpu::LANES) };
        let size = |l: usize| if l == plain.lane { plain.width * tiles } else { rows };
        draft.chunks = plain.blocks.iter().copied().filter(stands).map(|l| (l, size(l))).collect();
        if !draft.chunks.iter().any(|(l, _)| *l == plain.lane) {
            return None;
        }
        let row = |l: usize| TimeRow { loops: unit(loops, l, 1), lane: 0 };
        let others = draft.chunks.iter().map(|(l, _)| *l).filter(|l| *l != plain.lane);
        draft.unrolled = self.unrolled(&plain.time);
        let mut loops_of_chunk: Vec<usize> = others.chain([plain.lane]).collect();
        // Lanes that each move along a row of their own do so in the innermost loop, several steps at a time.
        if let Some(along) =
            loops_of_chunk.iter().position(|l| plain.time.is_empty() && walks_rows(kernel, plain.lane, *l))
        {
            let along = loops_of_chunk.remove(along);
            loops_of_chunk.push(along);
        }
        let mut time: Vec<TimeRow> = loops_of_chunk.into_iter().map(row).collect();
        time.extend(plain.time.iter().cloned());
        draft.time = time;
        let moves = |l: &usize| self.reads.copied.iter().any(|d| d[*l] != 0);
        draft.cut = draft.chunks.iter().map(|(l, _)| *l).filter(moves).collect();
        Some(draft)
    }

    /// How many of the innermost rows are unrolled together, such as both loops over the weights of a 3×3 stencil; 0 if that is
    /// what the compiler does anyway.
    fn unrolled(&self, time: &[TimeRow]) -> usize {
        let (mut all, mut count, mut points): (Vec<usize>, usize, usize) = (Vec::new(), 0, 1);
        for row in time.iter().rev() {
            let mut loops = (0..row.loops.len()).filter(|l| row.loops[*l] != 0);
            let (Some(l), None, 0) = (loops.next(), loops.next(), row.lane) else { break };
            all.push(l);
            sorted::sort(&mut all);
            let few = points_of(self.kernel, &all, cpu::UNROLLED_LOOP);
            let Some(n) = few.filter(|n| *n > 0) else { break };
            (count, points) = (count + 1, n);
        }
        if count > 1 || points as Int > tuning::UNROLLED_LOOP { count } else { 0 }
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
    let inputs = kernel.accesses();
    let reads = inputs.iter().filter(|a| matches!(a.array, Array::Parameter(_)) && walks(a.index, dim)).count();
    reads + kernel.stores.iter().filter(|s| walks(&s.index, dim)).count()
}

/// Whether lanes along loop `lane` access different rows of an array, along which loop `l` moves.
fn walks_rows(kernel: &Kernel, lane: usize, l: usize) -> bool {
    let (lane, l) = (kernel.loop_dim(lane), kernel.loop_dim(l));
    let walks = |index: &[Form]| match index.split_last() {
        Some((last, rows)) => {
            lane != l && last.coef(l) == 1 && last.coef(lane) == 0 && rows.iter().any(|f| f.coef(lane) != 0)
        }
        None => false,
    };
    let inputs = kernel.accesses();
    let reads = inputs.iter().any(|a| matches!(a.array, Array::Parameter(_)) && walks(a.index));
    reads || kernel.stores.iter().any(|s| walks(&s.index))
}

/// Whether a loop has fewer iterations than a warp has lanes.
fn is_short(kernel: &Kernel, l: usize) -> bool {
    length(kernel, l).is_some_and(|n| n < gpu::LANES)
}

/// Whether computed values are read along every loop, and only one loop is longer than a few iterations: no order of time leaves
/// several points to a step.
fn is_serial(kernel: &Kernel, reads: &Reads) -> bool {
    let loops = 0..kernel.loops.len();
    let long = |l: &usize| length(kernel, *l).is_none_or(|n| n > cpu::FEW_LANES);
    loops.clone().filter(long).count() <= 1 && loops.clone().all(|l| reads.computed.iter().any(|d| d[l] != 0))
}
