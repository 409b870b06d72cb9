//! A `bool` where a number is needed, as in `mask[n] * 0.5`, for which an `if` says which numbers are meant; and a number as the
//! condition of an `if`.
use super::Offer;
use super::casts::{operands, replaced};
use super::paths::{path, rewritten, same_place};
use crate::region::Region;
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, Kernel, UnaryOp};

/// An `if` for a `bool` that stands beside a number, or is stored as one. `at` is the place of what does not fit.
pub fn offers(kernel: &Kernel, at: Region, expected: &str, found: &str) -> Vec<Offer> {
    if (expected == "bool") == (found == "bool") {
        return Vec::new();
    }
    let Some(path) = path(kernel, at) else { return Vec::new() };
    let Some(fault) = path.last() else { return Vec::new() };
    let number = if expected == "bool" { found } else { expected };
    // Without a parent the value is stored. A number that is stored as a bool is another mistake.
    let Some(parent) = path.len().checked_sub(2).map(|k| path[k]) else {
        return match found == "bool" {
            true => replaced(kernel, fault, &choice(fault, number)).into_iter().collect(),
            false => Vec::new(),
        };
    };
    if let ExprKind::If { condition, .. } = &parent.kind
        && same_place(condition.at, at)
    {
        let (left, right) = (Box::new((*fault).clone()), Box::new(constant(fault, 0, number)));
        let new = Expr { kind: ExprKind::Binary { op: BinaryOp::Ne, left, right }, at };
        return replaced(kernel, fault, &new).into_iter().collect();
    }
    let all = operands(parent);
    let Some(k) = all.iter().position(|e| same_place(e.at, at)) else { return Vec::new() };
    // The operands before this one agree with each other: this is the first that does not.
    let bools = if found == "bool" { &all[k..=k] } else { &all[..k] };
    let new = match (&parent.kind, all.as_slice()) {
        (ExprKind::Binary { op: BinaryOp::Mul, .. }, [left, right]) => {
            let (bool, other) = if found == "bool" { (right, left) } else { (left, right) };
            selected(bool, (*other).clone(), constant(other, 0, number))
        }
        (ExprKind::Binary { op: op @ (BinaryOp::Eq | BinaryOp::Ne), .. }, [left, right]) if found != "bool" => {
            match right.kind {
                // `mask[n] == 1` asks what `mask[n]` says already.
                ExprKind::Int { value, .. } if (value != 0) == (*op == BinaryOp::Eq) => (*left).clone(),
                ExprKind::Int { .. } => {
                    let kind = ExprKind::Unary { op: UnaryOp::Not, operand: Box::new((*left).clone()) };
                    Expr { kind, at: left.at }
                }
                _ => return Vec::new(),
            }
        }
        _ => rewritten(parent, &|e| bools.iter().any(|b| same_place(b.at, e.at)).then(|| choice(e, number))),
    };
    replaced(kernel, parent, &new).into_iter().collect()
}

/// `if bool { 1 } else { 0 }`, as numbers of this type.
fn choice(bool: &Expr, number: &str) -> Expr {
    selected(bool, constant(bool, 1, number), constant(bool, 0, number))
}

fn selected(bool: &Expr, then: Expr, otherwise: Expr) -> Expr {
    let kind = ExprKind::If { condition: Box::new(bool.clone()), then: Box::new(then), otherwise: Box::new(otherwise) };
    Expr { kind, at: bool.at }
}

/// A literal of this type. A float gets a point, as one would write it.
fn constant(near: &Expr, value: u8, number: &str) -> Expr {
    let kind = match number == "a float" || number.contains("f16") || number == "f32" || number == "f64" {
        true => ExprKind::Float { text: format!("{value}.0"), suffix: None },
        false => ExprKind::Int { value: value.into(), suffix: None },
    };
    Expr { kind, at: near.at }
}
