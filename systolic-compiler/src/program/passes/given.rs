//! The values of a step where some comparisons are known.
use super::super::{Condition, Line, Program, Step, ValueId};
use super::sweep::settled;
use crate::planted::planted;
use std::collections::HashMap;

/// Comparisons that are known to hold, or not to.
pub type Facts = HashMap<Condition, bool>;

/// The step of a program under facts.
pub fn step(program: &Program, facts: &Facts) -> Step {
    let innermost = program.frame.loops.len();
    let given = |condition: &Condition| condition.map(&mut |c| known(facts, c));
    let mut names: HashMap<ValueId, ValueId> = HashMap::new();
    let mut lines: Vec<Line> = Vec::new();
    for (k, made) in program.values.iter().enumerate().filter(|(_, m)| m.level == innermost) {
        let mut made = made.clone();
        made.operation.each_operand(&mut |id| *id = names.get(id).copied().unwrap_or(*id));
        made.each_condition(&mut |c| *c = given(c));
        match settled(&made.operation) {
            Some(side) => {
                names.insert(ValueId(k), side);
            }
            None => lines.push(Line { id: ValueId(k), made, wanted: Condition::True }),
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
    };
    keep_needed(program, &mut step);
    step
}

fn known(facts: &Facts, condition: &Condition) -> Condition {
    match facts.get(condition) {
        Some(true) => Condition::True,
        Some(false) => Condition::False,
        None => condition.clone(),
    }
}

fn keep_needed(program: &Program, step: &mut Step) {
    let mut needed = vec![false; program.values.len()];
    step.uses().for_each(|id| needed[id.0] = true);
    for line in step.lines.iter().rev() {
        if needed[line.id.0] {
            line.made.operation.operands().iter().for_each(|id| needed[id.0] = true);
        }
    }
    step.lines.retain(|line| needed[line.id.0]);
}
