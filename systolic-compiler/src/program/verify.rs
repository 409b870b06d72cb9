//! What every program must be, whatever made it: operands before uses, types that fit, levels that nest.
use super::{Condition, Made, Operation, Program, Ring, Step};
use crate::mapping::{Atom, Index};
use crate::model::Type;

/// The first thing that is not as it must be.
pub fn verify(program: &Program) -> Result<(), String> {
    wires(program)?;
    let innermost = program.frame.loops.len();
    let outside: Vec<bool> = program.values.iter().map(|m| m.level < innermost).collect();
    let mut known = vec![false; program.values.len()];
    for (k, made) in program.values.iter().enumerate().filter(|(k, _)| outside[*k]) {
        line(program, k, made, &known)?;
        known[k] = true;
    }
    for piece in &program.pieces {
        let mut known = known.clone();
        for l in &piece.step.lines {
            line(program, l.id.0, &l.made, &known)?;
            known[l.id.0] = true;
        }
        if !piece.step.uses().all(|id| known[id.0]) {
            return Err("a piece uses what it does not make".to_string());
        }
        let step = &piece.step;
        wide(step)?;
        if !step.lines.iter().all(|l| alike(&l.wanted)) {
            return Err("lanes may differ on what a step makes".to_string());
        }
        let counts = (step.registers.len(), step.rings.len(), step.rows.len());
        if counts != (program.registers.len(), program.rings.len(), program.rows.len()) {
            return Err("a piece gives to registers, rings or rows that are not".to_string());
        }
    }
    Ok(())
}

/// Whether all lanes and warps of a block find the same.
fn alike(condition: &Condition) -> bool {
    let mut alike = true;
    let apart = |a: &Atom| !matches!(a, Atom::Size(_) | Atom::Block(_) | Atom::Time(_));
    condition.each_form(&mut |form| alike &= !form.mentions(&apart));
    alike
}

/// What is accessed together lies side by side.
fn wide(step: &Step) -> Result<(), String> {
    let load = |n: &usize| match step.lines.get(*n).map(|l| &l.made.operation) {
        Some(Operation::Load { index, .. }) => Some(index.as_slice()),
        _ => None,
    };
    let store = |n: &usize| step.stores.get(*n).map(|s| s.index.as_slice());
    let loads = step.wide_loads.iter().map(|g| g.members.iter().map(load).collect::<Option<Vec<_>>>());
    let stores = step.wide_stores.iter().map(|g| g.members.iter().map(store).collect::<Option<Vec<_>>>());
    for group in loads.chain(stores) {
        let group = group.ok_or("a wide access of what is none")?;
        let beside = |pair: &[&[Index]]| match (pair[0].split_last(), pair[1].split_last()) {
            (Some((a, a_rows)), Some((b, b_rows))) => a_rows == b_rows && a.plus(1) == *b,
            _ => false,
        };
        if !group.windows(2).all(beside) {
            return Err("a wide access of elements that are not neighbours".to_string());
        }
    }
    Ok(())
}

/// One value; `known` are those made before it.
fn line(program: &Program, k: usize, made: &Made, known: &[bool]) -> Result<(), String> {
    let fail = |text: &str| Err(format!("v{k}: {text}"));
    for operand in made.operation.operands() {
        if !known[operand.0] {
            return fail("an operand is not made before it");
        }
        let other = &program.values[operand.0];
        if other.level > made.level || other.phase > made.phase {
            return fail("an operand lies further inside");
        }
    }
    let of_the_step =
        matches!(made.operation, Operation::Carried { .. } | Operation::Ring { .. } | Operation::Row { .. });
    if of_the_step && made.level != program.frame.loops.len() {
        return fail("what a wire brings lies outside the step");
    }
    if !fits(program, made) {
        return fail("types or wires do not fit");
    }
    Ok(())
}

fn fits(program: &Program, made: &Made) -> bool {
    let ty = |id: &super::ValueId| program.values[id.0].ty;
    match &made.operation {
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
        Operation::Shuffle { value, .. } | Operation::Turn { value, .. } => ty(value) == made.ty,
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
            let loops_inside = program.frame.loops.len() - r.level - 1;
            ty(&r.value) == made.ty && (1..=r.laps).contains(laps) && inner.len() == loops_inside
        }),
        Operation::Staged { stage, cell } => program
            .stages
            .get(stage.0)
            .is_some_and(|s| s.level <= made.level && cell.len() == s.extents.len() && s.low.len() == cell.len()),
        Operation::Literal(_) | Operation::Load { .. } | Operation::Cast(_) | Operation::Poison => true,
    }
}

/// What carries values names values and loops that there are.
fn wires(program: &Program) -> Result<(), String> {
    let is_value = |id: super::ValueId| id.0 < program.values.len();
    let registers = program.registers.iter().all(|r| is_value(r.value) && r.depth > 0);
    let rings = program.rings.iter().all(|r| is_value(r.value) && r.depth >= 0);
    let rows = program.rows.iter().all(|r| is_value(r.value) && r.level < program.frame.loops.len() && r.laps > 0);
    let stores = program.stores.iter().all(|s| is_value(s.value));
    match registers && rings && rows && stores {
        true => Ok(()),
        false => Err("a register, ring, row or store of what there is not".to_string()),
    }
}
