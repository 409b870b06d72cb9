//! Operations that take long and that a select discards in most steps: a step in which no lane takes the result does not compute
//! it.
//!
//! ```text
//! before                                   after
//!
//! a = b / l                                a = b / l, in steps in which i - j = 0 holds in some lane
//! c = if i - j = 0 then a else d           c = if i - j = 0 then a else d
//! ```
use crate::mapping::Atom;
use crate::model::BinaryOp;
use crate::program::{Condition, Operation, ValueId};
use crate::schedule::Step;
use crate::sorted::SortedMap;

/// The lines of a step that are computed only where a condition holds in some lane.
pub fn rarely_needed(step: &Step) -> SortedMap<ValueId, Condition> {
    let mut found = SortedMap::new();
    for line in step.lines.iter().filter(|line| takes_long(&line.inst.operation)) {
        let mut users = step.lines.iter().filter(|user| user.inst.operation.operands().contains(&line.id));
        let (Some(user), None) = (users.next(), users.next()) else { continue };
        if let Operation::Select(condition, a, b) = &user.inst.operation
            && *a == line.id
            && *b != line.id
            && is_rare(condition)
            && step.uses().all(|used| used != line.id)
        {
            found.insert(line.id, condition.clone());
        }
    }
    found
}

/// Whether a condition holds in one lane at most.
pub fn is_rare(condition: &Condition) -> bool {
    let of_lane = |c: &Condition| match c {
        Condition::Zero(form) => form.mentions(&|a| matches!(a, Atom::Lane(_))),
        _ => false,
    };
    match condition {
        Condition::All(parts) => parts.iter().any(of_lane),
        one => of_lane(one),
    }
}

fn takes_long(operation: &Operation) -> bool {
    match operation {
        Operation::Binary(op, ..) => matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::Pow),
        Operation::Unary(op, _) => op.is_of_floats() && !op.is_rounding(),
        _ => false,
    }
}
