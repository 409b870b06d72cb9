//! The invariants of every schedule: operands before uses, types that fit, levels that nest.
#[cfg(feature = "cuda")]
use super::gpu;
use super::{Line, Schedule, Step};
use crate::mapping::{Atom, PlaceForm};
use crate::model::Type;
use crate::program::{Condition, Inst, Into, Operation, Program, Ring, ValueId, is_load_from_memory};

/// Returns the first violation.
pub fn verify(program: &Schedule) -> Result<(), String> {
    forms(program)?;
    wires(program)?;
    let innermost = program.frame.loops.len();
    let outside: Vec<bool> = program.values.iter().map(|m| m.level < innermost).collect();
    let mut known = vec![false; program.values.len()];
    for (k, inst) in program.values.iter().enumerate().filter(|(k, _)| outside[*k]) {
        line(program, k, inst, &known)?;
        known[k] = true;
    }
    for step in program.steps() {
        let mut known = known.clone();
        for l in &step.lines {
            line(program, l.id.0, &l.inst, &known)?;
            known[l.id.0] = true;
        }
        if !step.uses().all(|id| known[id.0]) {
            return Err("a step uses a value that it does not compute".to_string());
        }
        wide(step)?;
        #[cfg(feature = "cuda")]
        gpu::verify_streams(program, step)?;
        if !step.lines.iter().all(|l| alike(&l.guard)) {
            return Err("lanes may differ on which lines run".to_string());
        }
        let is_load = |l: &Line| is_load_from_memory(program, &l.inst.operation);
        if step.lines.iter().any(|l| is_load(l) && l.guard != Condition::True) {
            return Err("a load that is skipped: loads are issued together".to_string());
        }
        let counts = (step.registers.len(), step.rings.len());
        let reads_rows = step.lines.iter().any(|l| matches!(l.inst.operation, Operation::Row { .. }));
        let has_rows = step.rows.len() == program.rows.len() || step.rows.is_empty() && !reads_rows;
        if counts != (program.registers.len(), program.rings.len()) || !has_rows {
            return Err("a step writes registers, rings or rows that do not exist".to_string());
        }
    }
    Ok(())
}

impl Schedule {
    /// Visits every form that the program computes with.
    pub fn each_form(&self, visit: &mut impl FnMut(&PlaceForm)) {
        let frame = &self.frame;
        for row in frame.blocks.iter().chain(&frame.loops) {
            [&row.low, &row.high].into_iter().for_each(|bound| bound.each_form(visit));
            row.busy.iter().for_each(|(first, last)| [first, last].iter().for_each(|bound| bound.each_form(visit)));
        }
        self.faces.iter().flat_map(|f| &f.dims).for_each(|bound| bound.each_form(visit));
        self.stages.iter().flat_map(|s| &s.low).for_each(|form| form.each_nested(visit));
        let lines = self.steps().flat_map(|step| &step.lines).map(|l| &l.inst);
        for inst in self.values.iter().chain(lines) {
            inst.conditions().for_each(|c| of_condition(c, visit));
            match &inst.operation {
                Operation::Index(form) => form.each_nested(visit),
                Operation::Load { index: forms, .. }
                | Operation::Face { index: forms, .. }
                | Operation::Staged { cell: forms, .. } => {
                    forms.iter().for_each(|form| form.each_nested(visit));
                }
                _ => {}
            }
        }
        for section in self.sections() {
            [&section.low, &section.high].into_iter().for_each(|bound| bound.each_form(visit));
            for store in &section.step.stores {
                of_condition(&store.condition, visit);
                store.whole.iter().chain(&store.index).for_each(|form| form.each_nested(visit));
            }
        }
    }
}

fn of_condition(condition: &Condition, visit: &mut impl FnMut(&PlaceForm)) {
    condition.each_form(&mut |form| form.each_nested(visit));
}

/// No form overflowed, and every row has its place: otherwise it would be broken.
fn forms(program: &Schedule) -> Result<(), String> {
    let mut broken = false;
    program.each_form(&mut |form| broken |= form.is_broken());
    if broken { Err("a form that overflowed, or has no place".to_string()) } else { Ok(()) }
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
    let load = |n: &usize| match step.lines.get(*n).map(|l| &l.inst.operation) {
        Some(Operation::Load { index, .. } | Operation::Face { index, .. }) => Some(index.as_slice()),
        _ => None,
    };
    let store = |n: &usize| step.stores.get(*n).map(|s| s.index.as_slice());
    let loads = step.wide_loads.iter().map(|g| g.members.iter().map(load).collect::<Option<Vec<_>>>());
    let stores = step.wide_stores.iter().map(|g| g.members.iter().map(store).collect::<Option<Vec<_>>>());
    for group in loads.chain(stores) {
        let group = group.ok_or("a wide access of what is none")?;
        let beside = |pair: &[&[PlaceForm]]| match (pair[0].split_last(), pair[1].split_last()) {
            (Some((a, a_rows)), Some((b, b_rows))) => a_rows == b_rows && a.plus(1) == *b,
            _ => false,
        };
        if !group.windows(2).all(beside) {
            return Err("a wide access of elements that are not neighbours".to_string());
        }
    }
    Ok(())
}

