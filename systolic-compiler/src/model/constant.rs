//! Evaluates constant expressions of integers and generics: matrix entries, tiles, folds, overlaps.
use super::sizes::overflow;
use super::{Instance, Int};
use crate::fault::{Fault, SizesFact, UniformFact};
use crate::syntax::print_expr;
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

/// The value of an expression in this instance. Fails if it is not constant, divides by 0 or overflows.
pub fn number(expr: &Expr, instance: &Instance) -> Result<Int, Fault> {
    match &expr.kind {
        ExprKind::Int { value, suffix: None } => Ok(*value),
        ExprKind::Name(name) => match instance.number(name) {
            Some(value) => Ok(Int::from(value)),
            None => Err(not_constant(expr)),
        },
        ExprKind::Unary { op: UnaryOp::Neg, operand } => {
            number(operand, instance)?.checked_neg().ok_or_else(|| overflow(expr))
        }
        ExprKind::Binary { op, left, right } => {
            let (a, b) = (number(left, instance)?, number(right, instance)?);
            combine(*op, a, b, expr)?.ok_or_else(|| not_constant(expr))
        }
        _ => Err(not_constant(expr)),
    }
}

/// `a op b` for the operations of constants; `None` for any other operation. Fails on division by 0.
pub fn combine(op: BinaryOp, a: Int, b: Int, expr: &Expr) -> Result<Option<Int>, Fault> {
    let result = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => {
            return Err(Fault::new(expr.at, SizesFact::DivisionByZero { text: print_expr(expr) }));
        }
        BinaryOp::Div => a.checked_div(b),
        BinaryOp::Rem => a.checked_rem(b),
        _ => return Ok(None),
    };
    result.map(Some).ok_or_else(|| overflow(expr))
}

fn not_constant(expr: &Expr) -> Fault {
    Fault::new(expr.at, UniformFact::NotAffine { text: print_expr(expr), what: "a constant of integers and generics" })
}
