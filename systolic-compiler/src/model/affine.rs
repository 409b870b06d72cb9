//! Turns expressions of loops, sizes and integers into affine forms.
use super::constant::combine;
use super::scope::{Scope, Symbol};
use super::sizes::{fits, overflow};
use super::{Form, Instance, Int};
use crate::fault::{Fault, UniformFact};
use crate::region::Name;
use crate::syntax::print_expr;
use crate::syntax::tree::{self, BinaryOp, Expr, ExprKind, UnaryOp};

/// The meaning of names while an instance is built.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub kernel: &'a tree::Kernel,
    pub scope: &'a Scope,
    pub instance: &'a Instance,
}

impl Context<'_> {
    /// The dimension of a loop or size.
    fn dim(&self, symbol: Symbol) -> Option<usize> {
        match symbol {
            Symbol::Size(s) => Some(s),
            Symbol::Loop(l) => Some(self.scope.sizes.len() + l),
            _ => None,
        }
    }

    /// The affine form of an expression; `what` names its role in a message. Fails if it is not affine or too large.
    pub fn form(&self, expr: &Expr, what: &'static str) -> Result<Form, Fault> {
        let form = self.unbounded(expr, what)?;
        fits(&form, expr)?;
        Ok(form)
    }

    fn unbounded(&self, expr: &Expr, what: &'static str) -> Result<Form, Fault> {
        let not_affine = || Fault::new(expr.at, UniformFact::NotAffine { text: print_expr(expr), what });
        match &expr.kind {
            ExprKind::Int { value, suffix: None } => Ok(Form::constant(*value)),
            ExprKind::Name(name) => match self.scope.find(name).map(|(s, _)| s) {
                Some(Symbol::Number) => {
                    Ok(Form::constant(self.instance.number(name).map(Int::from).unwrap_or_default()))
                }
                Some(symbol) => match self.dim(symbol) {
                    Some(dim) => Ok(Form::var(dim)),
                    None => Err(Fault::new(expr.at, UniformFact::ValueIndex { text: name.clone() })),
                },
                None => Err(not_affine()),
            },
            ExprKind::Index { name, .. } if self.is_length(&name.text) => {
                let size = self.scope.length_size(self.kernel, expr);
                size.map(Form::var).ok_or_else(|| self.length_index(expr, &name.text))
            }
            ExprKind::Index { .. } => Err(Fault::new(expr.at, UniformFact::ValueIndex { text: print_expr(expr) })),
            ExprKind::Unary { op: UnaryOp::Neg, operand } => scaled(&self.unbounded(operand, what)?, -1, expr),
            ExprKind::Binary { op, left, right } => {
                let (a, b) = (self.unbounded(left, what)?, self.unbounded(right, what)?);
                match op {
                    BinaryOp::Add => sum(&a, &b, 1, expr),
                    BinaryOp::Sub => sum(&a, &b, -1, expr),
                    BinaryOp::Mul if b.is_constant() => scaled(&a, b.constant, expr),
                    BinaryOp::Mul if a.is_constant() => scaled(&b, a.constant, expr),
                    BinaryOp::Div | BinaryOp::Rem if a.is_constant() && b.is_constant() => {
                        combine(*op, a.constant, b.constant, expr)?.map(Form::constant).ok_or_else(not_affine)
                    }
                    BinaryOp::Div | BinaryOp::Rem => Err(self.division(&a, &b, left, expr)),
                    _ => Err(not_affine()),
                }
            }
            _ => Err(not_affine()),
        }
    }

    /// Whether a name is a parameter whose elements are lengths.
    pub fn is_length(&self, name: &str) -> bool {
        self.scope.lengths_named(self.kernel, name).is_some()
    }

    /// The fault for lengths at an index that is not a loop plus a number.
    fn length_index(&self, expr: &Expr, name: &str) -> Fault {
        let ExprKind::Index { indices, .. } = &expr.kind else { return overflow(expr) };
        let wrong = indices.iter().find(|index| self.scope.beside_loop(index).is_none()).unwrap_or(expr);
        Fault::new(wrong.at, UniformFact::LengthIndex { text: print_expr(wrong), lengths: name.to_string() })
    }

    /// The fault for `a / b` or `a % b`. For a loop divided by a constant, the help shows the two loops to write instead.
    fn division(&self, a: &Form, b: &Form, left: &Expr, expr: &Expr) -> Fault {
        let text = print_expr(expr);
        let loops = &self.scope.loops;
        let Some(of) = (0..loops.len()).find(|l| a.coef(self.scope.sizes.len() + l) != 0).map(|l| &loops[l]) else {
            return Fault::new(expr.at, UniformFact::RunTimeDivision { text });
        };
        let fault = Fault::new(expr.at, UniformFact::LoopDivision { text: text.clone(), of: of.clone() });
        if !b.is_constant() || b.constant < 2 {
            return fault;
        }
        let by = b.constant;
        let is_output = |name: &Name| self.kernel.outputs.iter().any(|o| o.name == *name);
        let targets = self.kernel.statements.iter().find_map(|s| match s {
            tree::Statement::Assign(assign) if !is_output(&assign.target) => Some(&assign.target.text),
            _ => None,
        });
        // The index of a variable is a loop, not `2 * rb + ri`: two loops would not do.
        if let Some(variable) = targets {
            return fault.with_advice(format!(
                "let `{of}` run over the quotients, and compute a variable for every remainder by {by}: `{variable}0` has the \
                 values at `{by} * {of}`, `{variable}1` those at `{by} * {of} + 1`"
            ));
        }
        let stands = match (&expr.kind, &left.kind) {
            (ExprKind::Binary { op: BinaryOp::Div, .. }, ExprKind::Name(_)) => format!(" and `{of}b` for `{text}`"),
            (ExprKind::Binary { op: BinaryOp::Rem, .. }, ExprKind::Name(_)) => format!(" and `{of}i` for `{text}`"),
            _ => String::new(),
        };
        fault.with_advice(format!(
            "split it into two loops, `{of}b` over the quotients and `{of}i in 0..{by}`, and write \
             `{by} * {of}b + {of}i` for `{of}`{stands}"
        ))
    }

    /// Whether an expression is built of loops, sizes, lengths, generics and plain integers alone.
    pub fn is_index(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Int { suffix, .. } => suffix.is_none(),
            ExprKind::Name(name) => {
                matches!(self.scope.find(name), Some((Symbol::Number | Symbol::Size(_) | Symbol::Loop(_), _)))
            }
            ExprKind::Index { name, .. } => self.is_length(&name.text),
            ExprKind::Unary { op: UnaryOp::Neg, operand } => self.is_index(operand),
            ExprKind::Binary { op, left, right } => {
                use BinaryOp::*;
                matches!(op, Add | Sub | Mul | Div | Rem) && self.is_index(left) && self.is_index(right)
            }
            _ => false,
        }
    }
}

fn sum(a: &Form, b: &Form, sign: Int, expr: &Expr) -> Result<Form, Fault> {
    let count = a.coefs.len().max(b.coefs.len());
    let add = |x: Int, y: Int| y.checked_mul(sign).and_then(|y| x.checked_add(y)).ok_or_else(|| overflow(expr));
    let coefs = (0..count).map(|k| add(a.coef(k), b.coef(k))).collect::<Result<Vec<_>, _>>()?;
    Ok(form(coefs, add(a.constant, b.constant)?))
}

fn scaled(a: &Form, by: Int, expr: &Expr) -> Result<Form, Fault> {
    let times = |x: Int| x.checked_mul(by).ok_or_else(|| overflow(expr));
    let coefs = a.coefs.iter().map(|c| times(*c)).collect::<Result<Vec<_>, _>>()?;
    Ok(form(coefs, times(a.constant)?))
}

/// A form without trailing zeros, so that equal forms compare equal.
fn form(mut coefs: Vec<Int>, constant: Int) -> Form {
    while coefs.last() == Some(&0) {
        coefs.pop();
    }
    Form { coefs, constant }
}
