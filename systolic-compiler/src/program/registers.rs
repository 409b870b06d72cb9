//! Counts the registers that a program holds from step to step, in words of 4 bytes per lane.
use super::{Operation, Program, Register, RegisterId, ValueId};
use crate::model::Int;

/// When in a step a value is computed: the barriers before it, then its number.
type Moment = (usize, usize);

impl Program {
    /// The words per lane that some registers take: one value per step of delay, and one more if the oldest value is still
    /// read after the new one is computed. Values that are used only in their own step, or computed before the loop, are not
    /// counted.
    pub fn registers_held(&self, is_chosen: impl Fn(&Register) -> bool) -> Int {
        let last_reads = self.last_reads();
        let words = |id: ValueId| self.values[id.0].ty.words() as Int;
        let held = |(k, r): (usize, &Register)| {
            let late = |old: usize| last_reads[old].is_none_or(|read| read > self.moment(r.value.0));
            words(r.value) * (r.delay + Int::from(self.oldest(RegisterId(k)).any(late)))
        };
        self.registers.iter().enumerate().filter(|(_, r)| is_chosen(r)).map(held).sum()
    }

    /// The instructions that read the oldest value of a register.
    fn oldest(&self, register: RegisterId) -> impl Iterator<Item = usize> {
        let oldest = Operation::Carried { register, delay: self.registers[register.0].delay };
        self.values.iter().enumerate().filter(move |(_, m)| m.operation == oldest).map(|(k, _)| k)
    }

    /// When in a step a value is computed.
    fn moment(&self, k: usize) -> Moment {
        (self.values[k].phase, k)
    }

    /// When every value is read last; `None` if at the end of the step, by a store, register, ring or row.
    fn last_reads(&self) -> Vec<Option<Moment>> {
        let mut reads: Vec<Option<Moment>> = (0..self.values.len()).map(|k| Some(self.moment(k))).collect();
        self.kept().for_each(|id| reads[id.0] = None);
        for (k, inst) in self.values.iter().enumerate().rev() {
            // A select by place counts as part of the read that uses it, unless it is the value of a variable.
            let is_part = matches!(inst.operation, Operation::Select(..)) && inst.name.is_none();
            let read = if is_part { reads[k] } else { Some(self.moment(k)) };
            for operand in inst.operation.operands() {
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
