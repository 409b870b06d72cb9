//! Selects whose condition is settled become the side they take, values that are then equal become one, and what nothing
//! needs goes.
use super::super::{Condition, Operation, Program, ValueId};
use crate::model::Type;
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
        let name = match settled(&made.operation) {
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

/// The side that a select takes everywhere.
pub fn settled(operation: &Operation) -> Option<ValueId> {
    match operation {
        Operation::Select(Condition::True, a, _) => Some(*a),
        Operation::Select(Condition::False, _, b) => Some(*b),
        Operation::Select(_, a, b) if a == b => Some(*a),
        _ => None,
    }
}

/// Only what stores, registers, rings and rows need, numbered anew.
fn compact(program: &mut Program) {
    let mut needed = vec![false; program.values.len()];
    program.each_use(&mut |id| needed[id.0] = true);
    for k in (0..program.values.len()).rev().collect::<Vec<_>>() {
        if needed[k] {
            program.values[k].operation.operands().iter().for_each(|id| needed[id.0] = true);
        }
    }
    let mut names = Vec::new();
    let mut kept = Vec::new();
    for (k, mut made) in std::mem::take(&mut program.values).into_iter().enumerate() {
        names.push(ValueId(kept.len()));
        if needed[k] {
            made.operation.each_operand(&mut |id| *id = names[id.0]);
            kept.push(made);
        }
    }
    program.values = kept;
    program.each_use(&mut |id| *id = names[id.0]);
}
