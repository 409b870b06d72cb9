//! What every program must be, whatever made it: operands before uses, types that fit, levels that nest.
use super::{Operation, Program, Ring};
use crate::model::Type;

/// The first thing that is not as it must be.
pub fn verify(program: &Program) -> Result<(), String> {
    wires(program)?;
    for (k, made) in program.values.iter().enumerate() {
        let fail = |text: &str| Err(format!("v{k}: {text}"));
        for operand in made.operation.operands() {
            if operand.0 >= k {
                return fail("an operand is made after it");
            }
            let other = &program.values[operand.0];
            if other.level > made.level || other.phase > made.phase {
                return fail("an operand lies further inside");
            }
        }
        let of_the_step =
            matches!(made.operation, Operation::Carried { .. } | Operation::Ring { .. } | Operation::Row { .. });
        if of_the_step && made.level != program.loops.len() {
            return fail("what a wire brings lies outside the step");
        }
        let ty = |id: &super::ValueId| program.values[id.0].ty;
        let fits = match &made.operation {
            Operation::Index(_) => made.ty == Type::I64,
            Operation::Holds(_) | Operation::Compare(..) => made.ty == Type::Bool,
            Operation::Unary(_, a) => ty(a) == made.ty,
            Operation::Binary(op, a, b) => {
                let shift = matches!(op, crate::model::BinaryOp::Shl | crate::model::BinaryOp::Shr);
                ty(a) == made.ty && (shift || ty(b) == made.ty)
            }
            Operation::Fma(a, b, c) => [a, b, c].iter().all(|o| ty(o) == made.ty),
            Operation::Select(_, a, b) => ty(a) == made.ty && ty(b) == made.ty,
            Operation::Choose(c, a, b) => ty(c) == Type::Bool && ty(a) == made.ty && ty(b) == made.ty,
            Operation::Shuffle { value, .. } => ty(value) == made.ty,
            Operation::Carried { register, depth } => {
                let r = program.registers.get(register.0);
                r.is_some_and(|r| ty(&r.value) == made.ty && (1..=r.depth).contains(depth))
            }
            Operation::Ring { ring, depth, .. } => {
                let r = program.rings.get(ring.0);
                // Of this step: behind a barrier.
                let behind = |r: &Ring| *depth > 0 || program.values[r.value.0].phase < made.phase;
                r.is_some_and(|r| ty(&r.value) == made.ty && (0..=r.depth).contains(depth) && behind(r))
            }
            Operation::Row { row, laps, inner, .. } => program.rows.get(row.0).is_some_and(|r| {
                let loops_inside = program.loops.len() - r.level - 1;
                ty(&r.value) == made.ty && (1..=r.laps).contains(laps) && inner.len() == loops_inside
            }),
            Operation::Literal(_) | Operation::Load { .. } | Operation::Cast(_) | Operation::Poison => true,
        };
        if !fits {
            return fail("types or wires do not fit");
        }
    }
    Ok(())
}

/// What carries values names values and loops that there are.
fn wires(program: &Program) -> Result<(), String> {
    let is_value = |id: super::ValueId| id.0 < program.values.len();
    let registers = program.registers.iter().all(|r| is_value(r.value) && r.depth > 0);
    let rings = program.rings.iter().all(|r| is_value(r.value) && r.depth >= 0);
    let rows = program.rows.iter().all(|r| is_value(r.value) && r.level < program.loops.len() && r.laps > 0);
    let stores = program.stores.iter().all(|s| is_value(s.value));
    match registers && rings && rows && stores {
        true => Ok(()),
        false => Err("a register, ring, row or store of what there is not".to_string()),
    }
}
