//! How much text the compiler of the user gets for a block: what decides for which levels of the CPU there is code, and
//! whether there is any.
use super::place::{LANES, varies};
use crate::mapping::Index;
use crate::model::{BinaryOp, Type, UnaryOp};
use crate::program::{Condition, Made, Operation, Program};

/// Above this a block has no code for the plain level, on which it then runs point by point: every value there is a list in
/// memory and every operation a call, and the time that LLVM takes for them grows with their square.
pub const PLAIN: usize = 250;

/// Above this a block has no code at all, and the map runs point by point.
pub const MOST: usize = 2500;

/// The weight of a block: an operation on a vector of registers is 1.
pub fn weight(program: &Program) -> usize {
    let innermost = program.frame.loops.len();
    let before = program.values.iter().filter(|m| m.level < innermost);
    let lines = program.pieces.iter().flat_map(|p| &p.step.lines).map(|line| &line.made);
    let made: usize = before.chain(lines).map(|m| of_value(program, m)).sum();
    let stores = program.pieces.iter().flat_map(|p| &p.step.stores);
    let stored = stores.map(|s| {
        let each = s.index.iter().chain(&s.whole).map(of_form).sum::<usize>();
        3 + each + of_condition(&s.condition)
    });
    let moved: usize = program.registers.iter().map(|r| usize::try_from(r.depth).unwrap_or(0)).sum();
    made + stored.sum::<usize>() + moved * program.pieces.len()
}

fn of_value(program: &Program, made: &Made) -> usize {
    let own = match &made.operation {
        Operation::Literal(_) | Operation::Carried { .. } | Operation::Poison => return 1,
        Operation::Index(form) => 1 + of_form(form),
        Operation::Holds(condition) => of_condition(condition),
        Operation::Load { index, .. } => 3 + index.iter().map(of_form).sum::<usize>(),
        Operation::Select(condition, ..) => 1 + of_condition(condition),
        Operation::Unary(UnaryOp::Exp | UnaryOp::Ln, _) => 24,
        Operation::Binary(BinaryOp::Div | BinaryOp::Rem, ..) if !is_float(made.ty) => 12,
        Operation::Binary(BinaryOp::Rem, ..) => 12,
        Operation::Ring { .. } | Operation::Row { .. } => 6,
        Operation::Compare(_, a, _) => listed(program.values[a.0].ty),
        Operation::Cast(a) => 2 * listed(program.values[a.0].ty).max(listed(made.ty)),
        _ => 1,
    };
    own * listed(made.ty)
}

/// What has no registers of its own is a list: LLVM finds the vectors in it.
fn listed(ty: Type) -> usize {
    match ty {
        Type::F32 | Type::I32 | Type::U32 | Type::Bool => 1,
        Type::F64 => 2,
        _ => 3,
    }
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::F16 | Type::Bf16 | Type::F32 | Type::F64)
}

/// Forms that are computed lane by lane are calls.
fn of_form(form: &Index) -> usize {
    if form.is_plain() { 0 } else { 3 }
}

fn of_condition(condition: &Condition) -> usize {
    let mut weight = 0;
    if varies(condition) {
        condition.each_form(&mut |form| weight += 2 + of_form(form));
    }
    weight.min(LANES)
}
