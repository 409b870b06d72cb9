//! Specialisation: the step of a program where some comparisons are decided.
//!
//! ```text
//! before                                       after, where t >= 1 is known to hold
//!
//! a = carried r0 from 1 step ago               a = carried r0 from 1 step ago
//! b = load x[0] if 0 - t >= 0                  store out[t] = a
//! c = if t - 1 >= 0 then a else b
//! store out[t] = c
//! ```
use super::{Line, Step};
use crate::optimise::decided_operand;
use crate::planted::planted;
use crate::program::{Condition, Program, ValueId};
use crate::sorted;
use std::collections::HashMap;

/// Comparisons that are decided, and whether each holds.
pub type Facts = HashMap<Condition, bool>;

/// The step of a program under these facts: conditions folded, selects replaced by the selected value, unused lines removed.
pub fn specialise(program: &Program, facts: &Facts) -> Step {
    let innermost = program.frame.loops.len();
    let given = |condition: &Condition| condition.map(&mut |c| known(facts, c));
    let mut names: HashMap<ValueId, ValueId> = HashMap::new();
    let mut lines: Vec<Line> = Vec::new();
    for (k, inst) in program.values.iter().enumerate().filter(|(_, m)| m.level == innermost) {
        let mut inst = inst.clone();
        inst.operation.each_operand(&mut |id| *id = names.get(id).copied().unwrap_or(*id));
        inst.each_condition(&mut |c| *c = given(c));
        match decided_operand(&inst.operation) {
            Some(side) => {
                names.insert(ValueId(k), side);
            }
            None => lines.push(Line { id: ValueId(k), inst, guard: Condition::True }),
        }
    }
    let name = |id: ValueId| names.get(&id).copied().unwrap_or(id);
    let mut stores = program.stores.clone();
    for store in &mut stores {
        store.condition = given(&store.condition);
        store.value = name(store.value);
    }
    stores.retain(|s| s.condition != Condition::False && !(planted(45) && s.condition == Condition::True));
    let mut step = Step {
        lines,
        stores,
        registers: program.registers.iter().map(|r| name(r.value)).collect(),
        rings: program.rings.iter().map(|r| name(r.value)).collect(),
        rows: program.rows.iter().map(|r| name(r.value)).collect(),
        wide_loads: Vec::new(),
        wide_stores: Vec::new(),
        #[cfg(feature = "cuda")]
        streams: None,
    };
    keep_needed(program, &mut step);
    sorted::sort_by_key(&mut step.lines, |line| if planted(68) { usize::MAX - line.id.0 } else { 0 });
    step
}

fn known(facts: &Facts, condition: &Condition) -> Condition {
    match facts.get(condition) {
        Some(true) => Condition::True,
        Some(false) => Condition::False,
        None => condition.clone(),
    }
}

/// Removes the lines that no store and nothing that is handed on needs.
fn keep_needed(program: &Program, step: &mut Step) {
    let mut needed = vec![false; program.values.len()];
    step.uses().for_each(|id| needed[id.0] = true);
    for line in step.lines.iter().rev() {
        if needed[line.id.0] {
            line.inst.operation.operands().iter().for_each(|id| needed[id.0] = true);
        }
    }
    step.lines.retain(|line| needed[line.id.0]);
}
