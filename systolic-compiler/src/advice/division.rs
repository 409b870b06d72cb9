//! `x[r / 2]`: an index cannot divide. Instead the loop runs over the quotient, with one store for every remainder:
//! `y[2 * r] = x[r]; y[2 * r + 1] = x[r];`.
use super::Offer;
use super::paths::{assigns, path, rewritten};
use crate::fault::Edit;
use crate::region::Region;
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, Kernel, Statement};
use crate::syntax::{print_assign, print_expr};
use crate::target::shown;

/// The kernel in which the loop that is divided at `at` runs over the quotient.
pub fn offers(kernel: &Kernel, at: Region) -> Vec<Offer> {
    offer(kernel, at).into_iter().collect()
}

fn offer(kernel: &Kernel, at: Region) -> Option<Offer> {
    let path = path(kernel, at)?;
    let ExprKind::Binary { op: BinaryOp::Div, left, right } = &path.last()?.kind else { return None };
    let by = integer(right).filter(|by| (2..=shown::STORES).contains(by))?;
    let k = kernel.loops.iter().position(|l| linear(left, &l.name.text).is_some_and(|(coef, _)| coef != 0))?;
    let of = &kernel.loops[k];
    let high = (integer(&of.low) == Some(0)).then(|| quotient(&of.high, by)).flatten()?;
    let stores = |name| kernel.outputs.iter().any(|o| o.name == name);
    if !assigns(kernel).all(|a| stores(a.target.clone())) {
        return None;
    }
    let mut changed = kernel.clone();
    changed.loops[k].high = high.clone();
    changed.statements = Vec::new();
    let mut edits = vec![Edit { at: of.high.at, code: print_expr(&high) }];
    let mut shown = Vec::new();
    for statement in &kernel.statements {
        let Statement::Assign(assign) = statement else { return None };
        let mut texts = Vec::new();
        for rest in 0..by {
            let split = |e: &Expr| divided(e, &of.name.text, by, rest);
            let mut store = assign.clone();
            store.indices = assign.indices.iter().map(|i| rewritten(i, &split)).collect();
            store.value = rewritten(&assign.value, &split);
            texts.push(print_assign(&store));
            changed.statements.push(Statement::Assign(store));
        }
        let code = texts.join(" ");
        // The last `;` is already in the source.
        edits.push(Edit { at: assign.at.to(assign.value.at), code: code.trim_end_matches(';').to_string() });
        shown.push(code);
    }
    let shown = shown.join(" ");
    let head = format!("{} in 0..{}", of.name.text, print_expr(&high));
    let words = if by == 2 { "two stores".to_string() } else { format!("{by} stores") };
    let text = format!("loop over the quotient, with {words}: `{head}` and `{shown}`");
    (shown.len() <= shown::CODE).then(|| Offer::new(changed, text, edits))
}

fn integer(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int { value, suffix: None } => Some(*value),
        _ => None,
    }
}

/// The coefficient and the constant of an affine form of one loop.
pub fn linear(expr: &Expr, of: &str) -> Option<(i128, i128)> {
    match &expr.kind {
        ExprKind::Int { value, suffix: None } => Some((0, *value)),
        ExprKind::Name(name) if name == of => Some((1, 0)),
        ExprKind::Binary { op, left, right } => {
            let (a, b) = (linear(left, of)?, linear(right, of)?);
            match op {
                BinaryOp::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
                BinaryOp::Sub => Some((a.0.checked_sub(b.0)?, a.1.checked_sub(b.1)?)),
                BinaryOp::Mul if a.0 == 0 => Some((a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?)),
                BinaryOp::Mul if b.0 == 0 => Some((b.1.checked_mul(a.0)?, b.1.checked_mul(a.1)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// An exact quotient: `2 * N` divided by 2 is `N`.
fn quotient(expr: &Expr, by: i128) -> Option<Expr> {
    match &expr.kind {
        ExprKind::Int { value, suffix: None } if value % by == 0 => Some(Expr::number(expr.at, value / by)),
        ExprKind::Binary { op: BinaryOp::Mul, left, right } => match (integer(left), integer(right)) {
            (Some(value), _) if value == by => Some((**right).clone()),
            (_, Some(value)) if value == by => Some((**left).clone()),
            _ => None,
        },
        _ => None,
    }
}

/// An expression with `of` replaced by `by * of + rest`, and with its divisions and remainders by `by` evaluated.
fn divided(expr: &Expr, of: &str, by: i128, rest: i128) -> Option<Expr> {
    let at = expr.at;
    match &expr.kind {
        ExprKind::Binary { op: BinaryOp::Div, left, right } if integer(right) == Some(by) => {
            let (coef, constant) = linear(left, of)?;
            Some(sum(coef, (coef * rest + constant).div_euclid(by), of, at))
        }
        ExprKind::Binary { op: BinaryOp::Rem, left, right } if integer(right) == Some(by) => {
            let (coef, constant) = linear(left, of)?;
            Some(Expr::number(at, (coef * rest + constant).rem_euclid(by)))
        }
        _ => {
            let (coef, constant) = linear(expr, of).filter(|(coef, _)| *coef != 0)?;
            Some(sum(coef * by, coef * rest + constant, of, at))
        }
    }
}

/// `coef * of + constant`
fn sum(coef: i128, constant: i128, of: &str, at: Region) -> Expr {
    let binary =
        |op, left, right| Expr { kind: ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, at };
    let name = Expr { kind: ExprKind::Name(of.to_string()), at };
    let product = if coef == 1 { name } else { binary(BinaryOp::Mul, Expr::number(at, coef), name) };
    match constant {
        0 => product,
        1.. => binary(BinaryOp::Add, product, Expr::number(at, constant)),
        _ => binary(BinaryOp::Sub, product, Expr::number(at, -constant)),
    }
}