/// One value; `known` are those computed before it.
fn line(program: &Program, k: usize, inst: &Inst, known: &[bool]) -> Result<(), String> {
    let fail = |text: &str| Err(format!("v{k}: {text}"));
    for operand in inst.operation.operands() {
        if !known[operand.0] {
            return fail("an operand is not computed before it");
        }
        let other = &program.values[operand.0];
        if other.level > inst.level || other.phase > inst.phase {
            return fail("an operand lies in an inner loop or phase");
        }
    }
    let of_the_step =
        matches!(inst.operation, Operation::Carried { .. } | Operation::Ring { .. } | Operation::Row { .. });
    if of_the_step && inst.level != program.frame.loops.len() {
        return fail("what a wire brings lies outside the step");
    }
    if !fits(program, inst) {
        return fail("types or wires do not fit");
    }
    Ok(())
}

fn fits(program: &Program, inst: &Inst) -> bool {
    let ty = |id: &ValueId| program.values[id.0].ty;
    match &inst.operation {
        Operation::Index(_) => inst.ty == Type::I64,
        Operation::Holds(_) | Operation::Compare(..) => inst.ty == Type::Bool,
        Operation::Unary(_, a) => ty(a) == inst.ty,
        Operation::Binary(op, a, b) => {
            let shift = matches!(op, crate::model::BinaryOp::Shl | crate::model::BinaryOp::Shr);
            ty(a) == inst.ty && (shift || ty(b) == inst.ty)
        }
        Operation::Fma(a, b, c) => [a, b, c].iter().all(|o| ty(o) == inst.ty),
        Operation::Select(_, a, b) => ty(a) == inst.ty && ty(b) == inst.ty,
        Operation::Choose(c, a, b) => ty(c) == Type::Bool && ty(a) == inst.ty && ty(b) == inst.ty,
        Operation::Shuffle { value, .. } | Operation::Rotate { value, .. } => ty(value) == inst.ty,
        Operation::Carried { register, delay } => {
            let r = program.registers.get(register.0);
            r.is_some_and(|r| ty(&r.value) == inst.ty && (1..=r.delay).contains(delay))
        }
        Operation::Ring { ring, delay, .. } => {
            let r = program.rings.get(ring.0);
            // Of this step: after a barrier.
            let waits = |r: &Ring| *delay > 0 || program.values[r.value.0].phase < inst.phase;
            r.is_some_and(|r| ty(&r.value) == inst.ty && (0..=r.delay).contains(delay) && waits(r))
        }
        Operation::Row { row, laps, inner, .. } => program.rows.get(row.0).is_some_and(|r| {
            let loops_inside = program.frame.loops.len() - r.level - 1;
            ty(&r.value) == inst.ty && (1..=r.laps).contains(laps) && inner.len() == loops_inside
        }),
        Operation::Staged { stage, cell } => program
            .stages
            .get(stage.0)
            .is_some_and(|s| s.level <= inst.level && cell.len() == s.extents.len() && s.low.len() == cell.len()),
        Operation::Lookup { array, index } => {
            program.operand(*array).dims.len() == index.len() && index.iter().all(|i| ty(i) == Type::I64)
        }
        Operation::Face { face, index } => {
            program.faces.get(face.0).is_some_and(|f| f.ty == inst.ty && f.dims.len() == index.len())
        }
        Operation::Literal(_) | Operation::Load { .. } | Operation::Cast(_) | Operation::Poison => true,
    }
}

/// What carries values names values and loops that there are.
fn wires(program: &Program) -> Result<(), String> {
    let is_value = |id: ValueId| id.0 < program.values.len();
    let registers = program.registers.iter().all(|r| is_value(r.value) && r.delay > 0);
    let rings = program.rings.iter().all(|r| is_value(r.value) && r.delay >= 0);
    let rows = program.rows.iter().all(|r| is_value(r.value) && r.level < program.frame.loops.len() && r.laps > 0);
    let is_there = |into: Into| match into {
        Into::Output(k) => k < program.ends.len(),
        Into::Face(face) => face.0 < program.faces.len(),
    };
    let stores = program.stores.iter().all(|s| is_value(s.value) && is_there(s.into));
    match registers && rings && rows && stores {
        true => Ok(()),
        false => Err("a register, ring, row or store of what there is not".to_string()),
    }
}
