//! Turns conditions on indices, sizes and generics into formulas.
use super::affine::Context;
use super::constant;
use super::{Form, Formula, Int};
use crate::fault::{Fault, SizesFact, UniformFact};
use crate::syntax::print_expr;
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::target::limits;

impl Context<'_> {
    /// Whether a condition uses indices, sizes and generics alone, and so is a guard.
    pub fn is_guard(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Bool(_) => true,
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.is_guard(operand),
            ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, left, right } => {
                self.is_guard(left) && self.is_guard(right)
            }
            ExprKind::Binary { op, left, right } => is_comparison(*op) && self.is_index(left) && self.is_index(right),
            _ => false,
        }
    }

    /// The formula of a guard. Fails if it is not affine.
    pub fn guard(&self, expr: &Expr) -> Result<Formula, Fault> {
        match &expr.kind {
            ExprKind::Bool(true) => Ok(Formula::True),
            ExprKind::Bool(false) => Ok(Formula::False),
            ExprKind::Unary { op: UnaryOp::Not, operand } => Ok(self.guard(operand)?.negate()),
            ExprKind::Binary { op: BinaryOp::And, left, right } => Ok(self.guard(left)?.and(self.guard(right)?)),
            ExprKind::Binary { op: BinaryOp::Or, left, right } => Ok(self.guard(left)?.or(self.guard(right)?)),
            ExprKind::Binary { op, left, right } if is_comparison(*op) => self.comparison(*op, left, right, expr),
            _ => Err(Fault::new(expr.at, UniformFact::NotAffine { text: print_expr(expr), what: "a condition" })),
        }
    }

    fn comparison(&self, op: BinaryOp, left: &Expr, right: &Expr, whole: &Expr) -> Result<Formula, Fault> {
        if let ExprKind::Binary { op: BinaryOp::Rem, left: of, right: by } = &left.kind {
            let form = self.form(of, "the left side of `%`")?;
            if !form.is_constant() {
                return self.remainder(op, form, by, right, whole);
            }
        }
        let (a, b) = (self.form(left, "a condition")?, self.form(right, "a condition")?);
        Ok(match op {
            BinaryOp::Eq => Formula::equal(&a, &b),
            BinaryOp::Ne => Formula::differs(&a, &b),
            BinaryOp::Lt => Formula::less(&a, &b),
            BinaryOp::Le => Formula::at_most(&a, &b),
            BinaryOp::Gt => Formula::greater(&a, &b),
            _ => Formula::at_least(&a, &b),
        })
    }

    /// The formula of `form % by == right`; the remainder is never negative.
    fn remainder(&self, op: BinaryOp, form: Form, by: &Expr, right: &Expr, whole: &Expr) -> Result<Formula, Fault> {
        let wrong_form = || {
            let text = print_expr(whole);
            let fault = Fault::new(whole.at, UniformFact::RemainderForm { text });
            match (&whole.kind, op) {
                (ExprKind::Binary { left, right, .. }, BinaryOp::Ne) => {
                    let code = format!("!({} == {})", print_expr(left), print_expr(right));
                    fault.with_edit(format!("write `{code}`"), whole.at, code)
                }
                _ => fault,
            }
        };
        if op != BinaryOp::Eq {
            return Err(wrong_form());
        }
        let modulus = constant::number(by, self.instance)?;
        let is = constant::number(right, self.instance)?;
        if !(1..=limits::NUMBER).contains(&modulus) {
            return Err(Fault::new(by.at, SizesFact::Modulus { value: modulus }));
        }
        if !(0..modulus).contains(&is) {
            return Ok(Formula::False);
        }
        Ok(if modulus == 1 { Formula::True } else { Formula::Remainder { form, modulus, is: is as Int } })
    }
}

pub fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}
