//! The instruction order of a step: which (variable, register) must be computed before which others. It is collected
//! over all steps at once, because one instruction sequence serves them all.
use crate::placement::{Instance, Placement, Verdict, Wire};
use std::collections::{BTreeMap, BTreeSet};
use systolic_compiler::model::{Int, Reader};

/// A variable in a register of the fold.
pub type Cell = (usize, Int);

/// A wire inside a step that is an example of an edge.
#[derive(Clone)]
pub struct Example {
    pub read: usize,
    pub sink: Instance,
    pub source: Instance,
    /// Whether it goes to another lane.
    pub crosses: bool,
}

/// Edges from consumer to producer, each with an example, preferably one between different lanes.
#[derive(Default)]
pub struct Step {
    edges: BTreeMap<(Cell, Cell), Example>,
}

impl Step {
    /// Adds the wires of these instances.
    pub fn add(&mut self, placement: &Placement, instances: impl IntoIterator<Item = Instance>) {
        for sink in instances {
            for wire in placement.wires(&sink) {
                if matches!(placement.judge(&sink, &wire), Verdict::SameTime) {
                    self.note(placement, &sink, &wire);
                }
            }
        }
    }

    /// Adds a wire within a step. Reads of stores need no order.
    pub fn note(&mut self, placement: &Placement, sink: &Instance, wire: &Wire) {
        let read = &placement.world.reads[wire.read];
        let Reader::Equation(variable) = read.reader else { return };
        let ((lane, register), (other, from)) = (placement.lane(sink), placement.lane(&wire.source));
        let (edge, crosses) = (((variable, register), (read.variable, from)), lane != other);
        if self.edges.get(&edge).is_none_or(|known| crosses && !known.crosses) {
            let example = Example { read: wire.read, sink: sink.clone(), source: wire.source.clone(), crosses };
            self.edges.insert(edge, example);
        }
    }

    /// Whether `from` reads `to` within a step.
    pub fn has(&self, from: Cell, to: Cell) -> bool {
        self.edges.contains_key(&(from, to))
    }

    /// Whether `to` must be computed before `from`.
    fn waits(&self, from: Cell, to: Cell) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut stack = vec![from];
        while let Some(cell) = stack.pop() {
            if cell == to {
                return true;
            }
            for (_, next) in self.edges.keys().filter(|(f, _)| *f == cell) {
                if seen.insert(*next) {
                    stack.push(*next);
                }
            }
        }
        false
    }

    /// The edges on cycles. If there are any, no order exists.
    pub fn rings(&self) -> Vec<&Example> {
        self.edges.iter().filter(|((from, to), _)| self.waits(*to, *from)).map(|(_, example)| example).collect()
    }
}
