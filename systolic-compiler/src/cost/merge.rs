//! Lines that cost nothing of their own, because ptxas makes one instruction of several:
//!
//! ```text
//! max(max(a, b), c)      one instruction of three operands
//! max(a + b, c)          one instruction
//! max(…, 0)              part of the instruction before
//! a + (c ? x : y)        no select: two additions, one of them under a condition
//! ```
//!
//! So it is on sm_90 and later. Machines before that have no such instructions; there the model is too kind to all maps of such a
//! kernel alike.
use crate::model::{BinaryOp, Type};
use crate::program::{Operation, ValueId};
use crate::schedule::{Line, Schedule, Step};
use crate::sorted::{SortedMap, SortedSet};

/// The values of a step whose lines are part of another instruction.
pub fn merged(program: &Schedule, step: &Step) -> SortedSet<ValueId> {
    let lines: SortedMap<ValueId, &Line> = step.lines.iter().map(|line| (line.id, line)).collect();
    let mut uses: SortedMap<ValueId, usize> = SortedMap::new();
    let read = step.lines.iter().flat_map(|line| line.inst.operation.operands());
    step.uses().chain(read).for_each(|id| *uses.or_default(id) += 1);
    let mut merged = SortedSet::new();
    // Extremes that have three operands already.
    let mut full = SortedSet::new();
    for line in &step.lines {
        let Operation::Binary(op, a, b) = line.inst.operation else { continue };
        // Halves of registers are merged in the same way, but for the addition of a chosen value.
        let of_halves = program.differs(line.id);
        if !of_halves && !matches!(line.inst.ty, Type::I32 | Type::U32) {
            continue;
        }
        let once = |id: &ValueId| lines.get(id).filter(|_| uses.get(id) == Some(&1)).map(|line| &line.inst.operation);
        let is_sum = |id: &ValueId| matches!(once(id), Some(Operation::Binary(BinaryOp::Add | BinaryOp::Sub, ..)));
        let is_chosen = |id: &ValueId| matches!(once(id), Some(Operation::Choose(..)));
        let is_extreme =
            |id: &ValueId| matches!(once(id), Some(Operation::Binary(inner, ..)) if *inner == op) && !full.contains(id);
        match op {
            BinaryOp::Min | BinaryOp::Max => {
                let part = [a, b].into_iter().find(is_extreme).or_else(|| [a, b].into_iter().find(is_sum));
                if let Some(part) = part {
                    merged.insert(part);
                    full.insert(line.id);
                }
            }
            BinaryOp::Add if !of_halves => merged.extend([a, b].into_iter().find(is_chosen)),
            _ => {}
        }
    }
    merged
}
