//! What lies outside an array is not loaded. Where a border says that a number stands there, the load becomes a choice
//! between the two; the other borders lead back inside.
use super::decide::decided;
use super::divide::divided;
use super::imply::without_implied;
use crate::mapping::{Index, Target};
use crate::model::{Array, Border, Int, Value};
use crate::planted::planted;
use crate::program::{Condition, Frame, Inst, Operation, Program, ValueId};

/// On a CPU the runtime knows the array, and asks once a row of lanes.
pub fn inside(program: &mut Program) {
    if program.target != Target::Gpu {
        return;
    }
    let old = std::mem::take(&mut program.values);
    let mut names: Vec<ValueId> = Vec::with_capacity(old.len());
    for mut made in old {
        made.operation.each_operand(&mut |id| *id = names[id.0]);
        let name = match &made.operation {
            Operation::Load { array, index } if !index.is_empty() => {
                let (array, index) = (*array, index.clone());
                load(program, made, array, &index)
            }
            _ => program.push(made),
        };
        names.push(name);
    }
    program.each_use(&mut |id| *id = names[id.0]);
}

fn load(program: &mut Program, mut load: Inst, array: Array, index: &[Index]) -> ValueId {
    let operand = program.operand(array);
    let (frame, dims) = (&program.frame, &operand.dims);
    if !program.guards(array) {
        load.inside = index.iter().zip(dims).map(|(at, length)| simpler(frame, along(at, length))).collect();
        return program.push(load);
    }
    let outside = match &operand.border {
        Some(Border::Zero) => Some(Operation::Literal(Value::zero(load.ty).bits())),
        Some(Border::Constant(value)) => Some(Operation::Literal(value.bits())),
        Some(Border::Scalar(k)) => Some(Operation::Load { array: Array::Parameter(*k), index: Vec::new() }),
        _ => None,
    };
    let within = within(frame, index, dims);
    load.needed = simpler(frame, load.needed.and(within.clone()));
    let Some(outside) = outside.filter(|_| within != Condition::True) else { return program.push(load) };
    let like = |operation: Operation| Inst { operation, needed: Condition::True, name: None, ..load.clone() };
    let (outside, name) = (like(outside), load.name.take());
    let (ty, wired) = (load.ty, load.wired);
    let (loaded, outside) = (program.push(load), program.push(outside));
    let choice = Operation::Select(within, loaded, outside);
    let needed = Condition::False;
    program.push(Inst { operation: choice, ty, needed, inside: Vec::new(), level: 0, phase: 0, wired, name })
}

/// 0 ≤ index < length, on every axis; as far as the places of the program leave it open.
pub fn within(frame: &Frame, index: &[Index], dims: &[Index]) -> Condition {
    simpler(frame, Condition::all(index.iter().zip(dims).map(|(at, length)| along(at, length))))
}

/// 0 ≤ index < length, on one axis.
fn along(at: &Index, length: &Index) -> Condition {
    let last = length.sub(at).plus(-1 + Int::from(planted(46)));
    Condition::all([Condition::AtLeast(at.clone()), Condition::AtLeast(last)])
}

fn simpler(frame: &Frame, condition: Condition) -> Condition {
    without_implied(frame, &divided(&decided(frame, &condition)))
}
