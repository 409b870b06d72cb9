//! Selects whose condition is settled become the side they take, values that are then equal become one, and what nothing
//! needs goes.
use crate::model::Type;
use crate::planted::planted;
use crate::program::{Condition, Operation, Program, ValueId};
use std::collections::HashMap;

pub fn sweep(program: &mut Program) {
    merge(program);
    compact(program);
}

/// Every value under its first name.
fn merge(program: &mut Program) {
    let mut names: Vec<ValueId> = Vec::new();
    let mut first: HashMap<(Operation, Type), ValueId> = HashMap::new();
    for k in 0..program.values.len() {
        let made = &mut program.values[k];
        made.operation.each_operand(&mut |id| *id = names[id.0]);
        let name = match decided_operand(&made.operation) {
            Some(id) => id,
            None => *first.entry((made.operation.clone(), made.ty)).or_insert(ValueId(k)),
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

/// What stores need, over registers, rings and rows too.
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

/// Only what stores need, numbered anew, and as deep as it is read.
fn compact(program: &mut Program) {
    let needed = Needed::of(program);
    let (values, registers) = (numbers(&needed.values), numbers(&needed.registers));
    let (rings, rows) = (numbers(&needed.rings), numbers(&needed.rows));
    retain(&mut program.values, &needed.values);
    retain(&mut program.registers, &needed.registers);
    retain(&mut program.rings, &needed.rings);
    retain(&mut program.rows, &needed.rows);
    program.registers.iter_mut().for_each(|r| r.depth = 0);
    program.rings.iter_mut().for_each(|r| r.depth = 0);
    program.rows.iter_mut().for_each(|r| r.laps = 0);
    let Program { values: made, registers: held, rings: between, rows: kept, .. } = program;
    for made in made {
        made.operation.each_operand(&mut |id| id.0 = values[id.0]);
        match &mut made.operation {
            Operation::Carried { register, depth } => {
                register.0 = registers[register.0];
                held[register.0].depth = held[register.0].depth.max(*depth);
            }
            Operation::Ring { ring, depth, .. } => {
                ring.0 = rings[ring.0];
                between[ring.0].depth = between[ring.0].depth.max(*depth);
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

/// The new number of everything that is kept.
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
