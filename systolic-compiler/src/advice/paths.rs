//! Finds an expression in a kernel, and replaces it by another.
use crate::region::{Region, identity};
use crate::syntax::tree::{Assign, Expr, ExprKind, Kernel, Statement};

pub fn same_place(a: Region, b: Region) -> bool {
    identity(a.start) == identity(b.start) && identity(a.end) == identity(b.end)
}

/// The assignments, in source order.
pub fn assigns(kernel: &Kernel) -> impl Iterator<Item = &Assign> {
    kernel.statements.iter().flat_map(|s| match s {
        Statement::Assign(assign) => std::slice::from_ref(assign).iter(),
        Statement::If { stores, .. } => stores.iter(),
    })
}

/// The operands of an expression.
pub fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Index { indices: all, .. } | ExprKind::Call { arguments: all, .. } => all.iter().collect(),
        ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => vec![operand],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::If { condition, then, otherwise } => vec![condition, then, otherwise],
        _ => Vec::new(),
    }
}

/// The expressions from a statement's value down to the one at `at`, the outermost first.
pub fn path(kernel: &Kernel, at: Region) -> Option<Vec<&Expr>> {
    assigns(kernel).find_map(|assign| {
        let mut path = Vec::new();
        descend(&assign.value, at, &mut path).then_some(path)
    })
}

fn descend<'k>(expr: &'k Expr, at: Region, path: &mut Vec<&'k Expr>) -> bool {
    path.push(expr);
    if same_place(expr.at, at) || children(expr).into_iter().any(|child| descend(child, at, path)) {
        return true;
    }
    path.pop();
    false
}

/// The expression with every part replaced for which `change` returns another.
pub fn rewritten(expr: &Expr, change: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
    if let Some(other) = change(expr) {
        return other;
    }
    let boxed = |e: &Expr| Box::new(rewritten(e, change));
    let all = |list: &[Expr]| list.iter().map(|e| rewritten(e, change)).collect();
    let kind = match &expr.kind {
        ExprKind::Index { name, indices } => ExprKind::Index { name: name.clone(), indices: all(indices) },
        ExprKind::Call { function, arguments } => {
            ExprKind::Call { function: function.clone(), arguments: all(arguments) }
        }
        ExprKind::Unary { op, operand } => ExprKind::Unary { op: *op, operand: boxed(operand) },
        ExprKind::Cast { operand, ty } => ExprKind::Cast { operand: boxed(operand), ty: ty.clone() },
        ExprKind::Binary { op, left, right } => ExprKind::Binary { op: *op, left: boxed(left), right: boxed(right) },
        ExprKind::If { condition, then, otherwise } => {
            ExprKind::If { condition: boxed(condition), then: boxed(then), otherwise: boxed(otherwise) }
        }
        leaf => leaf.clone(),
    };
    Expr { kind, at: expr.at }
}

/// The kernel with the expression at `at` replaced by `other`.
pub fn with(kernel: &Kernel, at: Region, other: &Expr) -> Kernel {
    let change = |e: &Expr| same_place(e.at, at).then(|| other.clone());
    let mut changed = kernel.clone();
    let value = |assign: &mut Assign| assign.value = rewritten(&assign.value, &change);
    for statement in &mut changed.statements {
        match statement {
            Statement::Assign(assign) => value(assign),
            Statement::If { stores, .. } => stores.iter_mut().for_each(value),
        }
    }
    changed
}
