//! Structures: which loop runs across the lanes, which loops are blocks and tiles, and in which order the others are time. Numbers
//! are first guesses here; `factors` improves them.
//!
//! ```text
//! for r, c, p, q (a filter):       lanes c, tiles of r; time r + p, -p, q      each row of the input is loaded once
//! for i, j, k (a product):         lanes j, tiles of i; time k, i              an element of b serves all rows of a tile
//! for r, c, t (fused steps):       lanes c, tiles of r, both with overlap; time r + t, t
//! for k, i, j (alignments):        lanes i in strips; time i + j               a wavefront
//! ```
use super::facts::Facts;
use super::order::{in_order, launched};
use super::staged::staged;
use super::{Lanes, Role, Row, Sketch, Term, Tiled};
use crate::model::Int;
use crate::sorted;
use crate::target::search::{BAND, FIRST_BYTES, FIRST_ROWS, FIRST_STRIP, FIRST_WARPS, LANE_LOOPS, LONGEST_BODY};
use crate::target::{GPU, gpu};
use std::cmp::Reverse;

/// All structures of a kernel.
pub fn structures(facts: &Facts<'_>) -> Vec<Sketch> {
    let mut all = within_launch(facts);
    for launched in launched(facts) {
        all.extend(within_launch(&launched));
    }
    all
}

/// Structures for stages that read each other along loops but not back: tiles compute again what they need of their neighbours.
pub fn recomputed(facts: &Facts<'_>) -> Vec<Sketch> {
    let along = |l: usize| !facts.is_parallel(l) && !facts.is_short(l) && facts.reach(l).is_some();
    let mut all = Vec::new();
    for lane in lane_loops(facts) {
        let across = match facts.is_parallel(lane) {
            true => Across::Parallel,
            false => match facts.reach(lane) {
                Some(overlap) => Across::Overlap(overlap),
                None => continue,
            },
        };
        let builder = Builder { facts, lane };
        let bands: Vec<usize> = (0..facts.lengths.len()).filter(|l| *l != lane && along(*l)).collect();
        all.extend(bands.iter().filter_map(|l| builder.sketch(&across, &[*l], true)));
        if bands.is_empty() {
            all.extend(builder.sketch(&across, &[], false));
        }
    }
    all
}

/// Those of one launch, with blocks that are independent and with blocks in order.
fn within_launch(facts: &Facts<'_>) -> Vec<Sketch> {
    let mut all = Vec::new();
    for lane in lane_loops(facts) {
        let builder = Builder { facts, lane };
        builder.add(&mut all);
    }
    let staged: Vec<Sketch> = all.iter().flat_map(|sketch| staged(facts, sketch)).collect();
    let ordered: Vec<Sketch> = all.iter().filter_map(|sketch| in_order(facts, sketch)).collect();
    let mut distinct = Vec::new();
    for mut sketch in all.into_iter().chain(ordered).chain(staged) {
        sketch.shorten(&facts.lengths);
        if !distinct.contains(&sketch) {
            distinct.push(sketch);
        }
    }
    distinct
}

/// The loops that may run across the lanes, best first: those along which most accesses visit adjacent elements. Where such a
/// loop carries values, also the best loop that carries none. Loops that lengths depend on cannot be lanes, however many outputs
/// have an element per item.
fn lane_loops(facts: &Facts<'_>) -> Vec<usize> {
    let may = |l: &usize| !facts.is_launched(*l) && !facts.kernel.gives_lengths(*l);
    let mut loops: Vec<usize> = (0..facts.lengths.len()).filter(may).collect();
    let is_narrow = |l: usize| facts.lengths[l].is_some_and(|n| n < gpu::LANES);
    sorted::sort_by_key(&mut loops, |l| (is_narrow(*l), Reverse(facts.adjacency(*l)), Reverse(*l)));
    let most = loops.first().map_or(0, |l| facts.adjacency(*l));
    let parallel = loops.iter().copied().find(|l| facts.is_parallel(*l) && !is_narrow(*l));
    loops.retain(|l| facts.adjacency(*l) == most || Some(*l) == parallel);
    loops.truncate(LANE_LOOPS);
    loops
}

/// The greatest power of two that is at most a number, at least 1.
fn power_of_two(most: Int) -> Int {
    1 << most.max(1).ilog2()
}

/// How the tiles of the lanes are kept apart.
enum Across {
    /// Nothing is read along the loop.
    Parallel,
    /// Each tile computes again what it reads of its neighbours: this many points before it and after it.
    Overlap((Int, Int)),
    /// Values move from lane to lane, in a wavefront.
    Wave,
}

