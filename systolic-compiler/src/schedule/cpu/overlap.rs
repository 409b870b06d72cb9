//! Overlap: a row whose last vector is partial ends with a whole one, which begins inside the vector before it.
//!
//! ```text
//! before                                                 after
//!
//! lanes 0 to 31: columns 0 to 31                         lanes 0 to 31: columns 0 to 31
//! lanes 0 to 7: columns 32 to 39, by masks               lanes 0 to 31: columns 8 to 39
//! ```
//!
//! Columns 8 to 31 are computed and stored twice, with the same bits: the values depend on nothing but inputs and the column.
use super::live::apart;
use super::windows::Window;
use crate::mapping::{Atom, PlaceForm};
use crate::model::Array;
use crate::program::{Condition, Operation, Store};
use crate::schedule::{Schedule, Step};
use crate::target::gpu;

/// How many lanes have a point from a time of the innermost loop on, less one, if the last step of a row may overlap the one
/// before it. `others` is the step with all its conditions, `stores` are its stores along spans, `loads` the spans of inputs.
pub fn overlap(program: &Schedule, others: &Step, loads: &[Window], stores: usize) -> Option<PlaceForm> {
    let innermost = program.frame.loops.len().checked_sub(1)?;
    let moves = |f: &PlaceForm| f.mentions(&|a| matches!(a, Atom::Lane(_)) || *a == Atom::Time(innermost));
    let moves_any = |c: &Condition| {
        let mut found = false;
        c.each_form(&mut |f| found |= moves(f));
        found
    };
    // Lanes and steps that follow each other are the same columns.
    let aligned = |f: &PlaceForm| {
        let (lane, time) = (f.coefficient(&Atom::Lane(0)), f.coefficient(&Atom::Time(innermost)));
        f.is_plain() && time == gpu::LANES * lane
    };
    let whole = program.frame.lanes == [gpu::LANES] && apart(program) && stores == others.stores.len();
    if !whole || others.stores.iter().any(|store| !store.index.iter().all(aligned)) {
        return None;
    }
    for line in &others.lines {
        let stays = match &line.inst.operation {
            Operation::Load { array: Array::Parameter(k), index } if index.iter().any(moves) => {
                let serves = |w: &Window| w.parameter == *k && index.last().is_some_and(|last| w.serves.contains(last));
                index.iter().all(aligned) && loads.iter().any(serves)
            }
            Operation::Load { index, .. } => !index.iter().any(moves),
            Operation::Select(condition, ..) | Operation::Holds(condition) => !moves_any(condition),
            Operation::Index(form) => !moves(form),
            _ => true,
        };
        if !stays || moves_any(&line.guard) {
            return None;
        }
    }
    let last = last_lane(&others.stores, &moves_any)?;
    let inside = |w: &Window| {
        let operand = &program.parameters[w.parameter];
        let room = w.index.last().zip(operand.dims.last()).map(|(first, length)| length.sub(first).plus(-1 - w.reach));
        operand.border.is_none() || room.is_some_and(|room| room.sub(&last).number().is_some_and(|more| more >= 0))
    };
    let falls = last.coefficient(&Atom::Lane(0)) == -1;
    (falls && aligned(&last) && loads.iter().all(inside)).then_some(last)
}

/// The form that is at least 0 in the lanes that store, if it is the only one that differs between lanes or steps.
fn last_lane(stores: &[Store], moves: &impl Fn(&Condition) -> bool) -> Option<PlaceForm> {
    let mut last = None;
    for store in stores {
        let parts = match &store.condition {
            Condition::All(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut moving = parts.iter().filter(|part| moves(part));
        let (Some(Condition::AtLeast(form)), None) = (moving.next(), moving.next()) else { return None };
        if last.get_or_insert(form) != &form {
            return None;
        }
    }
    last.cloned()
}
