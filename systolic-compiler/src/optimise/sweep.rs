//! Selects with a decided condition, common-subexpression elimination and dead-code elimination.
//!
//! ```text
//! before                                     after
//!
//! v0: f32 = load x[t0] if t0 >= 0            v0: f32 = load x[t0] if (t0 >= 0 or t0 - 1 >= 0)
//! v1: f32 = load x[t0] if t0 - 1 >= 0        v1: f32 = add v0 v0
//! v2: f32 = if always then v1 else v0        store out0[t0] = v1 if always
//! v3: f32 = add v0 v2
//! v4: f32 = mul v3 v0
//! store out0[t0] = v3 if always
//! ```
//!
//! A merged load is needed wherever one of the two was. Values that no store needs, not even through a register, ring or row,
//! are removed, and so are stores that never happen. Registers, rings and rows are shortened to the largest delay that is
//! still read.
use crate::model::Type;
use crate::planted::planted;
use crate::program::{Condition, Operation, Program, ValueId};
use std::collections::HashMap;

/// Merges equal values and removes those that nothing needs.
pub fn sweep(program: &mut Program) {
    merge(program);
    compact(program);
}

/// Replaces selects with a decided condition by the operand they take, and equal values by the first of them.
fn merge(program: &mut Program) {
    let mut names: Vec<ValueId> = Vec::new();
    let mut first: HashMap<(Operation, Type), ValueId> = HashMap::new();
    for k in 0..program.values.len() {
        let inst = &mut program.values[k];
        inst.operation.each_operand(&mut |id| *id = names[id.0]);
        let name = match decided_operand(&inst.operation) {
            Some(id) => id,
            None => *first.entry((inst.operation.clone(), inst.ty)).or_insert(ValueId(k)),
        };
        if name != ValueId(k) {
            // The conditions under which a load is needed survive the merge.
            let needed = std::mem::replace(&mut program.values[k].needed, Condition::False);
            let wired = program.values[k].wired;
            let twin = &mut program.values[name.0];
            twin.wired |= wired;
            twin.needed = std::mem::replace(&mut twin.needed, Condition::False).or(needed);
        }
        names.push(name);
    }
    program.stores.retain(|s| s.condition != Condition::False);
    program.each_use(&mut |id| *id = names[id.0]);
}

/// The operand that a select takes everywhere, if its condition is decided.
pub fn decided_operand(operation: &Operation) -> Option<ValueId> {
    match operation {
        Operation::Select(Condition::True, a, b) => Some(if planted(36) { *b } else { *a }),
        Operation::Select(Condition::False, _, b) => Some(*b),
        Operation::Select(_, a, b) if a == b => Some(*a),
        _ => None,
    }
}

/// What the stores need, directly or through registers, rings and rows.
struct Needed {
    values: Vec<bool>,
    registers: Vec<bool>,
    rings: Vec<bool>,
    rows: Vec<bool>,
}

impl Needed {
    fn of(program: &Program) -> Needed {
        let mut needed = Needed {
            values: vec![false; program.values.len()],
            registers: vec![false; program.registers.len()],
            rings: vec![false; program.rings.len()],
            rows: vec![false; program.rows.len()],
        };
        let mut open: Vec<ValueId> = program.stores.iter().map(|s| s.value).collect();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut needed.values[id.0], true) {
                continue;
            }
            let operation = &program.values[id.0].operation;
            open.extend(operation.operands());
            match operation {
                Operation::Carried { register, .. } => {
                    needed.registers[register.0] = true;
                    open.push(program.registers[register.0].value);
                }
                Operation::Ring { ring, .. } => {
                    needed.rings[ring.0] = true;
                    open.push(program.rings[ring.0].value);
                }
                Operation::Row { row, .. } => {
                    needed.rows[row.0] = true;
                    open.push(program.rows[row.0].value);
                }
                _ => {}
            }
        }
        needed
    }
}

/// Keeps only what the stores need, renumbers it, and sets every delay to the largest one that is read.
fn compact(program: &mut Program) {
    let needed = Needed::of(program);
    let (values, registers) = (numbers(&needed.values), numbers(&needed.registers));
    let (rings, rows) = (numbers(&needed.rings), numbers(&needed.rows));
    retain(&mut program.values, &needed.values);
    retain(&mut program.registers, &needed.registers);
    retain(&mut program.rings, &needed.rings);
    retain(&mut program.rows, &needed.rows);
    program.registers.iter_mut().for_each(|r| r.delay = 0);
    program.rings.iter_mut().for_each(|r| r.delay = 0);
    program.rows.iter_mut().for_each(|r| r.laps = 0);
    let Program { values: insts, registers: held, rings: between, rows: kept, .. } = program;
    for inst in insts {
        inst.operation.each_operand(&mut |id| id.0 = values[id.0]);
        match &mut inst.operation {
            Operation::Carried { register, delay } => {
                register.0 = registers[register.0];
                held[register.0].delay = held[register.0].delay.max(*delay);
            }
            Operation::Ring { ring, delay, .. } => {
                ring.0 = rings[ring.0];
                between[ring.0].delay = between[ring.0].delay.max(*delay);
            }
            Operation::Row { row, laps, .. } => {
                row.0 = rows[row.0];
                kept[row.0].laps = kept[row.0].laps.max(*laps);
            }
            _ => {}
        }
    }
    program.each_use(&mut |id| id.0 = values[id.0]);
}

/// The new number of every element that is kept.
fn numbers(kept: &[bool]) -> Vec<usize> {
    let mut next = 0;
    let number = |kept: &bool| {
        next += usize::from(*kept);
        next - usize::from(*kept)
    };
    kept.iter().map(number).collect()
}

fn retain<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut k = kept.iter();
    list.retain(|_| *k.next().unwrap_or(&true));
}
