//! Ranks sketches: proves them, compiles them and predicts their times; improves the best.
use super::factors::neighbours;
use super::facts::Facts;
use super::sketch::Sketch;
use super::structures::structures;
use crate::compile::compile;
use crate::cost::{Cost, cost_of, needed};
use crate::laws::{Lawful, LawfulMap, prove_map, registers_of};
use crate::mapping::Target;
use crate::model::{self, Int, Kernel};
use crate::schedule::Schedule;
use crate::syntax::tree;
use crate::target::effort::QUICK;
use crate::target::search::{
    ALTERNATIVES, CROWDED_LOOP, CROWDED_STRAIGHT, IMPROVED, LEAST_STRUCTURES, LEAST_WORK, LOOP_COST, NARROW_COST,
    REGISTERS_LOOP, REGISTERS_STRAIGHT, WORK, WORK_ON_STRUCTURES,
};
use crate::target::{GPU, Gpu};
use std::collections::BTreeSet;

/// A map that was found, with its program and its predicted cost.
pub struct Candidate {
    /// The map as a user would write it.
    pub map: tree::Map,
    pub lawful: LawfulMap,
    pub schedule: Schedule,
    pub cost: Cost,
    /// What candidates are compared by.
    rank: f64,
    sketch: Sketch,
}

impl Candidate {
    /// The predicted time, in seconds.
    pub fn seconds(&self) -> f64 {
        self.cost.time.total
    }
}

/// What candidates are compared by: the predicted time, with what the cost model does not know.
fn rank(schedule: &Schedule, registers: &Registers, seconds: f64, sketch: &Sketch) -> f64 {
    let crowded = (registers.expected / registers.most as f64 - 1.0).max(0.0);
    // One point per lane shares no load with a neighbour.
    let narrow = match sketch.lanes() {
        Some((_, lanes)) if lanes.blocks && lanes.fold == 1 => NARROW_COST,
        _ => 0.0,
    };
    let extra = match schedule.frame.loops.is_empty() {
        true => crowded * CROWDED_STRAIGHT,
        false => crowded * CROWDED_LOOP + LOOP_COST,
    };
    seconds * (1.0 + extra + narrow)
}

/// The registers per lane that nvcc will use.
struct Registers {
    /// Without a limit.
    expected: f64,
    /// The limit: what the warps that the map wants resident leave, or what a lane can have.
    most: usize,
}

impl Registers {
    fn new(schedule: &Schedule, needed: usize) -> Registers {
        let share = if schedule.frame.loops.is_empty() { REGISTERS_STRAIGHT } else { REGISTERS_LOOP };
        let blocks = schedule.resident_blocks().unwrap_or(1).max(1);
        let most = registers_of(blocks * schedule.warp_count()) as usize;
        Registers { expected: needed as f64 * share, most }
    }

    /// Those that are used.
    fn used(&self) -> usize {
        (self.expected.ceil() as usize).min(self.most).max(GPU.register_unit)
    }
}

/// A search for the map of one instance.
pub struct Search<'k> {
    tree: &'k tree::Kernel,
    kernel: &'k Kernel,
    gpu: &'k Gpu,
    facts: Facts<'k>,
    taken: BTreeSet<String>,
    seen: Vec<Sketch>,
    /// Candidates that were proved, compiled and costed.
    pub tried: usize,
    /// Candidates that a law or the compiler refused.
    pub refused: usize,
    /// Operations of all programs so far: what the search costs.
    pub work: Int,
}

