//! Guards of loads: nothing is loaded from outside an array, and a border that is a number becomes a select.
//!
//! ```text
//! before, with t0 in 0..=size0 - 1                after, with `border zero`
//!
//! v0: f32 = load x[t0 - 1] if always              v0: f32 = load x[t0 - 1] if t0 - 1 >= 0
//! store out0[t0] = v0 if always                   v1: f32 = 0.0
//!                                                 v2: f32 = if t0 - 1 >= 0 then v0 else v1
//!                                                 store out0[t0] = v2 if always
//! ```
//!
//! An array without a border gets only the guard. A border that maps indices back inside (`clamp`, `wrap`, …) gets no guard;
//! the load notes per axis where its index lies inside, so that the border need not be applied there. On a CPU the pass does
//! nothing: the runtime knows the extents of the array and checks once per row of lanes.
use super::decide::decided;
use super::divide::divided;
use super::imply::without_implied;
use crate::mapping::{PlaceForm, Target};
use crate::model::{Array, Border, Int, Value};
use crate::planted::planted;
use crate::program::{Condition, Frame, Inst, Operation, Program, ValueId};

/// Guards all loads. Only for a GPU.
pub fn inside(program: &mut Program) {
    if program.target != Target::Gpu {
        return;
    }
    let old = std::mem::take(&mut program.values);
    let mut names: Vec<ValueId> = Vec::with_capacity(old.len());
    for mut inst in old {
        inst.operation.each_operand(&mut |id| *id = names[id.0]);
        let name = match &inst.operation {
            Operation::Load { array, index } if !index.is_empty() => {
                let (array, index) = (*array, index.clone());
                load(program, inst, array, &index)
            }
            _ => program.push(inst),
        };
        names.push(name);
    }
    program.each_use(&mut |id| *id = names[id.0]);
}

/// Appends a load with its guard, and returns the value that replaces it.
fn load(program: &mut Program, mut load: Inst, array: Array, index: &[PlaceForm]) -> ValueId {
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

/// 0 ≤ index < length on every axis, without the comparisons that the bounds of the program decide.
pub fn within(frame: &Frame, index: &[PlaceForm], dims: &[PlaceForm]) -> Condition {
    simpler(frame, Condition::all(index.iter().zip(dims).map(|(at, length)| along(at, length))))
}

/// 0 ≤ index < length on one axis.
fn along(at: &PlaceForm, length: &PlaceForm) -> Condition {
    let last = length.sub(at).plus(-1 + Int::from(planted(46)));
    Condition::all([Condition::AtLeast(at.clone()), Condition::AtLeast(last)])
}

/// A condition after `decide`, `divide` and `imply`.
fn simpler(frame: &Frame, condition: Condition) -> Condition {
    without_implied(frame, &divided(&decided(frame, &condition)))
}
