//! Ranks sketches: proves them, compiles them and predicts their times; improves the best.
use super::neighbours::neighbours;
use super::variants;
use crate::compile::{compile, compile_draft};
use crate::cost::{Cost, cost_of, needed};
use crate::emit::Speed;
use crate::fill::{Given, Numbers, NumbersOf, Ways, proved};
use crate::laws::{Lawful, LawfulMap, registers_of};
use crate::mapping::{Target, choices_of_shifts};
use crate::model::{self, Int, Kernel, Shift, Shifted};
use crate::schedule::Schedule;
use crate::sketch::{Facts, Sketch, TileNames, recomputed, structures};
use crate::sorted::SortedSet;
use crate::syntax::tree;
use crate::target::effort::{FILLINGS, QUICK};
use crate::target::search::{
    ALTERNATIVES, COPIES_GUESS, CROWDED_LOOP, CROWDED_STRAIGHT, IMPROVED, LEAST_STRUCTURES, LEAST_WORK, LOOP_COST,
    NARROW_COST, REGISTERS_LOOP, REGISTERS_STRAIGHT, WORK, WORK_ON_STAGED, WORK_ON_STRUCTURES, WRITTEN_PER_OPERATION,
};
use crate::target::{GPU, Gpu};

/// A map that was found, with its program and its predicted cost.
pub struct Candidate {
    /// The map as a user would write it.
    pub map: tree::Map,
    pub lawful: LawfulMap,
    /// A draft until the search has ended.
    pub schedule: Schedule,
    pub cost: Cost,
    /// What candidates are compared by.
    rank: f64,
    /// What the runtime predicts times from, for other sizes.
    pub speed: Speed,
    origin: Origin,
}

/// What a candidate was made from, and its neighbours are made from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    Sketch(Sketch),
    /// Numbers for one of the maps that are complete but for them.
    Numbers(usize, Numbers),
}

impl Origin {
    fn is_staged(&self) -> bool {
        matches!(self, Origin::Sketch(sketch) if !sketch.staged.is_empty())
    }
}

impl Candidate {
    /// The predicted time, in seconds.
    pub fn seconds(&self) -> f64 {
        self.cost.time.total
    }

    /// What candidates are compared by: the predicted time, with what the cost model does not know.
    pub fn rank(&self) -> f64 {
        self.rank
    }
}

impl Candidate {
    /// Whether the same loop runs across its lanes, in the same way, and nothing leaves a block.
    pub fn has_lanes_of(&self, other: &Candidate) -> bool {
        if !self.schedule.faces.is_empty() || !other.schedule.faces.is_empty() {
            return false;
        }
        match (&self.origin, &other.origin) {
            (Origin::Sketch(a), Origin::Sketch(b)) => {
                let lanes = |sketch: &Sketch| sketch.lanes().map(|(l, lanes)| (l, lanes.blocks));
                lanes(a) == lanes(b)
            }
            _ => true,
        }
    }
}

