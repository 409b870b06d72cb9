//! Reuse of loaded elements: a load that reads what an earlier step or another lane has loaded becomes a carried register or
//! a shuffle.
//!
//! ```text
//! before                                             after
//!
//! for t0 in 0..=size0 - 2                            for t0 in 0..=size0 - 2
//!     v0: f32 = load x[t0, lane0] if always              v0: f32 = load x[t0 + 1, lane0] if always
//!     v1: f32 = load x[t0 + 1, lane0] if always          v1: f32 = carried r0 from 1 steps ago
//!                                                        v2: f32 = load x[t0, lane0] if not t0 - 1 >= 0
//!                                                        v3: f32 = if t0 - 1 >= 0 then v1 else v2
//!                                                        carry r0 = v0 over 1
//! ```
//!
//! Where no earlier step or no such lane exists, the element is still loaded. Only for a GPU; on a CPU a load costs less than
//! a shuffle. Left alone are loads that a variable of the kernel carries from point to point already, loads that the
//! innermost loop does not move, those that would wait too many steps or take too many registers, and those that `near`
//! prefers to load again.
use super::near::{is_own, near};
use crate::mapping::{Atom, Bound, PlaceForm, Target};
use crate::model::{Array, Int, Type};
use crate::planted::planted;
use crate::program::{Condition, Inst, Operation, Program, Register, RegisterId, ValueId};
use crate::sorted::SortedMap;
use crate::target::tuning;
use std::collections::HashMap;

/// Replaces loads by carried registers and shuffles.
pub fn reuse(program: &mut Program) {
    if program.target != Target::Gpu {
        return;
    }
    let mut plans = plans(program);
    if start(program).is_none() {
        plans.retain(|_, plan| plan.delay == 0);
    }
    if !plans.is_empty() {
        rewrite(program, &plans);
    }
}

/// A load of a family: it reads what the first load of the family reads `steps` steps earlier in lane − `lanes`.
#[derive(Clone, Copy, Debug)]
struct Seen {
    id: ValueId,
    steps: Int,
    lanes: Int,
}

/// How a load is replaced: by the element that `from` loaded `delay` steps ago in lane − `lanes`.
#[derive(Clone, Copy, Debug)]
struct Plan {
    from: ValueId,
    delay: Int,
    lanes: Int,
}

/// The loads to replace. Of each family one load stays, the base, from which the others take their elements.
fn plans(program: &Program) -> SortedMap<ValueId, Plan> {
    let mut plans = SortedMap::new();
    let near = near(program);
    let mut words = program.carried_words();
    for family in families(program) {
        // The load of the latest elements. Among several: the one of each lane's own elements, then the one in the middle,
        // which keeps the halos short.
        let (count, sum) = (family.len() as Int, family.iter().map(|s| s.lanes).sum::<Int>());
        let off_middle = |s: &Seen| (s.lanes * count - sum).abs();
        let not_own = |s: &Seen| !is_own(&program.values[s.id.0]);
        let Some(base) = family.iter().min_by_key(|s| (s.steps, not_own(s), off_middle(s), s.id)).copied() else {
            continue;
        };
        let others = family.iter().filter(|s| s.id != base.id);
        let plan = |s: &Seen| {
            let lanes = (s.lanes - base.lanes) * if planted(41) { -1 } else { 1 };
            Plan { from: base.id, delay: s.steps - base.steps, lanes }
        };
        let is_loaded = |id: &ValueId, p: &Plan| p.delay == 0 && p.lanes != 0 && near.contains(id);
        let pays = |(id, p): &(ValueId, Plan)| p.delay <= tuning::REUSED_STEPS && !is_loaded(id, p);
        let planned: Vec<(ValueId, Plan)> = others.map(|s| (s.id, plan(s))).filter(pays).collect();
        let longest = planned.iter().map(|(_, p)| p.delay).max().unwrap_or(0);
        let more = longest * program.values[base.id.0].ty.words() as Int;
        if words + more <= tuning::REUSED_WORDS {
            words += more;
            plans.extend(planned);
        }
    }
    plans
}

