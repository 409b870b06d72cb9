//! A condition that joins a guard with a value, `n > 0 && x[n] > x[n - 1]`, guards nothing: both sides are evaluated.
//! The advice separates them, the guard outside: `if n > 0 { if x[n] > x[n - 1] { … } else { … } } else { … }`.
use super::paths::{children, path, with};
use super::{Offer, edit};
use crate::region::Region;
use crate::syntax::print_expr;
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, Kernel, ParameterKind};
use crate::target::shown;

/// The conditions around the read at `at`, each separated into guard and value; the innermost first.
pub fn offers(kernel: &Kernel, at: Region) -> Vec<Offer> {
    let Some(path) = path(kernel, at) else { return Vec::new() };
    let mut offers = Vec::new();
    for expr in path.iter().rev() {
        if let ExprKind::If { condition, then, otherwise } = &expr.kind
            && let Some(parts) = Parts::of(kernel, condition)
        {
            offers.extend(offer(kernel, expr, &parts, parts.around(then, otherwise), "nest the `if`s"));
        }
    }
    // For a nested `if` that is too long, or a condition that is itself the value.
    for expr in path.iter().rev() {
        if let Some(parts) = Parts::of(kernel, expr) {
            let value = |holds: bool| Expr { kind: ExprKind::Bool(holds), at: expr.at };
            let (joined, decided) = (parts.values.clone(), value(parts.op == BinaryOp::Or));
            let choice = match parts.op {
                BinaryOp::And => choose(&parts.guard, joined, decided),
                _ => choose(&parts.guard, decided, joined),
            };
            offers.extend(offer(kernel, expr, &parts, choice, "let an `if` guard it"));
        }
    }
    offers
}

fn offer(kernel: &Kernel, old: &Expr, parts: &Parts, new: Expr, what: &str) -> Option<Offer> {
    let word = if parts.op == BinaryOp::And { "&&" } else { "||" };
    let code = print_expr(&new);
    // An `if` needs parentheses if it is an operand.
    let code = if matches!(old.kind, ExprKind::If { .. }) { code } else { format!("({code})") };
    let text = format!("both sides of `{word}` are evaluated; {what}: `{code}`");
    (code.len() <= shown::CODE).then(|| Offer::new(with(kernel, old.at, &new), text, edit(old.at, code)))
}

fn choose(condition: &Expr, then: Expr, otherwise: Expr) -> Expr {
    let kind =
        ExprKind::If { condition: Box::new(condition.clone()), then: Box::new(then), otherwise: Box::new(otherwise) };
    Expr { kind, at: condition.at }
}

/// A condition separated into its guards and its values.
struct Parts {
    op: BinaryOp,
    guard: Expr,
    values: Expr,
}

impl Parts {
    fn of(kernel: &Kernel, condition: &Expr) -> Option<Parts> {
        let ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } = condition.kind else { return None };
        let mut operands = Vec::new();
        flatten(condition, op, &mut operands);
        let (values, guards): (Vec<Expr>, Vec<Expr>) = operands.into_iter().partition(|e| has_value(kernel, e));
        Some(Parts { op, guard: join(guards, op)?, values: join(values, op)? })
    }

    /// The `if` with the guard outside and the values inside.
    fn around(&self, then: &Expr, otherwise: &Expr) -> Expr {
        let inner = choose(&self.values, then.clone(), otherwise.clone());
        match self.op {
            BinaryOp::And => choose(&self.guard, inner, otherwise.clone()),
            _ => choose(&self.guard, then.clone(), inner),
        }
    }
}

fn flatten(expr: &Expr, op: BinaryOp, out: &mut Vec<Expr>) {
    match &expr.kind {
        ExprKind::Binary { op: inner, left, right } if *inner == op => {
            flatten(left, op, out);
            flatten(right, op, out);
        }
        _ => out.push(expr.clone()),
    }
}

fn join(operands: Vec<Expr>, op: BinaryOp) -> Option<Expr> {
    operands.into_iter().reduce(|left, right| {
        let at = left.at.to(right.at);
        Expr { kind: ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, at }
    })
}

/// Whether an expression reads an array, a variable, a scalar or a constant, and so is not a guard.
fn has_value(kernel: &Kernel, expr: &Expr) -> bool {
    let scalar = |n: &str| {
        let parameter = |p: &&crate::syntax::tree::Parameter| matches!(p.kind, ParameterKind::Scalar { .. });
        kernel.parameters.iter().filter(parameter).any(|p| p.name.text == n)
            || kernel.constants.iter().any(|c| c.name.text == n)
    };
    match &expr.kind {
        ExprKind::Index { .. } | ExprKind::Call { .. } | ExprKind::Cast { .. } | ExprKind::Float { .. } => true,
        ExprKind::Name(name) => scalar(name),
        _ => children(expr).into_iter().any(|child| has_value(kernel, child)),
    }
}
