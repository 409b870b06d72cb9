//! Halo exchange by rotation: lanes at one end of the warp load the elements beyond its other end and rotate them there.
//!
//! ```text
//! before, with 32 lanes                                after
//!
//! v0: f32 = load x[lane0] if always                    v0: f32 = load x[lane0] if always
//! v1: f32 = shuffle v0 by 1                            v1: f32 = load x[lane0 - 32] if lane0 - 31 >= 0
//! v2: f32 = load x[lane0 - 1] if not lane0 - 1 >= 0    v2: f32 = if lane0 - 31 >= 0 then v1 else v0
//! v3: f32 = if lane0 - 1 >= 0 then v1 else v2          v3: f32 = rotate v2 by 1
//! ```
//!
//! The last lane has no neighbour to send its own element to, so it sends what lane 0 needs. One such load serves shuffles
//! over all distances: for a distance of 2 the last two lanes load, at consecutive addresses. Only for a GPU, for lanes in
//! one row, and for a select between a shuffle and a load of the same element of an array in memory.
use super::sweep::sweep;
use crate::mapping::{Atom, PlaceForm, Target};
use crate::model::{Array, Int};
use crate::planted::planted;
use crate::program::{Condition, Inst, Operation, Program, ValueId};
use crate::sorted::{SortedMap, SortedSet};
use std::collections::HashMap;

/// Replaces every such select by a rotation.
pub fn halo(program: &mut Program) {
    if program.target != Target::Gpu || program.frame.lanes.len() != 1 {
        return;
    }
    let found: SortedMap<ValueId, Halo> =
        (0..program.values.len()).filter_map(|k| Some((ValueId(k), halo_read(program, ValueId(k))?))).collect();
    if !found.is_empty() {
        rewrite(program, &found);
        // Removes the old shuffles and their loads.
        sweep(program);
    }
}

/// A select between the value that lane − `lanes` sends and a load of the same element.
struct Halo {
    /// The value that the lanes send.
    value: ValueId,
    lanes: Int,
    /// The load.
    load: ValueId,
    /// The times at which the value exists. Before, the element is loaded.
    there: Condition,
}

fn halo_read(program: &Program, id: ValueId) -> Option<Halo> {
    let Operation::Select(condition, sent, load) = &program.values[id.0].operation else { return None };
    let Operation::Shuffle { value, lanes } = &program.values[sent.0].operation else { return None };
    let (array, loaded) = element(&program.values[load.0])?;
    let (source, steps) = match &program.values[value.0].operation {
        Operation::Carried { register, delay } => (program.registers[register.0].value, *delay),
        _ => (*value, 0),
    };
    let (from, held) = element(&program.values[source.0])?;
    let same = array == from && loaded.iter().zip(held).all(|(l, h)| *l == moved(program, h, -lanes, -steps));
    let there = without_lanes(condition, *lanes, program.lane_count())?;
    let near = lanes.abs() < program.lane_count();
    (same && near && program.in_memory(array)).then_some(Halo { value: *value, lanes: *lanes, load: *load, there })
}

/// The array and index of a load whose index is plain.
fn element(inst: &Inst) -> Option<(Array, &[PlaceForm])> {
    match &inst.operation {
        Operation::Load { array, index } if index.iter().all(PlaceForm::is_plain) => Some((*array, index)),
        _ => None,
    }
}

/// A form, this many lanes and steps further.
fn moved(program: &Program, form: &PlaceForm, lanes: Int, steps: Int) -> PlaceForm {
    let time = program.frame.loops.len().checked_sub(1).map_or(0, |t| form.coefficient(&Atom::Time(t)));
    form.plus(form.coefficient(&Atom::Lane(0)) * lanes + time * steps)
}

/// A condition without the part "lane − `lanes` exists"; `None` if it has no such part.
fn without_lanes(condition: &Condition, lanes: Int, count: Int) -> Option<Condition> {
    let exists = Condition::AtLeast(match lanes > 0 {
        true => PlaceForm::atom(Atom::Lane(0)).plus(-lanes),
        false => PlaceForm::atom(Atom::Lane(0)).scale(-1, 1).plus(count - 1 + lanes),
    });
    match condition {
        Condition::All(parts) if parts.contains(&exists) => {
            Some(Condition::all(parts.iter().filter(|p| **p != exists).cloned().collect::<Vec<_>>()))
        }
        one => (*one == exists).then_some(Condition::True),
    }
}

