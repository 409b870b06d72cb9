//! The time of one step on a rank: kernels by the compiler's cost model for an H200, halos by the distances that the compiler
//! derives, messages by the network.
//!
//! It is a model of ranks that keep their parts on the GPU. A step is
//!
//! agreement + max(interior, exchange) + what is around the interior.
use crate::network::Network;
use std::cell::RefCell;
use std::collections::BTreeMap;
use systolic_compiler::compile::compile;
use systolic_compiler::cost::cost;
use systolic_compiler::laws::Lawful;
use systolic_compiler::laws::split::{Split, split};
use systolic_compiler::mapping::{Target, default_map};
use systolic_compiler::model::{Int, Type};
use systolic_compiler::schedule::Schedule;
use systolic_compiler::target::gpu::H200;

/// What a launch costs, in seconds, before its first block runs.
const LAUNCH: f64 = 4e-6;

pub struct Model {
    lawful: Lawful,
    schedule: Schedule,
    splits: Vec<Split>,
    element: f64,
    /// The times that were asked for already.
    known: RefCell<BTreeMap<[usize; 3], f64>>,
}

/// The times of a step, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub part: [usize; 3],
    pub interior: f64,
    pub exchange: f64,
    pub around: f64,
    pub agreement: f64,
}

impl Step {
    pub fn total(&self) -> f64 {
        self.agreement + self.interior.max(self.exchange) + self.around
    }
}

impl Model {
    /// The model of a kernel in three dimensions with one input and one output.
    pub fn new(text: &str) -> Result<Model, String> {
        let tokens = text.parse().map_err(|_| "the kernel is not made of tokens")?;
        let (_, instances) = systolic_compiler::check(tokens).kernels.pop().ok_or("the kernel has faults")?;
        let lawful = instances.into_iter().next().ok_or("the kernel has no instance")?;
        let splits = (0..3).map(|axis| split(lawful.kernel(), axis)).collect::<Result<Vec<_>, _>>()?;
        let element = lawful.kernel().outputs.first().map_or(0, |output| Type::bytes(output.ty)) as f64;
        let schedule = compiled(&lawful).ok_or("no map of the kernel runs on a GPU")?;
        Ok(Model { lawful, schedule, splits, element, known: RefCell::default() })
    }

    /// A step of the rank that has most neighbours. `part` has the rows of every rank per axis.
    pub fn step(&self, ranks: [usize; 3], part: [usize; 3], network: &Network) -> Step {
        let (mut interior, mut bytes, mut messages, mut around) = (part, 0.0, 0.0, 0.0);
        for axis in 0..3 {
            let sides = ranks[axis].saturating_sub(1).min(2);
            let halo = self.halo(axis);
            let cross: f64 = (0..3).filter(|other| *other != axis).map(|other| part[other] as f64).product();
            for rows in halo.iter().take(sides) {
                bytes += *rows as f64 * cross * self.element;
                messages += 1.0;
                // A slab is run with its own halo on both sides.
                let mut slab = part;
                slab[axis] = rows + halo[0] + halo[1];
                around += LAUNCH + self.seconds(slab) * network.slower;
                interior[axis] = interior[axis].saturating_sub(*rows).max(1);
            }
        }
        let count: usize = ranks.iter().product();
        // Up a tree and down again.
        let agreement = 2.0 * (count as f64).log2().ceil() * network.latency;
        let exchange = messages * network.latency + bytes / network.bandwidth;
        Step { part, interior: LAUNCH + self.seconds(interior) * network.slower, exchange, around, agreement }
    }

    /// The rows of the halo on either side of an axis.
    pub fn halo(&self, axis: usize) -> [usize; 2] {
        let split = &self.splits[axis];
        // The last iteration of a part lies one before its end.
        [split.behind + split.before, split.ahead + split.after - 1].map(|rows| usize::try_from(rows).unwrap_or(0))
    }

    /// The time of one run of the kernel at these sizes.
    pub fn seconds(&self, sizes: [usize; 3]) -> f64 {
        let kernel = self.lawful.kernel();
        let mut all: Vec<Int> = vec![1; kernel.sizes.len()];
        for (split, size) in self.splits.iter().zip(sizes) {
            all[split.size] = size as Int;
        }
        let seconds = || cost(&H200, kernel, &self.schedule, &all, None).time.total;
        *self.known.borrow_mut().entry(sizes).or_insert_with(seconds)
    }
}

/// The program of the kernel's map, or of the first lawful one.
fn compiled(lawful: &Lawful) -> Option<Schedule> {
    let default = || default_map(lawful, Target::Gpu);
    let map = lawful.maps().first().cloned().or_else(default)?;
    compile(lawful.kernel(), &map, Target::Gpu).ok()
}
