//! A value of a neighbour lane, or a load where there is no such lane: what the outermost lanes would load is loaded by
//! those at the other end, who have nobody to send to, and goes around with the rest. So lanes load side by side.
use super::sweep::sweep;
use crate::mapping::{Atom, Index, Target};
use crate::model::{Array, Int};
use crate::planted::planted;
use crate::program::{Condition, Inst, Operation, Program, ValueId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Where shuffles go around: lanes in one row.
pub fn halo(program: &mut Program) {
    if program.target != Target::Gpu || program.frame.lanes.len() != 1 {
        return;
    }
    let found: BTreeMap<ValueId, Rim> =
        (0..program.values.len()).filter_map(|k| Some((ValueId(k), rim(program, ValueId(k))?))).collect();
    if !found.is_empty() {
        rewrite(program, &found);
        // The shuffles that were, and their loads.
        sweep(program);
    }
}

/// A choice between what lane − `lanes` sends and a load of the same element.
struct Rim {
    /// What the lanes send.
    value: ValueId,
    lanes: Int,
    /// The load.
    load: ValueId,
    /// When it is there to be sent, by time.
    there: Condition,
}

fn rim(program: &Program, id: ValueId) -> Option<Rim> {
    let Operation::Select(condition, sent, load) = &program.values[id.0].operation else { return None };
    let Operation::Shuffle { value, lanes } = &program.values[sent.0].operation else { return None };
    let (array, wanted) = element(&program.values[load.0])?;
    let (source, steps) = match &program.values[value.0].operation {
        Operation::Carried { register, depth } => (program.registers[register.0].value, *depth),
        _ => (*value, 0),
    };
    let (from, held) = element(&program.values[source.0])?;
    let same = array == from && wanted.iter().zip(held).all(|(w, h)| *w == moved(program, h, -lanes, -steps));
    let there = without_lanes(condition, *lanes, program.lane_count())?;
    let near = lanes.abs() < program.lane_count();
    (same && near && program.in_memory(array)).then_some(Rim { value: *value, lanes: *lanes, load: *load, there })
}

fn element(made: &Inst) -> Option<(Array, &[Index])> {
    match &made.operation {
        Operation::Load { array, index } if index.iter().all(Index::is_plain) => Some((*array, index)),
        _ => None,
    }
}

/// A form so many lanes and steps on.
fn moved(program: &Program, form: &Index, lanes: Int, steps: Int) -> Index {
    let time = program.frame.loops.len().checked_sub(1).map_or(0, |t| form.coefficient(&Atom::Time(t)));
    form.plus(form.coefficient(&Atom::Lane(0)) * lanes + time * steps)
}

/// What is left of a condition without "the lane exists"; `None` where it is not one of them.
fn without_lanes(condition: &Condition, lanes: Int, count: Int) -> Option<Condition> {
    let exists = Condition::AtLeast(match lanes > 0 {
        true => Index::atom(Atom::Lane(0)).plus(-lanes),
        false => Index::atom(Atom::Lane(0)).scale(-1, 1).plus(count - 1 + lanes),
    });
    match condition {
        Condition::All(parts) if parts.contains(&exists) => {
            Some(Condition::all(parts.iter().filter(|p| **p != exists).cloned().collect::<Vec<_>>()))
        }
        one => (*one == exists).then_some(Condition::True),
    }
}

/// The lanes that send what lies beyond the other end.
fn senders(lanes: Int, count: Int) -> Condition {
    Condition::AtLeast(match lanes > 0 {
        true => Index::atom(Atom::Lane(0)).plus(lanes - count),
        false => Index::atom(Atom::Lane(0)).scale(-1, 1).plus(-lanes - 1),
    })
}

/// The element that a sender loads: what the lane at the other end asks for.
fn beyond(program: &Program, old: &[Inst], rim: &Rim) -> Option<(Array, Vec<Index>, bool)> {
    let around = (program.lane_count() - rim.lanes.abs()) * rim.lanes.signum() + Int::from(planted(49));
    let (array, index) = element(&old[rim.load.0])?;
    Some((array, index.iter().map(|f| moved(program, f, -around, 0)).collect(), rim.lanes > 0))
}

fn rewrite(program: &mut Program, found: &BTreeMap<ValueId, Rim>) {
    let count = program.lane_count();
    let old = std::mem::take(&mut program.values);
    // A load serves all who ask for its element; as many lanes load it as the farthest needs.
    let mut farthest: HashMap<(Array, Vec<Index>, bool), Int> = HashMap::new();
    for rim in found.values() {
        let Some(key) = beyond(program, &old, rim) else { continue };
        let far = farthest.entry(key).or_insert(rim.lanes);
        *far = if rim.lanes.abs() > far.abs() { rim.lanes } else { *far };
    }
    // What is sent is loaded by every lane.
    let shared: BTreeSet<ValueId> = found.values().map(|r| source(program, &old, r.value)).collect();
    let mut names: Vec<ValueId> = Vec::with_capacity(old.len());
    let mut loads: HashMap<(Array, Vec<Index>, bool), ValueId> = HashMap::new();
    for (k, made) in old.iter().enumerate() {
        let mut made = made.clone();
        made.operation.each_operand(&mut |id| *id = names[id.0]);
        if shared.contains(&ValueId(k)) {
            made.needed = Condition::True;
        }
        let rim = found.get(&ValueId(k)).and_then(|rim| Some((rim, beyond(program, &old, rim)?)));
        let Some((rim, key)) = rim else {
            names.push(program.push(made));
            continue;
        };
        let far = farthest.get(&key).copied().unwrap_or(rim.lanes);
        let load = &old[rim.load.0];
        let (array, index) = (key.0, key.1.clone());
        let loaded = *loads.entry(key).or_insert_with(|| {
            let operation = Operation::Load { array, index };
            program.push(Inst { operation, needed: senders(far, count), name: None, ..load.clone() })
        });
        let like = |operation: Operation| Inst { operation, needed: Condition::False, name: None, ..made.clone() };
        let sent = program.push(like(Operation::Select(senders(rim.lanes, count), loaded, names[rim.value.0])));
        let turned = program.push(like(Operation::Rotate { value: sent, lanes: rim.lanes }));
        names.push(match &rim.there {
            Condition::True => turned,
            there => {
                let needed = load.needed.clone().and(there.clone().negate());
                let load = program.push(Inst { needed, ..load.clone() });
                program.push(Inst { name: made.name.clone(), ..like(Operation::Select(there.clone(), turned, load)) })
            }
        });
    }
    program.each_use(&mut |id| *id = names[id.0]);
}

/// The load behind what is sent.
fn source(program: &Program, old: &[Inst], value: ValueId) -> ValueId {
    match &old[value.0].operation {
        Operation::Carried { register, .. } => program.registers[register.0].value,
        _ => value,
    }
}
