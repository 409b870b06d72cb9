//! The registers that a program holds from step to step: those of its rotations, in words of 4 bytes a lane.
use super::{Operation, Program, Register, RegisterId, ValueId};
use crate::model::Int;

/// When in a step a value is made: behind so many barriers, then by number.
type Moment = (usize, usize);

impl Program {
    /// The words that these rotations take in a lane: a value a step of depth, and one more where the oldest is read after the
    /// new one is made. What is made and used within a step, or made before it, is not counted.
    pub fn registers_held(&self, wanted: impl Fn(&Register) -> bool) -> Int {
        let last_reads = self.last_reads();
        let words = |id: ValueId| self.values[id.0].ty.words() as Int;
        let held = |(k, r): (usize, &Register)| {
            let late = |old: usize| last_reads[old].is_none_or(|read| read > self.moment(r.value.0));
            words(r.value) * (r.depth + Int::from(self.oldest(RegisterId(k)).any(late)))
        };
        self.registers.iter().enumerate().filter(|(_, r)| wanted(r)).map(held).sum()
    }

    /// The values that are the oldest of a register.
    fn oldest(&self, register: RegisterId) -> impl Iterator<Item = usize> {
        let oldest = Operation::Carried { register, depth: self.registers[register.0].depth };
        self.values.iter().enumerate().filter(move |(_, m)| m.operation == oldest).map(|(k, _)| k)
    }

    fn moment(&self, k: usize) -> Moment {
        (self.values[k].phase, k)
    }

    /// For every value the moment of its last read; `None`: at the end of the step, by a store or what carries it on.
    fn last_reads(&self) -> Vec<Option<Moment>> {
        let mut reads: Vec<Option<Moment>> = (0..self.values.len()).map(|k| Some(self.moment(k))).collect();
        let stored = self.stores.iter().map(|s| s.value);
        let carried = self.registers.iter().map(|r| r.value);
        let shared = self.rings.iter().map(|r| r.value).chain(self.rows.iter().map(|r| r.value));
        for id in stored.chain(carried).chain(shared) {
            reads[id.0] = None;
        }
        for (k, made) in self.values.iter().enumerate().rev() {
            // A choice by place is part of the read, unless it is the value of a variable.
            let is_part = matches!(made.operation, Operation::Select(..)) && made.name.is_none();
            let read = if is_part { reads[k] } else { Some(self.moment(k)) };
            for operand in made.operation.operands() {
                reads[operand.0] = later(reads[operand.0], read);
            }
        }
        reads
    }
}

/// The later of two reads.
fn later(a: Option<Moment>, b: Option<Moment>) -> Option<Moment> {
    Some(a?.max(b?))
}
