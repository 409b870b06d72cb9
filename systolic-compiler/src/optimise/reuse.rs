//! Several reads of one input are one copy seen at several offsets: what a lane has loaded serves later steps by
//! rotation and other lanes by shuffle, though no equation says so. Where no such value is there yet, it is loaded.
use super::near::{is_own, near};
use crate::mapping::{Atom, Bound, Index, Target};
use crate::model::{Array, Int, Type};
use crate::planted::planted;
use crate::program::{Condition, Inst, Operation, Program, Register, RegisterId, ValueId};
use crate::target::tuning;
use std::collections::{BTreeMap, HashMap};

/// Where loads are dear.
pub fn reuse(program: &mut Program) {
    if program.target != Target::Gpu {
        return;
    }
    let mut plans = plans(program);
    if start(program).is_none() {
        plans.retain(|_, plan| plan.depth == 0);
    }
    if !plans.is_empty() {
        rewrite(program, &plans);
    }
}

/// A load that others can take from: it reads (steps − `steps`, lane − `lanes`) of its family.
#[derive(Clone, Copy, Debug)]
struct Seen {
    id: ValueId,
    steps: Int,
    lanes: Int,
}

/// How a load is replaced: by what `from` loaded `depth` steps ago in the lane `lanes` below.
#[derive(Clone, Copy, Debug)]
struct Plan {
    from: ValueId,
    depth: Int,
    lanes: Int,
}

fn plans(program: &Program) -> BTreeMap<ValueId, Plan> {
    let mut plans = BTreeMap::new();
    let near = near(program);
    let mut words = program.carried_words();
    for family in families(program) {
        // The newest; of those the one that lanes hold side by side, else the one in the middle: rims are then short.
        let (count, sum) = (family.len() as Int, family.iter().map(|s| s.lanes).sum::<Int>());
        let off_middle = |s: &Seen| (s.lanes * count - sum).abs();
        let own = |s: &Seen| !is_own(&program.values[s.id.0]);
        let Some(base) = family.iter().min_by_key(|s| (s.steps, own(s), off_middle(s), s.id)).copied() else {
            continue;
        };
        let served = family.iter().filter(|s| s.id != base.id);
        let plan = |s: &Seen| {
            let lanes = (s.lanes - base.lanes) * if planted(41) { -1 } else { 1 };
            Plan { from: base.id, depth: s.steps - base.steps, lanes }
        };
        let is_loaded = |id: &ValueId, p: &Plan| p.depth == 0 && p.lanes != 0 && near.contains(id);
        let pays = |(id, p): &(ValueId, Plan)| p.depth <= tuning::REUSED_STEPS && !is_loaded(id, p);
        let made: Vec<(ValueId, Plan)> = served.map(|s| (s.id, plan(s))).filter(pays).collect();
        let deepest = made.iter().map(|(_, p)| p.depth).max().unwrap_or(0);
        let more = deepest * program.values[base.id.0].ty.words() as Int;
        if words + more <= tuning::REUSED_WORDS {
            words += more;
            plans.extend(made);
        }
    }
    plans
}

/// Loads of one input that differ by whole steps and lanes.
fn families(program: &Program) -> Vec<Vec<Seen>> {
    let mut families: Vec<Vec<Seen>> = Vec::new();
    let mut places: HashMap<(Array, Type, Vec<Index>), Vec<usize>> = HashMap::new();
    for (k, made) in program.values.iter().enumerate() {
        let Some((array, index)) = moving(program, made) else { continue };
        let linear = index.iter().map(|f| f.plus(-f.offset())).collect();
        let near = places.entry((array, made.ty, linear)).or_default();
        let joined = near.iter().find_map(|f| {
            let (steps, lanes) = apart(program, &program.values[families[*f][0].id.0], made)?;
            Some((*f, Seen { id: ValueId(k), steps, lanes }))
        });
        match joined {
            Some((family, seen)) => families[family].push(seen),
            None => {
                near.push(families.len());
                families.push(vec![Seen { id: ValueId(k), steps: 0, lanes: 0 }]);
            }
        }
    }
    families
}

/// The element of a load of an array in memory that the innermost loop moves.
fn moving<'p>(program: &Program, made: &'p Inst) -> Option<(Array, &'p [Index])> {
    let Operation::Load { array, index } = &made.operation else { return None };
    let innermost = innermost(program);
    let moves = innermost.is_none_or(|time| index.iter().any(|f| f.coefficient(&time) != 0));
    let free = program.in_memory(*array) && !made.wired;
    (free && moves && index.iter().all(Index::is_plain)).then_some((*array, index))
}