/// The lanes that load and send the elements beyond the other end.
fn senders(lanes: Int, count: Int) -> Condition {
    Condition::AtLeast(match lanes > 0 {
        true => PlaceForm::atom(Atom::Lane(0)).plus(lanes - count),
        false => PlaceForm::atom(Atom::Lane(0)).scale(-1, 1).plus(-lanes - 1),
    })
}

/// The element that a sender loads: the one that the lane at the other end needs. The flag is the direction of the shuffle.
fn beyond(program: &Program, old: &[Inst], halo: &Halo) -> Option<(Array, Vec<PlaceForm>, bool)> {
    let around = (program.lane_count() - halo.lanes.abs()) * halo.lanes.signum() + Int::from(planted(49));
    let (array, index) = element(&old[halo.load.0])?;
    Some((array, index.iter().map(|f| moved(program, f, -around, 0)).collect(), halo.lanes > 0))
}

fn rewrite(program: &mut Program, found: &SortedMap<ValueId, Halo>) {
    let count = program.lane_count();
    let old = std::mem::take(&mut program.values);
    // One load serves all consumers of its element. As many lanes execute it as the longest shuffle needs.
    let mut farthest: HashMap<(Array, Vec<PlaceForm>, bool), Int> = HashMap::new();
    for halo in found.values() {
        let Some(key) = beyond(program, &old, halo) else { continue };
        let far = farthest.entry(key).or_insert(halo.lanes);
        *far = if halo.lanes.abs() > far.abs() { halo.lanes } else { *far };
    }
    // An element that is sent is loaded by every lane.
    let shared: SortedSet<ValueId> = found.values().map(|r| source(program, &old, r.value)).collect();
    let mut names: Vec<ValueId> = Vec::with_capacity(old.len());
    let mut loads: HashMap<(Array, Vec<PlaceForm>, bool), ValueId> = HashMap::new();
    for (k, inst) in old.iter().enumerate() {
        let mut inst = inst.clone();
        inst.operation.each_operand(&mut |id| *id = names[id.0]);
        if shared.contains(&ValueId(k)) {
            inst.needed = Condition::True;
        }
        let halo = found.get(&ValueId(k)).and_then(|halo| Some((halo, beyond(program, &old, halo)?)));
        let Some((halo, key)) = halo else {
            names.push(program.push(inst));
            continue;
        };
        let far = farthest.get(&key).copied().unwrap_or(halo.lanes);
        let load = &old[halo.load.0];
        let (array, index) = (key.0, key.1.clone());
        let loaded = *loads.entry(key).or_insert_with(|| {
            let operation = Operation::Load { array, index };
            program.push(Inst { operation, needed: senders(far, count), name: None, ..load.clone() })
        });
        let like = |operation: Operation| Inst { operation, needed: Condition::False, name: None, ..inst.clone() };
        let sent = program.push(like(Operation::Select(senders(halo.lanes, count), loaded, names[halo.value.0])));
        let rotated = program.push(like(Operation::Rotate { value: sent, lanes: halo.lanes }));
        names.push(match &halo.there {
            Condition::True => rotated,
            there => {
                let needed = load.needed.clone().and(there.clone().negate());
                let load = program.push(Inst { needed, ..load.clone() });
                program.push(Inst { name: inst.name.clone(), ..like(Operation::Select(there.clone(), rotated, load)) })
            }
        });
    }
    program.each_use(&mut |id| *id = names[id.0]);
}

/// The load that produces a value that is sent, in this step or an earlier one.
fn source(program: &Program, old: &[Inst], value: ValueId) -> ValueId {
    match &old[value.0].operation {
        Operation::Carried { register, .. } => program.registers[register.0].value,
        _ => value,
    }
}
