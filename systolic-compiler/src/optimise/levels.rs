//! Loop-invariant code motion, and the phase of every value: how many barriers of its step come before it.
//!
//! `levels` moves a value that no inner loop changes to before that loop:
//!
//! ```text
//! before                                     after
//!
//! for t0 in 0..=size0 - 1                    v0: f32 = load w[lane0] if always
//!     v0: f32 = load w[lane0] if always      for t0 in 0..=size0 - 1
//!     v1: f32 = load x[t0] if always             v1: f32 = load x[t0] if always
//!     v2: f32 = mul v0 v1                        v2: f32 = mul v0 v1
//! ```
//!
//! Every instruction is moved as far out as its operands, indices and conditions allow; one that depends on the innermost
//! loop stays.
//!
//! `phases` places a value that is read from a ring in the step that wrote it after one more barrier than its source:
//!
//! ```text
//! before                                                     after
//!
//! v0: f32 = load x[lane0] if always                          phase 0: v0: f32 = load x[lane0] if always
//! v1: f32 = ring q0 lane - 0 warp - 1, 0 steps ago           phase 1: v1: f32 = ring q0 lane - 0 warp - 1, 0 steps ago
//! v2: f32 = add v0 v1                                        phase 1: v2: f32 = add v0 v1
//! ```
//!
//! Without such reads all values are in phase 0 and the step has no barrier inside.
use crate::planted::planted;
use crate::program::{Operation, Program, level_of_condition, level_of_form};

/// Sets the level of every value: the number of loops around it. Values that arrive in a register, ring or row change with
/// every step and stay in the innermost loop.
pub fn levels(program: &mut Program) {
    let all = program.frame.loops.len();
    for k in 0..program.values.len() {
        let inst = &program.values[k];
        let mut level = match &inst.operation {
            Operation::Carried { .. } | Operation::Ring { .. } | Operation::Row { .. } => all,
            Operation::Index(form) => level_of_form(form),
            Operation::Select(..) if planted(18) => 0,
            Operation::Holds(condition) | Operation::Select(condition, ..) => level_of_condition(condition),
            Operation::Load { index, .. } | Operation::Face { index, .. } => {
                let needed = if planted(19) { 0 } else { level_of_condition(&inst.needed) };
                index.iter().map(level_of_form).max().unwrap_or(0).max(needed)
            }
            // After its box is filled.
            Operation::Staged { stage, cell } => {
                cell.iter().map(level_of_form).max().unwrap_or(0).max(program.stages[stage.0].level)
            }
            _ => 0,
        };
        for operand in inst.operation.operands() {
            level = level.max(program.values[operand.0].level);
        }
        program.values[k].level = level;
    }
}

/// Sets the phase of every value: the number of barriers of the step before it.
pub fn phases(program: &mut Program) {
    for k in 0..program.values.len() {
        let operation = &program.values[k].operation;
        let mut phase = match operation {
            Operation::Ring { ring, delay: 0, .. } => {
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