struct Builder<'f, 'k> {
    facts: &'f Facts<'k>,
    lane: usize,
}

impl Builder<'_, '_> {
    /// All structures with this loop across the lanes.
    fn add(&self, all: &mut Vec<Sketch>) {
        let facts = self.facts;
        let mut across = Vec::new();
        if facts.is_parallel(self.lane) {
            across.push(Across::Parallel);
        } else {
            across.extend(facts.spread(self.lane).map(|spread| Across::Overlap((spread.before, spread.after))));
            across.push(Across::Wave);
        }
        for across in &across {
            for tiled in self.tiled_loops(across) {
                for rolled in [false, true] {
                    all.extend(self.sketch(across, &tiled, rolled));
                }
            }
        }
    }

    /// The sets of loops that may be tiled, so that a warp computes several rows: none, each, and the two innermost.
    fn tiled_loops(&self, across: &Across) -> Vec<Vec<usize>> {
        let facts = self.facts;
        let free = |l: &usize| {
            let apart = facts.is_parallel(*l) || (matches!(across, Across::Overlap(_)) && facts.spread(*l).is_some());
            *l != self.lane && apart && !facts.is_short(*l) && !facts.is_launched(*l)
        };
        let loops: Vec<usize> = (0..facts.lengths.len()).rev().filter(free).collect();
        let mut sets: Vec<Vec<usize>> = loops.iter().map(|l| vec![*l]).collect();
        sets.extend(loops.windows(2).map(|pair| vec![pair[1], pair[0]]));
        // A loop that spreads must be tiled with overlap, or it is time.
        sets.push(Vec::new());
        sets
    }

    /// One structure. `rolled`: the first tiled loop is a long band, walked row by row; otherwise tiles are a few rows, all
    /// unrolled.
    fn sketch(&self, across: &Across, tiled: &[usize], rolled: bool) -> Option<Sketch> {
        let facts = self.facts;
        if rolled && tiled.is_empty() {
            return None;
        }
        let bytes = facts.element_bytes();
        let body = facts.operations * self.unrolled(tiled);
        // A body that is too long for the instruction cache is slow, whatever else is gained.
        let fold = power_of_two((FIRST_BYTES / bytes).min(LONGEST_BODY / body.max(1)));
        let rows = power_of_two(FIRST_ROWS.min(LONGEST_BODY / (body * fold).max(1)));
        let lanes = match across {
            Across::Parallel => Lanes { fold, strip: 1, apart: false, warps: 1, overlap: (0, 0), blocks: true },
            Across::Overlap((before, after)) => {
                let round = |n: Int| (n + fold - 1) / fold * fold;
                let overlap = (round(*before), round(*after));
                Lanes { fold, strip: 1, apart: false, warps: 1, overlap, blocks: true }
            }
            Across::Wave => {
                Lanes { fold: 1, strip: FIRST_STRIP, apart: false, warps: 1, overlap: (0, 0), blocks: false }
            }
        };
        let mut roles: Vec<Role> = vec![Role::Time { unroll: 1 }; facts.lengths.len()];
        let mut axes = usize::from(lanes.blocks);
        roles[self.lane] = Role::Lanes(lanes);
        if let Some((l, steps)) = facts.launch {
            roles[l] = Role::Launch { steps };
        }
        for (k, l) in tiled.iter().enumerate() {
            let overlap = match facts.is_parallel(*l) {
                true => (0, 0),
                false => match facts.spread(*l) {
                    Some(spread) => (spread.before, spread.after),
                    None => facts.reach(*l)?,
                },
            };
            let steps = if rolled && k == 0 { BAND + overlap.0 + overlap.1 } else { rows + overlap.0 + overlap.1 };
            let warps = if overlap == (0, 0) && !rolled && k == 0 { FIRST_WARPS } else { 1 };
            roles[*l] = Role::Tiled(Tiled { steps, warps, overlap, blocks: true });
            axes += 1;
        }
        for (l, role) in roles.iter_mut().enumerate() {
            let whole = *role == (Role::Time { unroll: 1 }) && facts.is_parallel(l) && !facts.is_short(l);
            if whole && axes < gpu::GRID_AXES {
                *role = Role::Block;
                axes += 1;
            }
        }
        let time = self.time(across, &roles, tiled, rolled)?;
        let sketch = Sketch { roles, time, ordered: false, staged: Vec::new(), resident: None, ahead: None };
        (axes <= gpu::GRID_AXES && sketch.warps() <= GPU.block_warps).then_some(sketch)
    }

