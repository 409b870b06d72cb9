//! An operation on values as instructions: what ptxas makes of the header's functions. Words are of 4 bytes.
use super::mix::Mix;
use crate::model::{BinaryOp, Type, UnaryOp};
use crate::target::instructions;
use crate::target::timing::Kind;

pub fn unary(op: UnaryOp, ty: Type) -> Mix {
    match op {
        // A sign is part of what uses it.
        UnaryOp::Neg | UnaryOp::Abs if ty.is_float() => Mix::default(),
        UnaryOp::Neg | UnaryOp::Abs => Mix::of(Kind::Alu, 2.0 * words(ty)),
        UnaryOp::Not => Mix::of(Kind::Alu, words(ty)),
        UnaryOp::Sqrt => long(ty, instructions::QUOTIENT, instructions::QUOTIENT_64),
        UnaryOp::Exp | UnaryOp::Ln => long(ty, instructions::POWER, instructions::POWER_64),
    }
}

pub fn binary(op: BinaryOp, ty: Type) -> Mix {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if ty.is_float() => rounded(ty, Kind::Fma, 2),
        BinaryOp::Min | BinaryOp::Max if ty.is_float() => rounded(ty, Kind::Alu, 2),
        BinaryOp::Div | BinaryOp::Rem if ty.is_float() => long(ty, instructions::QUOTIENT, instructions::QUOTIENT_64),
        BinaryOp::Mul => Mix::of(Kind::Mad, if ty.bytes() == 8 { 4.0 } else { 1.0 }),
        BinaryOp::Div | BinaryOp::Rem => Mix::of(
            Kind::Alu,
            if ty.bytes() == 8 { instructions::DIVISION_64 as f64 } else { instructions::DIVISION as f64 },
        ),
        BinaryOp::Min | BinaryOp::Max => Mix::of(Kind::Alu, 2.0 * words(ty) - 1.0),
        _ => Mix::of(Kind::Alu, words(ty)),
    }
}

/// A product added; `shares`: one operand is the same in all lanes.
pub fn fma(ty: Type, shares: bool) -> Mix {
    match ty {
        Type::F32 if !shares => Mix::of(Kind::OwnFma, 1.0),
        _ if ty.is_float() => rounded(ty, Kind::Fma, 3),
        _ if ty.bytes() == 8 => Mix::of(Kind::Mad, 4.0) + Mix::of(Kind::Alu, 2.0),
        _ => Mix::of(Kind::Mad, 1.0),
    }
}

pub fn compare(ty: Type) -> Mix {
    match ty {
        Type::F64 => Mix::of(Kind::Fma64, 1.0),
        Type::F16 | Type::Bf16 => Mix::of(Kind::Half, 2.0) + Mix::of(Kind::Alu, 1.0),
        _ => Mix::of(Kind::Alu, words(ty)),
    }
}

pub fn cast(from: Type, to: Type) -> Mix {
    match (from, to) {
        _ if from == to => Mix::default(),
        (Type::F16, Type::F32) | (Type::F32, Type::F16) => Mix::of(Kind::Half, 1.0),
        (Type::Bf16, Type::F32) => Mix::of(Kind::Alu, 1.0),
        (Type::F32, Type::Bf16) => Mix::of(Kind::Alu, 5.0),
        _ if from.is_float() || to.is_float() => Mix::of(Kind::Convert, 1.0) + Mix::of(Kind::Alu, 2.0),
        _ => Mix::of(Kind::Alu, words(to)),
    }
}

/// One instruction of a float; 16-bit floats are widened, so many operands, and rounded.
fn rounded(ty: Type, kind: Kind, operands: usize) -> Mix {
    match ty {
        Type::F64 => Mix::of(Kind::Fma64, 1.0),
        Type::F16 | Type::Bf16 => Mix::of(Kind::Half, operands as f64 + 1.0) + Mix::of(kind, 1.0),
        _ => Mix::of(kind, 1.0),
    }
}

/// A seed, and steps towards the result.
fn long(ty: Type, short: usize, double: usize) -> Mix {
    let kind = if ty == Type::F64 { Kind::Fma64 } else { Kind::Fma };
    let steps = if ty == Type::F64 { double } else { short };
    Mix::of(Kind::Convert, 1.0) + Mix::of(kind, steps as f64)
}

pub fn words(ty: Type) -> f64 {
    ty.words() as f64
}
