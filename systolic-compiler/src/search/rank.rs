//! Ranks sketches: proves them, compiles them and predicts their times; improves the best.
use super::factors::neighbours;
use super::facts::Facts;
use super::sketch::Sketch;
use super::structures::structures;
use crate::compile::compile;
use crate::cost::{Cost, cost_of};
use crate::laws::{Lawful, LawfulMap, prove_map};
use crate::mapping::Target;
use crate::model::{self, Int, Kernel};
use crate::schedule::Schedule;
use crate::syntax::tree;
use crate::target::Gpu;
use crate::target::effort::QUICK;
use crate::target::search::{
    ALTERNATIVES, CROWDED, CROWDED_COST, IMPROVED, LEAST_WORK, LOOP_COST, WORK, WORK_ON_STRUCTURES,
};
use std::collections::BTreeSet;

/// A map that was found, with its program and its predicted cost.
pub struct Candidate {
    /// The map as a user would write it.
    pub map: tree::Map,
    pub lawful: LawfulMap,
    pub schedule: Schedule,
    pub cost: Cost,
    sketch: Sketch,
}

impl Candidate {
    /// The predicted time, in seconds.
    pub fn seconds(&self) -> f64 {
        self.cost.time.total
    }

    /// What candidates are compared by: the predicted time, with what the cost model does not know.
    fn rank(&self) -> f64 {
        let room = self.schedule.room() as f64;
        // nvcc reorders straight code so that it needs fewer registers than the cost model counts, but not without limit.
        let crowded = (self.cost.needed as f64 / room - CROWDED).max(0.0) * CROWDED_COST;
        let rolled = if self.schedule.frame.loops.is_empty() { 0.0 } else { LOOP_COST };
        self.seconds() * (1.0 + crowded + rolled)
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
        let mut first: Vec<Candidate> = Vec::new();
        let mut sketches = structures(&self.facts);
        // Long programs last: there may be no work left for them.
        sketches.sort_by_key(|sketch| self.estimate(sketch));
        for sketch in sketches {
            let enough = self.work + self.estimate(&sketch) > WORK * WORK_ON_STRUCTURES / 100;
            if first.is_empty() || !enough {
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
        best.truncate(1 + ALTERNATIVES);
        best
    }

    /// The operations of a sketch's program, roughly.
    fn estimate(&self, sketch: &Sketch) -> Int {
        self.facts.operations() * sketch.copies(&self.facts.lengths)
    }

    /// Improves a candidate number by number, until nothing is better or the work is done. Adds all that were the best for a time:
    /// they differ in more than a detail.
    fn improved(&mut self, first: Candidate, end: Int, all: &mut Vec<Candidate>) {
        let mut best = first;
        loop {
            let before = best.rank();
            for sketch in neighbours(&self.facts, &best.sketch) {
                if self.work + self.estimate(&sketch) > end {
                    continue;
                }
                let other = self.candidate(sketch);
                if let Some(other) = other.filter(|other| other.rank() < best.rank()) {
                    all.push(std::mem::replace(&mut best, other));
                }
            }
            if best.rank() >= before {
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
        let cost = cost_of(self.gpu, self.kernel, &schedule, &self.facts.sizes, None, QUICK);
        // Values that wait in registers from step to step cannot be moved: without room they go to memory.
        if cost.held > schedule.room() {
            return None;
        }
        Some(Candidate { map, lawful, schedule, cost, sketch })
    }
}

fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| a.rank().total_cmp(&b.rank()));
}