/// What candidates are compared by: the predicted time, with what the cost model does not know.
fn rank(schedule: &Schedule, registers: &Registers, seconds: f64, origin: &Origin) -> f64 {
    let crowded = (registers.expected / registers.most as f64 - 1.0).max(0.0);
    // One point per lane shares no load with a neighbour.
    let lanes = match origin {
        Origin::Sketch(sketch) => sketch.lanes(),
        Origin::Numbers(..) => None,
    };
    let narrow = if lanes.is_some_and(|(_, lanes)| lanes.blocks && lanes.fold == 1 && lanes.strip == 1) {
        NARROW_COST
    } else {
        0.0
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
    /// What an open map leaves to be chosen; `None`: everything.
    ways: Option<Ways>,
    /// Whether the kernel has no map, and maps compute directly what variables only pass on.
    is_direct: bool,
    /// The number of the map among the kernel's maps.
    position: usize,
    taken: SortedSet<String>,
    seen: Vec<Origin>,
    /// Candidates that were not the best.
    others: Vec<Candidate>,
    /// Candidates that were proved, compiled and costed.
    pub tried: usize,
    /// Candidates that a law or the compiler refused.
    pub refused: usize,
    /// Operations of all programs so far: what the search costs.
    pub work: Int,
    /// The most of them.
    most: Int,
}

impl<'k> Search<'k> {
    /// A search for the map of a kernel that has none.
    pub fn new(tree: &'k tree::Kernel, lawful: &'k Lawful, gpu: &'k Gpu) -> Search<'k> {
        let kernel = lawful.kernel();
        let is_direct = kernel.direct().is_some();
        let direct = || Ways::Sketches(Box::new(Given::new(tree, kernel, &automatic(kernel, &[], true))));
        Search {
            tree,
            kernel,
            gpu,
            facts: Facts::new(kernel),
            ways: is_direct.then(direct),
            is_direct,
            position: tree.maps.len(),
            taken: model::taken_names(tree),
            seen: Vec::new(),
            others: Vec::new(),
            tried: 0,
            refused: 0,
            work: 0,
            most: WORK,
        }
    }

    /// A search for the map of a member of a series, at the sizes of the whole kernel and with this share of the work.
    pub fn of_member(tree: &'k tree::Kernel, lawful: &'k Lawful, gpu: &'k Gpu, sizes: &[Int], most: Int) -> Search<'k> {
        let mut search = Search::new(tree, lawful, gpu);
        search.facts.sizes = sizes.to_vec();
        search.most = most;
        search
    }

    /// A search for the best way to complete an open map.
    pub fn within(tree: &'k tree::Kernel, lawful: &'k Lawful, gpu: &'k Gpu, position: usize) -> Search<'k> {
        let mut search = Search::new(tree, lawful, gpu);
        if let Some(map) = tree.maps.get(position) {
            search.position = position;
            search.is_direct = false;
            search.ways = Some(Ways::of(tree, lawful.kernel(), map));
        }
        search
    }

    /// The sizes at which candidates are compared.
    pub fn sizes(&self) -> &[Int] {
        &self.facts.sizes
    }

    /// The best candidates, best first; none if no structure is lawful.
    pub fn run(&mut self) -> Vec<Candidate> {
        self.at_least(0)
    }

    /// The same, with the next best ones up to this number of candidates.
    pub fn at_least(&mut self, count: usize) -> Vec<Candidate> {
        let mut first = self.first(self.origins());
        if first.is_empty() {
            first = self.first_of_stages();
        }
        sort(&mut first);
        self.others.extend(first.drain(IMPROVED.min(first.len())..));
        let mut best: Vec<Candidate> = Vec::new();
        let structures = first.len();
        for (k, candidate) in first.into_iter().enumerate() {
            // The best takes half of what is left, or all of it.
            let share = (self.most - self.work).max(0) / (structures - k) as Int;
            self.improved(candidate, self.work + share, &mut best);
        }
        sort(&mut best);
        // Those that were never the best may be, for other sizes.
        sort(&mut self.others);
        self.others.splice(0..0, best.drain((1 + ALTERNATIVES).min(best.len())..));
        let more = count.saturating_sub(best.len()).min(self.others.len());
        best.extend(self.others.drain(..more));
        best
    }

    /// Candidates for stages that read each other, where no structure serves: with bands that compute again what they need, and
    /// with shifts, if the kernel has no map that could say them.
    fn first_of_stages(&mut self) -> Vec<Candidate> {
        let sketches = |kernel: &Kernel| recomputed(&Facts::new(kernel)).into_iter().map(Origin::Sketch).collect();
        let first = match &self.ways {
            None => self.first(sketches(self.kernel)),
            Some(Ways::Sketches(given)) => self.first(sketches(given.kernel(self.kernel))),
            Some(Ways::Numbers(_)) => Vec::new(),
        };
        if !first.is_empty() || (self.ways.is_some() && !self.is_direct) {
            return first;
        }
        let direct = if self.is_direct { self.kernel.direct() } else { None };
        for (shifts, shifted) in choices_of_shifts(direct.as_ref().unwrap_or(self.kernel)) {
            let map = automatic(self.kernel, &shifts, self.is_direct);
            self.ways = Some(Ways::Sketches(Box::new(Given::new(self.tree, self.kernel, &map))));
            // The same sketches mean other maps.
            self.seen.clear();
            let mut origins: Vec<Origin> = structures(&Facts::new(&shifted)).into_iter().map(Origin::Sketch).collect();
            origins.extend(sketches(&shifted));
            let first = self.first(origins);
            if !first.is_empty() {
                return first;
            }
        }
        self.ways = None;
        self.seen.clear();
        match std::mem::take(&mut self.is_direct) {
            true => self.first(self.origins()),
            false => Vec::new(),
        }
    }

    /// The candidates of these origins, as far as the work for first structures goes.
    fn first(&mut self, mut origins: Vec<Origin>) -> Vec<Candidate> {
        let mut first: Vec<Candidate> = Vec::new();
        // Long programs last: there may be no work left for them.
        origins.sort_by_key(|origin| (origin.is_staged(), self.estimate(origin)));
        for origin in origins {
            let after = self.work + self.estimate(&origin);
            let few = first.is_empty() || (first.len() < LEAST_STRUCTURES && after <= self.most);
            let share = if origin.is_staged() { WORK_ON_STAGED } else { WORK_ON_STRUCTURES };
            if few || after <= self.most * share / 100 {
                first.extend(self.candidate(origin));
            }
        }
        first
    }

    /// The variants of the best candidate, with all that were tried.
    pub fn variants(&mut self, best: Vec<Candidate>) -> (Vec<Candidate>, Vec<Candidate>) {
        let count = best.len();
        let mut all: Vec<Candidate> = best;
        all.append(&mut self.others);
        let chosen = variants::variants(self.gpu, &all, &self.facts.sizes);
        let (mut best, mut variants) = (Vec::new(), Vec::new());
        for (k, candidate) in all.into_iter().enumerate() {
            if chosen.contains(&k) {
                variants.push(candidate);
            } else if k < count {
                best.push(candidate);
            }
        }
        (complete(self.kernel, best), complete(self.kernel, variants))
    }

    /// What candidates are first made from.
    fn origins(&self) -> Vec<Origin> {
        match &self.ways {
            None => structures(&self.facts).into_iter().map(Origin::Sketch).collect(),
            Some(Ways::Sketches(given)) => {
                let facts = Facts::new(given.kernel(self.kernel));
                structures(&facts).into_iter().map(Origin::Sketch).collect()
            }
            // The first numbers that are lawful: the others are their neighbours.
            Some(Ways::Numbers(all)) => {
                let lawful = |numbers: &NumbersOf| {
                    let is_lawful =
                        |choice: &Numbers| proved(self.tree, self.kernel, &numbers.map(choice), self.position).is_ok();
                    numbers.choices().take(FILLINGS / all.len().max(1)).find(is_lawful)
                };
                let found = all.iter().enumerate().filter_map(|(k, numbers)| Some((k, lawful(numbers)?)));
                found.map(|(k, choice)| Origin::Numbers(k, choice)).collect()
            }
        }
    }

    /// What differs in one number.
    fn neighbours(&self, origin: &Origin) -> Vec<Origin> {
        match (origin, &self.ways) {
            (Origin::Sketch(sketch), _) => neighbours(&self.facts, sketch).into_iter().map(Origin::Sketch).collect(),
            (Origin::Numbers(k, choice), Some(Ways::Numbers(all))) => {
                all[*k].neighbours(choice).into_iter().map(|choice| Origin::Numbers(*k, choice)).collect()
            }
            (Origin::Numbers(..), _) => Vec::new(),
        }
    }

    /// The operations of a candidate's program, roughly.
    fn estimate(&self, origin: &Origin) -> Int {
        match origin {
            Origin::Sketch(sketch) => self.facts.operations * sketch.copies(&self.facts.lengths),
            Origin::Numbers(..) => self.facts.operations * COPIES_GUESS,
        }
    }

    /// Improves a candidate number by number, until nothing is better or the work is done. Adds all that were the best for a time:
    /// they differ in more than a detail.
    fn improved(&mut self, first: Candidate, end: Int, all: &mut Vec<Candidate>) {
        let mut best = first;
        loop {
            let before = best.rank;
            for origin in self.neighbours(&best.origin) {
                if self.work + self.estimate(&origin) > end {
                    continue;
                }
                match self.candidate(origin) {
                    Some(other) if other.rank < best.rank => all.push(std::mem::replace(&mut best, other)),
                    Some(other) => self.others.push(other),
                    None => {}
                }
            }
            if best.rank >= before {
                all.push(best);
                return;
            }
        }
    }

    /// Proves, compiles and costs a candidate; `None` if it was tried before, or if a law or the compiler refuses it.
    fn candidate(&mut self, origin: Origin) -> Option<Candidate> {
        if self.seen.contains(&origin) {
            return None;
        }
        self.seen.push(origin.clone());
        // What a law refuses costs, too.
        let expected = self.estimate(&origin).max(LEAST_WORK);
        let found = self.build(origin);
        let work = found.as_ref().map_or(0, |candidate| written(&candidate.schedule) / WRITTEN_PER_OPERATION);
        self.work += work.max(expected);
        match found.is_some() {
            true => self.tried += 1,
            false => self.refused += 1,
        }
        found
    }

    fn build(&self, origin: Origin) -> Option<Candidate> {
        let map = match (&origin, &self.ways) {
            (Origin::Sketch(sketch), Some(Ways::Sketches(given))) => given.map(self.kernel, sketch)?,
            (Origin::Sketch(sketch), _) => {
                sketch.map(self.kernel, &self.taken, &TileNames::new(), self.kernel.name.at)?
            }
            (Origin::Numbers(k, choice), Some(Ways::Numbers(all))) => all[*k].map(choice),
            (Origin::Numbers(..), _) => return None,
        };
        let lawful = proved(self.tree, self.kernel, &map, self.position).ok()?;
        let schedule = compile_draft(self.kernel, &lawful).ok()?;
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
        let rank = rank(&schedule, &registers, cost.time.total, &origin);
        let speed = variants::speed(&schedule, &cost, rank, &self.facts.sizes);
        Some(Candidate { map, lawful, schedule, cost, rank, speed, origin })
    }
}

/// An automatic map that says nothing but these shifts, and whether it is `direct`.
fn automatic(kernel: &Kernel, shifts: &[Shift], is_direct: bool) -> tree::Map {
    let at = kernel.name.at;
    let shift = |shift: &Shift| {
        let of = match shift.of {
            Shifted::Variable(n) => kernel.equations[n].variable.clone(),
            Shifted::Output(n) => kernel.outputs[n].name.clone(),
        };
        tree::ClauseKind::Shift { of, by: shift.by.iter().map(|by| tree::Expr::number(at, *by)).collect() }
    };
    let kinds = shifts.iter().map(shift).chain(is_direct.then_some(tree::ClauseKind::Direct));
    let clauses = kinds.map(|kind| tree::Clause { kind, at }).collect();
    tree::Map { auto: true, name: None, on: None, conditions: Vec::new(), clauses, at }
}

/// Compiles candidates as they will run. They were compared by drafts.
pub fn complete(kernel: &Kernel, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let complete = |candidate: Candidate| {
        let schedule = compile(kernel, &candidate.lawful, Target::Gpu).ok()?;
        Some(Candidate { schedule, ..candidate })
    };
    candidates.into_iter().filter_map(complete).collect()
}

/// The instructions of all steps of a schedule, and the comparisons of their conditions.
fn written(schedule: &Schedule) -> Int {
    let mut all: Int = 0;
    for step in schedule.steps() {
        all += (step.lines.len() + step.stores.len()) as Int;
        let of_lines =
            step.lines.iter().flat_map(|line| line.inst.operation.condition().into_iter().chain([&line.inst.needed]));
        of_lines.chain(step.stores.iter().map(|store| &store.condition)).for_each(|c| c.each(&mut |_| all += 1));
    }
    all
}

fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| a.rank.total_cmp(&b.rank));
}
