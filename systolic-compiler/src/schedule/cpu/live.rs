//! How much a lane keeps live, and whether lanes communicate: these decide how wide groups of lanes may be.
use crate::model::Type;
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

/// What a lane keeps live: all registers, and the most that is live in a step besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// 4-byte words, at least one per value.
    pub words: usize,
    /// How many of these are values of at most 16 bits.
    pub narrow: usize,
}

impl Live {
    fn add(&mut self, ty: Type, count: usize) {
        self.words += ty.words() * count;
        self.narrow += usize::from(is_narrow(ty)) * count;
    }

    fn remove(&mut self, ty: Type) {
        self.words -= ty.words();
        self.narrow -= usize::from(is_narrow(ty));
    }

    /// How many registers of 512 bits hold 32 lanes.
    fn registers(self) -> usize {
        2 * self.words - self.narrow
    }

    fn most(self, other: Live) -> Live {
        if other.registers() > self.registers() { other } else { self }
    }
}

/// Whether a register of 512 bits holds 32 lanes.
fn is_narrow(ty: Type) -> bool {
    ty.is_integer() && ty.bytes() <= 2
}

/// What a lane of a program keeps live.
pub fn live(program: &Schedule) -> Live {
    let mut live = program.steps().map(|step| waiting(program, step)).fold(Live::default(), Live::most);
    for register in &program.registers {
        live.add(program.values[register.value.0].ty, usize::try_from(register.delay).unwrap_or(0));
    }
    live
}

/// The most that is live at once in a step, without what goes into registers.
fn waiting(program: &Schedule, step: &Step) -> Live {
    let given: SortedSet<ValueId> = step.registers.iter().copied().collect();
    let own = |id: &ValueId| !given.contains(id) && !program.values[id.0].operation.is_free();
    let ty = |id: ValueId| program.values[id.0].ty;
    let mut alive: SortedSet<ValueId> = step.stores.iter().map(|s| s.value).filter(own).collect();
    let (mut now, mut most) = (Live::default(), Live::default());
    for id in alive.iter() {
        now.add(ty(*id), 1);
    }
    for line in step.lines.iter().rev() {
        most = most.most(now);
        if alive.remove(&line.id) {
            now.remove(ty(line.id));
        }
        for operand in line.inst.operation.operands().into_iter().filter(own) {
            if alive.insert(operand) {
                now.add(ty(operand), 1);
            }
        }
    }
    most.most(now)
}