/// The loads of an input, grouped: those of one family differ by whole steps and lanes.
fn families(program: &Program) -> Vec<Vec<Seen>> {
    let mut families: Vec<Vec<Seen>> = Vec::new();
    let mut places: HashMap<(Array, Type, Vec<PlaceForm>), Vec<usize>> = HashMap::new();
    for (k, inst) in program.values.iter().enumerate() {
        let Some((array, index)) = moving(program, inst) else { continue };
        let linear = index.iter().map(|f| f.plus(-f.offset())).collect();
        let alike = places.entry((array, inst.ty, linear)).or_default();
        let joined = alike.iter().find_map(|f| {
            let (steps, lanes) = apart(program, &program.values[families[*f][0].id.0], inst)?;
            Some((*f, Seen { id: ValueId(k), steps, lanes }))
        });
        match joined {
            Some((family, seen)) => families[family].push(seen),
            None => {
                alike.push(families.len());
                families.push(vec![Seen { id: ValueId(k), steps: 0, lanes: 0 }]);
            }
        }
    }
    families
}

/// The array and index of a load from memory, if the innermost loop moves it and no variable of the kernel carries it.
fn moving<'p>(program: &Program, inst: &'p Inst) -> Option<(Array, &'p [PlaceForm])> {
    let Operation::Load { array, index } = &inst.operation else { return None };
    let innermost = innermost(program);
    let moves = innermost.is_none_or(|time| index.iter().any(|f| f.coefficient(&time) != 0));
    let free = program.in_memory(*array) && !inst.wired;
    (free && moves && index.iter().all(PlaceForm::is_plain)).then_some((*array, index))
}

/// The distance (d, k) of two loads in steps and lanes: b(t, lane) = a(t − d, lane − k). Of several the one with the fewest
/// lanes.
fn apart(program: &Program, a: &Inst, b: &Inst) -> Option<(Int, Int)> {
    let (Operation::Load { index: a, .. }, Operation::Load { index: b, .. }) = (&a.operation, &b.operation) else {
        return None;
    };
    let (time, lane) = (innermost(program), Atom::Lane(program.frame.lanes.len() - 1));
    let axis = |(a, b): (&PlaceForm, &PlaceForm)| {
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

/// Rewrites the body by the plans.
fn rewrite(program: &mut Program, plans: &SortedMap<ValueId, Plan>) {
    let low = start(program);
    let old = std::mem::take(&mut program.values);
    let mut names: Vec<ValueId> = vec![ValueId(0); old.len()];
    // The bases come first, before all their consumers. They are loaded in every lane.
    let mut shared: SortedMap<ValueId, Register> = SortedMap::new();
    for plan in plans.values() {
        let register = shared.or_insert_with(plan.from, |_| {
            let load = Inst { needed: Condition::True, ..old[plan.from.0].clone() };
            names[plan.from.0] = program.push(load);
            Register { value: names[plan.from.0], delay: 0, reuse: true }
        });
        register.delay = register.delay.max(plan.delay);
    }
    let first = program.registers.len();
    let carried: Vec<ValueId> = shared.iter().filter(|(_, r)| r.delay > 0).map(|(id, _)| *id).collect();
    for (k, mut inst) in old.into_iter().enumerate() {
        if shared.contains_key(&ValueId(k)) {
            continue;
        }
        inst.operation.each_operand(&mut |id| *id = names[id.0]);
        names[k] = match plans.get(&ValueId(k)) {
            Some(plan) => {
                let number = carried.iter().position(|id| *id == plan.from).unwrap_or(carried.len());
                let register = RegisterId(first + number);
                replaced(program, inst, *plan, (register, names[plan.from.0]), low.as_ref())
            }
            None => program.push(inst),
        };
    }
    program.each_use(&mut |id| *id = names[id.0]);
    program.registers.extend(shared.into_values().filter(|r| r.delay > 0));
}

/// Appends what replaces a load: the carried or shuffled element where it exists, else the load.
fn replaced(
    program: &mut Program,
    load: Inst,
    plan: Plan,
    (register, loaded_now): (RegisterId, ValueId),
    low: Option<&PlaceForm>,
) -> ValueId {
    let mut there = Vec::new();
    let mut value = loaded_now;
    let like = |operation: Operation| Inst { operation, needed: Condition::False, name: None, ..load.clone() };
    if plan.delay > 0
        && let Some(low) = low
    {
        value = program.push(like(Operation::Carried { register, delay: plan.delay }));
        there.push(Condition::AtLeast(
            PlaceForm::atom(Atom::Time(program.frame.loops.len() - 1))
                .sub(low)
                .plus(Int::from(planted(40)) - plan.delay),
        ));
    }
    if plan.lanes != 0 {
        let row = program.frame.lanes.len() - 1;
        let from = PlaceForm::atom(Atom::Lane(row)).plus(-plan.lanes);
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

/// The first iteration of the innermost loop, if it is a single form.
fn start(program: &Program) -> Option<PlaceForm> {
    match program.frame.loops.last()?.first() {
        Bound::Form(form) => Some(form.clone()),
        _ => None,
    }
}
