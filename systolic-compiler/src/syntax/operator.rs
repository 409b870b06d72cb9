//! The text and precedence of operators, shared by parser and printer.
use super::tree::{BinaryOp, UnaryOp};
use BinaryOp::*;

pub(super) const COMPARISON: u8 = 3;
pub(super) const CAST: u8 = 10;
pub(super) const UNARY: u8 = 11;
pub(super) const ATOM: u8 = 12;
/// Above every precedence: forces parentheses.
pub(super) const ENCLOSED: u8 = 13;

const BINARY: [BinaryOp; 18] =
    [Mul, Div, Rem, Add, Sub, Shl, Shr, BitAnd, BitXor, BitOr, Eq, Ne, Lt, Le, Gt, Ge, And, Or];

/// Higher binds tighter, as in Rust.
pub(super) fn rank(op: BinaryOp) -> u8 {
    match op {
        Mul | Div | Rem => 9,
        Add | Sub => 8,
        Shl | Shr => 7,
        BitAnd => 6,
        BitXor => 5,
        BitOr => 4,
        Eq | Ne | Lt | Le | Gt | Ge => COMPARISON,
        And => 2,
        Or => 1,
    }
}

pub(super) fn text(op: BinaryOp) -> &'static str {
    match op {
        Mul => "*",
        Div => "/",
        Rem => "%",
        Add => "+",
        Sub => "-",
        Shl => "<<",
        Shr => ">>",
        BitAnd => "&",
        BitXor => "^",
        BitOr => "|",
        Eq => "==",
        Ne => "!=",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
        And => "&&",
        Or => "||",
    }
}

pub(super) fn binary(found: &str) -> Option<BinaryOp> {
    BINARY.into_iter().find(|&op| text(op) == found)
}

pub(super) fn sign(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "-",
        UnaryOp::Not => "!",
    }
}
