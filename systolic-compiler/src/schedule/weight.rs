//! Estimates the code size of a program on a CPU, and decides when it is too large.
//!
//! rustc compiles a block once per instruction set of the CPU, with 32 lanes per value, and LLVM's time grows faster than the
//! code. The limits keep a kernel to a few seconds, as `cargo run --release -p systolic-bench -- kernels` measures.
use super::Schedule;
use crate::mapping::{Atom, PlaceForm};
use crate::model::{BinaryOp, Type, UnaryOp};
use crate::program::{Condition, Inst, Operation, Program};
use crate::target::cpu;

/// Whether the innermost loop should stay one section, because prologue, steady state and epilogue together would be too much
/// code.
pub fn is_heavy(program: &Program) -> bool {
    let values: usize = program.values.iter().map(|m| of_value(program, m)).sum();
    3 * values > cpu::MOST_WEIGHT
}

/// The weight of a program. One operation on the vectors of an `f32` value weighs 1.
pub fn weight(program: &Schedule) -> usize {
    let innermost = program.frame.loops.len();
    let before = program.values.iter().filter(|m| m.level < innermost);
    let lines = program.steps().flat_map(|step| &step.lines).map(|line| &line.inst);
    let values: usize = before.chain(lines).map(|m| of_value(program, m)).sum();
    let stores = program.steps().flat_map(|step| &step.stores);
    let stored = stores.map(|s| {
        let forms = s.index.iter().chain(&s.whole).map(of_form).sum::<usize>();
        4 + forms + of_condition(&s.condition)
    });
    let moved: usize = program.registers.iter().map(|r| usize::try_from(r.delay).unwrap_or(0)).sum();
    let all = values + stored.sum::<usize>() + moved * program.sections().count();
    // With several warps every value is an array of vectors, and every operation a loop over it.
    if program.warp_count() > 1 { 3 * all } else { all }
}

/// The weight of an instruction.
fn of_value(program: &Program, inst: &Inst) -> usize {
    let of = of_type(inst.ty);
    match &inst.operation {
        Operation::Literal(_) | Operation::Carried { .. } | Operation::Poison | Operation::Staged { .. } => 1,
        Operation::Index(form) => of + of_form(form),
        Operation::Holds(condition) => 1 + of_condition(condition),
        Operation::Load { index, .. } | Operation::Face { index, .. } => 3 + index.iter().map(of_form).sum::<usize>(),
        Operation::Lookup { index, .. } => 4 + 2 * index.len(),
        Operation::Select(condition, ..) if varies(condition) => 3 * of + of_condition(condition),
        Operation::Select(..) => 1,
        Operation::Choose(..) => 2 * of,
        Operation::Unary(UnaryOp::Exp | UnaryOp::Ln, _) => 24 * of,
        // A call of a function of the runtime.
        Operation::Unary(op, _) if op.is_of_floats() && !op.is_rounding() && *op != UnaryOp::Sqrt => 6 * of,
        Operation::Binary(BinaryOp::Pow, ..) => 8 * of,
        Operation::Binary(BinaryOp::Rem, ..) => 6 * of,
        Operation::Binary(BinaryOp::Div, ..) if !inst.ty.is_float() => 6 * of,
        Operation::Compare(_, a, _) => of_type(program.values[a.0].ty),
        Operation::Cast(a) => 2 * of.max(of_type(program.values[a.0].ty)),
        Operation::Shuffle { .. } | Operation::Rotate { .. } => 8 * of,
        Operation::Ring { lanes, .. } | Operation::Row { lanes, .. } => 6 + if *lanes == 0 { 0 } else { 8 * of },
        Operation::Unary(..) | Operation::Binary(..) | Operation::Fma(..) => of,
    }
}

/// The weight of one operation on a type. Types without a vector type of their own are arrays, which LLVM vectorises. 16-bit
/// floats are computed with integers.
fn of_type(ty: Type) -> usize {
    match ty {
        Type::F32 | Type::I32 | Type::U32 | Type::Bool => 1,
        Type::F64 => 2,
        Type::I64 | Type::U64 => 4,
        Type::I8 | Type::I16 | Type::U8 | Type::U16 => 2,
        Type::F16 | Type::Bf16 => 10,
    }
}

/// The weight of a form. One that must be computed lane by lane is a call.
fn of_form(form: &PlaceForm) -> usize {
    if form.is_plain() { 0 } else { 3 }
}

/// The weight of a condition. One that is the same in all lanes weighs nothing.
fn of_condition(condition: &Condition) -> usize {
    let mut weight = 0;
    if varies(condition) {
        condition.each_form(&mut |form| weight += 1 + of_form(form));
    }
    weight
}

/// Whether a condition may differ between lanes.
fn varies(condition: &Condition) -> bool {
    let mut varies = false;
    condition.each_form(&mut |form| varies |= !form.is_plain() || form.mentions(&|a| matches!(a, Atom::Lane(_))));
    varies
}