impl<'k> Search<'k> {
    pub fn new(tree: &'k tree::Kernel, lawful: &'k Lawful, gpu: &'k Gpu) -> Search<'k> {
        let kernel = lawful.kernel();
        let facts = Facts::new(kernel);
        Search {
            tree,
            kernel,
            gpu,
            facts,
            taken: model::taken_names(tree),
            seen: Vec::new(),
            tried: 0,
            refused: 0,
            work: 0,
        }
    }

    /// The sizes at which candidates are compared.
    pub fn sizes(&self) -> &[Int] {
        &self.facts.sizes
    }

    /// The best candidates, best first; none if no structure is lawful.
    pub fn run(&mut self) -> Vec<Candidate> {
        self.best(1 + ALTERNATIVES)
    }

    /// The same, up to so many of them.
    pub fn best(&mut self, most: usize) -> Vec<Candidate> {
        let mut first: Vec<Candidate> = Vec::new();
        let mut sketches = structures(&self.facts);
        // Long programs last: there may be no work left for them.
        sketches.sort_by_key(|sketch| self.estimate(sketch));
        for sketch in sketches {
            let after = self.work + self.estimate(&sketch);
            let few = first.is_empty() || (first.len() < LEAST_STRUCTURES && after <= WORK);
            if few || after <= WORK * WORK_ON_STRUCTURES / 100 {
                first.extend(self.candidate(sketch));
            }
        }
        sort(&mut first);
        first.truncate(IMPROVED);
        let mut best: Vec<Candidate> = Vec::new();
        let count = first.len();
        for (k, candidate) in first.into_iter().enumerate() {
            // The best takes half of what is left, or all of it.
            let share = (WORK - self.work).max(0) / (count - k) as Int;
            self.improved(candidate, self.work + share, &mut best);
        }
        sort(&mut best);
        best.truncate(most);
        best
    }

    /// The operations of a sketch's program, roughly.
    fn estimate(&self, sketch: &Sketch) -> Int {
        self.facts.operations * sketch.copies(&self.facts.lengths)
    }

    /// Improves a candidate number by number, until nothing is better or the work is done. Adds all that were the best for a time:
    /// they differ in more than a detail.
    fn improved(&mut self, first: Candidate, end: Int, all: &mut Vec<Candidate>) {
        let mut best = first;
        loop {
            let before = best.rank;
            for sketch in neighbours(&self.facts, &best.sketch) {
                if self.work + self.estimate(&sketch) > end {
                    continue;
                }
                let other = self.candidate(sketch);
                if let Some(other) = other.filter(|other| other.rank < best.rank) {
                    all.push(std::mem::replace(&mut best, other));
                }
            }
            if best.rank >= before {
                all.push(best);
                return;
            }
        }
    }

    /// Proves, compiles and costs a sketch; `None` if it was tried before, or if a law or the compiler refuses it.
    fn candidate(&mut self, sketch: Sketch) -> Option<Candidate> {
        if self.seen.contains(&sketch) {
            return None;
        }
        self.seen.push(sketch.clone());
        // What a law refuses costs, too.
        self.work += self.estimate(&sketch).max(LEAST_WORK);
        let found = self.build(sketch);
        match found.is_some() {
            true => self.tried += 1,
            false => self.refused += 1,
        }
        found
    }

    fn build(&self, sketch: Sketch) -> Option<Candidate> {
        let map = sketch.map(self.kernel, &self.taken)?;
        let mapping = model::resolve_map(self.tree, self.kernel, &map)?;
        let lawful = prove_map(self.kernel, &mapping).ok()?;
        let schedule = compile(self.kernel, &lawful, Target::Gpu).ok()?;
        let needed = needed(self.kernel, &schedule);
        let registers = Registers::new(&schedule, needed.step);
        // Values that wait in registers from step to step cannot be moved: without room they go to memory.
        if needed.held > registers.most {
            return None;
        }
        let cost = cost_of(self.gpu, self.kernel, &schedule, &self.facts.sizes, Some(registers.used()), QUICK);
        // The laws hold maps to the limits of an H200; another machine may have less shared memory.
        if cost.launch.resident == 0 {
            return None;
        }
        let rank = rank(&schedule, &registers, cost.time.total, &sketch);
        Some(Candidate { map, lawful, schedule, cost, rank, sketch })
    }
}

fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| a.rank.total_cmp(&b.rank));
}
