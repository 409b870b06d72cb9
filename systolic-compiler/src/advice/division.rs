//! `x[r / 2]`: an index cannot divide. Instead the loop runs over the quotient, with one store for every remainder:
//! `y[2 * r] = x[r]; y[2 * r + 1] = x[r];`. A variable that is computed along the loop becomes one for every remainder:
//! `S[r] = x[r / 2] + S[r - 1]` becomes `S0[r] = x[r] + S1[r - 1]; S1[r] = x[r] + S0[r];`.
use super::Offer;
use super::paths::{assigns, path, rewritten};
use crate::fault::Edit;
use crate::region::{Name, Region};
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, Kernel, Statement};
use crate::syntax::{print_assign, print_expr, print_kernel};
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
    let variables = variables(kernel);
    let text = print_kernel(kernel);
    let used: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let all = variables.iter().flat_map(|v| (0..by).map(move |rest| copy(v, rest)));
    if all.into_iter().any(|name| used.contains(&name.as_str())) {
        return None;
    }
    let split = Split { of: &of.name.text, k, by, variables: &variables };
    let mut changed = kernel.clone();
    changed.loops[k].high = high.clone();
    changed.statements = Vec::new();
    let mut edits = vec![Edit { at: of.high.at, code: print_expr(&high) }];
    let mut shown = Vec::new();
    for statement in &kernel.statements {
        let Statement::Assign(assign) = statement else { return None };
        let mut texts = Vec::new();
        for rest in 0..by {
            let mut store = assign.clone();
            if variables.contains(&assign.target.text) {
                store.target.text = copy(&assign.target.text, rest);
            } else {
                store.indices = assign.indices.iter().map(|i| split.rewrite(i, rest)).collect();
            }
            store.value = split.rewrite(&assign.value, rest);
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
    let count = if by == 2 { "two".to_string() } else { by.to_string() };
    let words = match variables.as_slice() {
        [] => format!("{count} stores"),
        [one] => format!("{count} variables for `{one}` and {count} stores"),
        _ => format!("{count} equations and {count} stores for each"),
    };
    let between = if variables.is_empty() && shown.len() <= shown::CODE { " " } else { "\n" };
    let text = format!("loop over the quotient, with {words}: `{head}` and{between}`{shown}`");
    (shown.len() <= shown::STATEMENTS).then(|| Offer::new(changed, text, edits))
}

/// The variables of a kernel: what its equations compute.
pub fn variables(kernel: &Kernel) -> Vec<String> {
    let mut variables: Vec<String> = Vec::new();
    for assign in assigns(kernel).filter(|a| !kernel.outputs.iter().any(|o| o.name == a.target)) {
        if !variables.contains(&assign.target.text) {
            variables.push(assign.target.text.clone());
        }
    }
    variables
}

/// The name of the variable that has the points with this remainder.
pub fn copy(variable: &str, rest: i128) -> String {
    format!("{variable}{rest}")
}

/// A loop that becomes `by * of + rest`.
struct Split<'a> {
    of: &'a str,
    /// The number of the loop, and so the position of its index in every variable.
    k: usize,
    by: i128,
    variables: &'a [String],
}

impl Split<'_> {
    fn rewrite(&self, expr: &Expr, rest: i128) -> Expr {
        rewritten(expr, &|e| self.part(e, rest))
    }

    fn part(&self, expr: &Expr, rest: i128) -> Option<Expr> {
        match &expr.kind {
            ExprKind::Index { name, indices } if self.variables.contains(&name.text) => {
                let (1, distance) = linear(indices.get(self.k)?, self.of)? else { return None };
                let to = rest.checked_add(distance)?;
                let mut indices = indices.clone();
                indices[self.k] = sum(1, to.div_euclid(self.by), self.of, expr.at);
                let name = Name { text: copy(&name.text, to.rem_euclid(self.by)), at: name.at };
                Some(Expr { kind: ExprKind::Index { name, indices }, at: expr.at })
            }
            ExprKind::If { condition, then, otherwise } => match self.holds(condition, rest)? {
                Ok(condition) => {
                    let (then, otherwise) = (self.rewrite(then, rest), self.rewrite(otherwise, rest));
                    let (then, otherwise) = (Box::new(then), Box::new(otherwise));
                    Some(Expr { kind: ExprKind::If { condition: Box::new(condition), then, otherwise }, at: expr.at })
                }
                Err(true) => Some(self.rewrite(then, rest)),
                Err(false) => Some(self.rewrite(otherwise, rest)),
            },
            _ => divided(expr, self.of, self.by, rest),
        }
    }

    /// A comparison of the loop with a number: as one of the quotient, or whether it always holds. The loop begins at 0.
    fn holds(&self, condition: &Expr, rest: i128) -> Option<Result<Expr, bool>> {
        let ExprKind::Binary { op, left, right } = &condition.kind else { return None };
        let (true, value) = (matches!(&left.kind, ExprKind::Name(name) if name == self.of), integer(right)?) else {
            return None;
        };
        let apart = value.checked_sub(rest)?;
        let (quotient, exact) = (apart.div_euclid(self.by), apart.rem_euclid(self.by) == 0);
        let above = if exact { quotient } else { quotient.checked_add(1)? };
        let compared = match op {
            BinaryOp::Eq if exact && quotient >= 0 => quotient,
            BinaryOp::Eq => return Some(Err(false)),
            BinaryOp::Lt | BinaryOp::Ge if above <= 0 => return Some(Err(*op == BinaryOp::Ge)),
            BinaryOp::Lt | BinaryOp::Ge => above,
            _ => return None,
        };
        let (left, right) = (left.clone(), Box::new(Expr::number(right.at, compared)));
        Some(Ok(Expr { kind: ExprKind::Binary { op: *op, left, right }, at: condition.at }))
    }
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
