//! The instructions of each operation, as ptxas compiles the functions of the CUDA header. A word has 4 bytes.
use super::mix::Mix;
use crate::model::{BinaryOp, Type, UnaryOp};
use crate::target::instructions;
use crate::target::timing::Kind;

/// An operation on one value of this type.
pub fn unary(op: UnaryOp, ty: Type) -> Mix {
    match op {
        // The sign of a float is a modifier of the instruction that uses it.
        UnaryOp::Neg | UnaryOp::Abs if ty.is_float() => Mix::default(),
        UnaryOp::Neg | UnaryOp::Abs => Mix::of(Kind::Alu, 2.0 * words(ty)),
        UnaryOp::Not => Mix::of(Kind::Alu, words(ty)),
        UnaryOp::Sqrt => long(ty, instructions::QUOTIENT, instructions::QUOTIENT_64),
        UnaryOp::Exp | UnaryOp::Ln | UnaryOp::Exp2 | UnaryOp::Log2 => {
            long(ty, instructions::POWER, instructions::POWER_64)
        }
        UnaryOp::Sin | UnaryOp::Cos | UnaryOp::Atan | UnaryOp::Sinh | UnaryOp::Cosh => {
            long(ty, instructions::ANGLE, instructions::ANGLE_64)
        }
        UnaryOp::Tan | UnaryOp::Tanh => long(ty, instructions::TANGENT, instructions::TANGENT_64),
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Round | UnaryOp::RoundEven | UnaryOp::Trunc => {
            Mix::of(Kind::Convert, 1.0) + Mix::of(Kind::Alu, if op == UnaryOp::Round { 3.0 } else { 0.0 })
        }
    }
}

/// An operation on two values of this type.
pub fn binary(op: BinaryOp, ty: Type) -> Mix {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if ty.is_float() => rounded(ty, Kind::Fma, 2),
        BinaryOp::Min | BinaryOp::Max if ty.is_float() => rounded(ty, Kind::Alu, 2),
        BinaryOp::Pow => long(ty, instructions::ANY_POWER, instructions::ANY_POWER_64),
        BinaryOp::Div | BinaryOp::Rem if ty.is_float() => long(ty, instructions::QUOTIENT, instructions::QUOTIENT_64),
        // What is narrower than a register is extended again.
        BinaryOp::Add | BinaryOp::Sub if ty.bytes() < 4 => Mix::of(Kind::Fma, 1.0) + Mix::of(Kind::Alu, 1.0),
        // Both pipelines add integers: one of them by multiply-add instructions.
        BinaryOp::Add | BinaryOp::Sub if ty.bytes() <= 4 => Mix::of(Kind::Fma, 1.0),
        BinaryOp::Mul => Mix::of(Kind::Mad, if ty.bytes() == 8 { 4.0 } else { 1.0 }),
        BinaryOp::Div | BinaryOp::Rem => Mix::of(
            Kind::Alu,
            if ty.bytes() == 8 { instructions::DIVISION_64 as f64 } else { instructions::DIVISION as f64 },
        ),
        BinaryOp::Min | BinaryOp::Max => Mix::of(Kind::Alu, 2.0 * words(ty) - 1.0),
        _ => Mix::of(Kind::Alu, words(ty)),
    }
}

/// The quotient or remainder of an integer and a literal, given by its bits: a shift for a power of two, else a multiplication whose
/// upper half is shifted.
pub fn divided(op: BinaryOp, ty: Type, bits: u64) -> Mix {
    let is_power = bits.is_power_of_two();
    let quotient = match (is_power, ty.is_signed()) {
        (true, false) => Mix::of(Kind::Alu, words(ty)),
        (true, true) => Mix::of(Kind::Alu, 3.0 * words(ty)),
        (false, _) => binary(BinaryOp::Mul, ty) + Mix::of(Kind::Alu, 2.0 * words(ty)),
    };
    match op {
        BinaryOp::Rem if is_power => quotient,
        BinaryOp::Rem => quotient + binary(BinaryOp::Mul, ty),
        _ => quotient,
    }
}

/// A multiply-add. `shares` says that one operand is the same in all lanes.
pub fn fma(ty: Type, shares: bool) -> Mix {
    match ty {
        Type::F32 if !shares => Mix::of(Kind::OwnFma, 1.0),
        _ if ty.is_float() => rounded(ty, Kind::Fma, 3),
        _ if ty.bytes() == 8 => Mix::of(Kind::Mad, 4.0) + Mix::of(Kind::Alu, 2.0),
        _ => Mix::of(Kind::Mad, 1.0),
    }
}

/// A comparison of two values of this type.
pub fn compare(ty: Type) -> Mix {
    match ty {
        Type::F64 => Mix::of(Kind::Fma64, 1.0),
        Type::F16 | Type::Bf16 => Mix::of(Kind::Half, 2.0) + Mix::of(Kind::Alu, 1.0),
        _ => Mix::of(Kind::Alu, words(ty)),
    }
}

/// A conversion.
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

/// One float instruction. For 16-bit floats, each operand is widened and the result rounded.
fn rounded(ty: Type, kind: Kind, operands: usize) -> Mix {
    match ty {
        Type::F64 => Mix::of(Kind::Fma64, 1.0),
        Type::F16 | Type::Bf16 => Mix::of(Kind::Half, operands as f64 + 1.0) + Mix::of(kind, 1.0),
        _ => Mix::of(kind, 1.0),
    }
}

/// An approximation by one instruction, and the steps that refine it.
fn long(ty: Type, short: usize, double: usize) -> Mix {
    let kind = if ty == Type::F64 { Kind::Fma64 } else { Kind::Fma };
    let steps = if ty == Type::F64 { double } else { short };
    Mix::of(Kind::Convert, 1.0) + Mix::of(kind, steps as f64)
}

/// The words of a type.
pub fn words(ty: Type) -> f64 {
    ty.words() as f64
}