/// (d, k) where `b` reads what `a` reads d steps later and k lanes above: b(t, lane) = a(t − d, lane − k).
fn apart(program: &Program, a: &Inst, b: &Inst) -> Option<(Int, Int)> {
    let (Operation::Load { index: a, .. }, Operation::Load { index: b, .. }) = (&a.operation, &b.operation) else {
        return None;
    };
    let (time, lane) = (innermost(program), Atom::Lane(program.frame.lanes.len() - 1));
    let axis = |(a, b): (&Index, &Index)| {
        let along = time.as_ref().map_or(0, |t| a.coefficient(t));
        (b.offset() - a.offset(), along, a.coefficient(&lane))
    };
    // b − a = −d · time − k · lane on every axis.
    let axes: Vec<(Int, Int, Int)> = a.iter().zip(b).map(axis).collect();
    let across = axes.iter().find(|(_, _, lane)| *lane != 0).copied();
    let extent = program.frame.lanes.last().copied().unwrap_or(1);
    let steps = if time.is_some() { tuning::REUSED_STEPS } else { 0 };
    let mut found: Option<(Int, Int)> = None;
    for d in -steps..=steps {
        let k = across.map_or(0, |(apart, time, lane)| -(apart + d * time) / lane);
        let fits = k.abs() < extent && axes.iter().all(|(apart, time, lane)| *apart == -d * time - k * lane);
        if fits && found.is_none_or(|(e, l)| (k.abs(), d.abs()) < (l.abs(), e.abs())) {
            found = Some((d, k));
        }
    }
    found
}

fn rewrite(program: &mut Program, plans: &BTreeMap<ValueId, Plan>) {
    let low = start(program);
    let old = std::mem::take(&mut program.values);
    let mut names: Vec<ValueId> = vec![ValueId(0); old.len()];
    // What others take from is loaded first, wherever the array has it.
    let mut shared: BTreeMap<ValueId, Register> = BTreeMap::new();
    for plan in plans.values() {
        let register = shared.entry(plan.from).or_insert_with(|| {
            let load = Inst { needed: Condition::True, ..old[plan.from.0].clone() };
            names[plan.from.0] = program.push(load);
            Register { value: names[plan.from.0], depth: 0, reuse: true }
        });
        register.depth = register.depth.max(plan.depth);
    }
    let first = program.registers.len();
    let deep: Vec<ValueId> = shared.iter().filter(|(_, r)| r.depth > 0).map(|(id, _)| *id).collect();
    for (k, mut made) in old.into_iter().enumerate() {
        if shared.contains_key(&ValueId(k)) {
            continue;
        }
        made.operation.each_operand(&mut |id| *id = names[id.0]);
        names[k] = match plans.get(&ValueId(k)) {
            Some(plan) => {
                let number = deep.iter().position(|id| *id == plan.from).unwrap_or(deep.len());
                let register = RegisterId(first + number);
                served(program, made, *plan, (register, names[plan.from.0]), low.as_ref())
            }
            None => program.push(made),
        };
    }
    program.each_use(&mut |id| *id = names[id.0]);
    program.registers.extend(shared.into_values().filter(|r| r.depth > 0));
}

/// A load, served by what another has loaded.
fn served(
    program: &mut Program,
    load: Inst,
    plan: Plan,
    (register, loaded_now): (RegisterId, ValueId),
    low: Option<&Index>,
) -> ValueId {
    let mut there = Vec::new();
    let mut value = loaded_now;
    let like = |operation: Operation| Inst { operation, needed: Condition::False, name: None, ..load.clone() };
    if plan.depth > 0
        && let Some(low) = low
    {
        value = program.push(like(Operation::Carried { register, depth: plan.depth }));
        there.push(Condition::AtLeast(
            Index::atom(Atom::Time(program.frame.loops.len() - 1)).sub(low).plus(Int::from(planted(40)) - plan.depth),
        ));
    }
    if plan.lanes != 0 {
        let row = program.frame.lanes.len() - 1;
        let from = Index::atom(Atom::Lane(row)).plus(-plan.lanes);
        value = program.push(like(Operation::Shuffle { value, lanes: plan.lanes }));
        there.push(match plan.lanes > 0 {
            true => Condition::AtLeast(from),
            false => Condition::AtLeast(from.scale(-1, 1).plus(program.frame.lanes[row] - 1)),
        });
    }
    let there = Condition::all(there);
    let (name, needed) = (load.name.clone(), load.needed.clone().and(there.clone().negate()));
    let needed = if planted(42) { Condition::False } else { needed };
    let loaded = program.push(Inst { name: None, needed, ..load.clone() });
    program.push(Inst { name, ..like(Operation::Select(there, value, loaded)) })
}

fn innermost(program: &Program) -> Option<Atom> {
    program.frame.loops.len().checked_sub(1).map(Atom::Time)
}

/// The first iteration of the innermost loop, where that is a form.
fn start(program: &Program) -> Option<Index> {
    match &program.frame.loops.last()?.low {
        Bound::Form(form) => Some(form.clone()),
        _ => None,
    }
}
