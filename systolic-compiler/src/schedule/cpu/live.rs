//! How much a lane keeps live, and whether lanes communicate: these decide how wide groups of lanes may be.
use crate::program::{Operation, Program, ValueId};
use crate::schedule::{Schedule, Step};
use crate::sorted::SortedSet;

/// Whether no lane reads another.
pub fn apart(program: &Program) -> bool {
    let across = |op: &Operation| match op {
        Operation::Shuffle { .. } | Operation::Rotate { .. } | Operation::Ring { .. } => true,
        Operation::Row { lanes, .. } => *lanes != 0,
        _ => false,
    };
    program.count(across) == 0 && program.warp_count() == 1
}

/// The bytes of all values and registers of a block, for 32 lanes each.
pub fn frame(program: &Schedule) -> usize {
    let innermost = program.frame.loops.len();
    let before = program.values.iter().filter(|m| m.level < innermost);
    let lines = program.steps().flat_map(|step| &step.lines).map(|l| &l.inst);
    let held = program.registers.iter().map(|r| (&program.values[r.value.0], usize::try_from(r.delay).unwrap_or(0)));
    let values = before.chain(lines).map(|inst| (inst, 1)).chain(held);
    let warps = usize::try_from(program.warp_count()).unwrap_or(1);
    values.map(|(inst, count)| 32 * warps * count * inst.ty.bytes()).sum()
}

/// The number of live 4-byte words per lane: all registers, and the most that is live in a step besides.
pub fn live(program: &Schedule) -> usize {
    let registers = program.registers.iter().map(|r| words(program, r.value) * usize::try_from(r.delay).unwrap_or(0));
    let waiting = program.steps().map(|step| waiting(program, step)).max().unwrap_or(0);
    registers.sum::<usize>() + waiting
}

/// The most words that are live at once in a step, without those that go into registers.
fn waiting(program: &Schedule, step: &Step) -> usize {
    let given: SortedSet<ValueId> = step.registers.iter().copied().collect();
    let own = |id: &ValueId| !given.contains(id) && !program.values[id.0].operation.is_free();
    let mut alive: SortedSet<ValueId> = step.stores.iter().map(|s| s.value).filter(own).collect();
    let mut most = 0;
    let mut now: usize = alive.iter().map(|id| words(program, *id)).sum();
    for line in step.lines.iter().rev() {
        most = most.max(now);
        if alive.remove(&line.id) {
            now -= words(program, line.id);
        }
        for operand in line.inst.operation.operands().into_iter().filter(own) {
            if alive.insert(operand) {
                now += words(program, operand);
            }
        }
    }
    most.max(now)
}

fn words(program: &Schedule, id: ValueId) -> usize {
    program.values[id.0].ty.words()
}
