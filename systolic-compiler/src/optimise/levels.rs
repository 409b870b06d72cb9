//! Where in the loops a value is made, and between which barriers of a step.
use crate::planted::planted;
use crate::program::{Operation, Program, level_of_condition, level_of_form};

/// Values that no inner loop changes are made before it. What comes over a wire of memory or rotation belongs to the step.
pub fn levels(program: &mut Program) {
    let all = program.frame.loops.len();
    for k in 0..program.values.len() {
        let made = &program.values[k];
        let mut level = match &made.operation {
            Operation::Carried { .. } | Operation::Ring { .. } | Operation::Row { .. } => all,
            Operation::Index(form) => level_of_form(form),
            Operation::Select(..) if planted(18) => 0,
            Operation::Holds(condition) | Operation::Select(condition, ..) => level_of_condition(condition),
            Operation::Load { index, .. } => {
                let needed = if planted(19) { 0 } else { level_of_condition(&made.needed) };
                index.iter().map(level_of_form).max().unwrap_or(0).max(needed)
            }
            // Behind the filling of its box.
            Operation::Staged { stage, cell } => {
                cell.iter().map(level_of_form).max().unwrap_or(0).max(program.stages[stage.0].level)
            }
            _ => 0,
        };
        for operand in made.operation.operands() {
            level = level.max(program.values[operand.0].level);
        }
        program.values[k].level = level;
    }
}

/// A value read from a ring of this step lies behind one barrier more than its source.
pub fn phases(program: &mut Program) {
    for k in 0..program.values.len() {
        let operation = &program.values[k].operation;
        let mut phase = match operation {
            Operation::Ring { ring, depth: 0, .. } => {
                program.values[program.rings[ring.0].value.0].phase + usize::from(!planted(20))
            }
            _ => 0,
        };
        for operand in operation.operands() {
            phase = phase.max(program.values[operand.0].phase);
        }
        program.values[k].phase = phase;
    }
}