    /// The iterations of all short loops, which are unrolled.
    fn unrolled(&self, tiled: &[usize]) -> Int {
        let facts = self.facts;
        let short = (0..facts.lengths.len()).filter(|l| *l != self.lane && !tiled.contains(l) && facts.is_short(*l));
        short.filter_map(|l| facts.lengths[l]).product()
    }

    /// The rows of time.
    fn time(&self, across: &Across, roles: &[Role], tiled: &[usize], rolled: bool) -> Option<Vec<Row>> {
        let facts = self.facts;
        let in_time = |l: &usize| matches!(roles[*l], Role::Time { unroll: 1 } | Role::Launch { steps: 2.. });
        let loops: Vec<usize> = (0..roles.len()).filter(in_time).collect();
        let (short, long): (Vec<usize>, Vec<usize>) = loops.into_iter().partition(|l| facts.is_short(*l));
        // Inside a long loop, a band would keep a value per row waiting in memory.
        if rolled && !long.is_empty() {
            return None;
        }
        let mut time = Time { lane: self.lane, rows: Vec::new(), open: facts.computed.clone() };
        if let Across::Wave = across {
            let (last, outer) = long.split_last()?;
            outer.iter().for_each(|l| time.run(Term::Inner(*l), *l, false));
            time.run(Term::Outer(self.lane), self.lane, false);
            let signs = (time.sign(self.lane), time.sign(*last));
            time.push(vec![(Term::Lane, signs.0), (Term::Inner(*last), signs.1)], false);
            time.run(Term::Strip, self.lane, true);
            tiled.iter().chain(&short).for_each(|l| time.run(Term::Inner(*l), *l, true));
            return Some(time.rows);
        }
        long.iter().for_each(|l| time.run(Term::Inner(*l), *l, false));
        let mut followed = Vec::new();
        for (k, l) in tiled.iter().enumerate() {
            let mut terms = vec![(Term::Inner(*l), 1)];
            for s in &short {
                let skew = match facts.spread(*l) {
                    Some(spread) if !facts.is_parallel(*l) => (spread.over == *s).then_some(spread.skew),
                    _ => facts.follows(*l, *s).filter(|_| !followed.contains(s)),
                };
                if let Some(skew) = skew.filter(|skew| *skew != 0) {
                    terms.push((Term::Inner(*s), skew));
                    followed.push(*s);
                }
            }
            time.push(terms, !(rolled && k == 0));
        }
        for l in short {
            // With the input as time, an output row is finished by its last term.
            match followed.contains(&l) && facts.spread_over(l).is_none() {
                true => time.push(vec![(Term::Inner(l), -1)], true),
                false => time.run(Term::Inner(l), l, true),
            }
        }
        Some(time.rows)
    }
}

/// Rows of time, from the outermost on.
struct Time {
    lane: usize,
    rows: Vec<Row>,
    /// Distances at which no row so far moves.
    open: Vec<Vec<Int>>,
}

impl Time {
    /// Adds a row over one loop, in the direction in which the reads along it go back in time.
    fn run(&mut self, term: Term, l: usize, unrolled: bool) {
        let sign = self.sign(l);
        match term {
            // The tiles of a loop and its strips move only where the loop does, but not always.
            Term::Outer(_) | Term::Strip => self.rows.push(Row { terms: vec![(term, sign)], unrolled }),
            Term::Inner(_) | Term::Lane => self.push(vec![(term, sign)], unrolled),
        }
    }

    fn push(&mut self, terms: Vec<(Term, Int)>, unrolled: bool) {
        let moves = |d: &Vec<Int>| {
            let of = |(term, factor): &(Term, Int)| match term {
                Term::Inner(l) | Term::Outer(l) => factor * d[*l],
                Term::Lane | Term::Strip => factor * d[self.lane],
            };
            terms.iter().map(of).sum::<Int>()
        };
        self.open.retain(|d| moves(d) == 0);
        self.rows.push(Row { terms, unrolled });
    }

    /// The direction of a loop: backwards if all reads along it that are open are.
    fn sign(&self, l: usize) -> Int {
        let backwards = self.open.iter().any(|d| d[l] < 0) && self.open.iter().all(|d| d[l] <= 0);
        if backwards { -1 } else { 1 }
    }
}
