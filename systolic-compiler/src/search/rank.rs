//! Ranks sketches: proves them, compiles them and predicts their times; improves the best.
use super::facts::Facts;
use super::factors::neighbours;
use super::sketch::Sketch;
use super::structures::structures;
use crate::compile::compile;
use crate::cost::{Cost, cost};
use crate::laws::{Lawful, LawfulMap, prove_map};
use crate::mapping::Target;
use crate::model::{self, Int, Kernel};
use crate::schedule::Schedule;
use crate::syntax::tree;
use crate::target::Gpu;
use crate::target::search::{IMPROVED, STRUCTURES, TRIALS};
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
}

impl<'k> Search<'k> {
    pub fn new(tree: &'k tree::Kernel, lawful: &'k Lawful, gpu: &'k Gpu) -> Search<'k> {
        let kernel = lawful.kernel();
        let facts = Facts::new(kernel);
        Search { tree, kernel, gpu, facts, taken: model::taken_names(tree), seen: Vec::new(), tried: 0, refused: 0 }
    }

    /// The sizes at which candidates are compared.
    pub fn sizes(&self) -> &[Int] {
        &self.facts.sizes
    }

    /// The best candidates, best first; none if no structure is lawful.
    pub fn run(&mut self) -> Vec<Candidate> {
        let mut first: Vec<Candidate> = Vec::new();
        for sketch in structures(&self.facts).into_iter().take(STRUCTURES) {
            first.extend(self.candidate(sketch));
        }
        sort(&mut first);
        first.truncate(IMPROVED);
        let mut best: Vec<Candidate> = first.into_iter().map(|candidate| self.improved(candidate)).collect();
        sort(&mut best);
        best
    }

    /// A candidate improved number by number, until nothing is better or the effort is spent.
    fn improved(&mut self, mut best: Candidate) -> Candidate {
        let end = self.tried + self.refused + TRIALS;
        loop {
            let before = best.seconds();
            for sketch in neighbours(&self.facts, &best.sketch) {
                if self.tried + self.refused >= end {
                    return best;
                }
                let other = self.candidate(sketch);
                if let Some(other) = other.filter(|other| other.seconds() < best.seconds()) {
                    best = other;
                }
            }
            if best.seconds() >= before {
                return best;
            }
        }
    }

    /// Proves, compiles and costs a sketch; `None` if it was tried before, or if a law or the compiler refuses it.
    fn candidate(&mut self, sketch: Sketch) -> Option<Candidate> {
        if self.seen.contains(&sketch) {
            return None;
        }
        self.seen.push(sketch.clone());
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
        let cost = cost(self.gpu, self.kernel, &schedule, &self.facts.sizes, None);
        Some(Candidate { map, lawful, schedule, cost, sketch })
    }
}

fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| a.seconds().total_cmp(&b.seconds()));
}
