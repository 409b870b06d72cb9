//! Conditions on types, such as `T == f64`. Each is a whole condition of a `where` and holds in an instance or does not.
use super::Instance;
use super::guards::is_comparison;
use super::names::unknown_type;
use super::scope::Scope;
use crate::fault::{Fault, Faults, Kind, NamesFact, TypesFact};
use crate::syntax::print_expr;
use crate::syntax::tree::{BinaryOp, Expr, ExprKind};

/// A comparison with a type on at least one side.
struct Comparison<'e> {
    op: BinaryOp,
    sides: [&'e Expr; 2],
}

fn comparison<'e>(expr: &'e Expr, scope: &Scope) -> Option<Comparison<'e>> {
    let ExprKind::Binary { op, left, right } = &expr.kind else { return None };
    let sides: [&Expr; 2] = [left, right];
    let of_types = is_comparison(*op) && sides.iter().any(|s| matches!(&s.kind, ExprKind::Name(n) if scope.is_type(n)));
    of_types.then_some(Comparison { op: *op, sides })
}

/// Whether a condition is on types.
pub fn is_on_types(condition: &Expr, scope: &Scope) -> bool {
    comparison(condition, scope).is_some()
}

/// Checks the names of a condition on types. Returns whether it is one.
pub fn check_names(condition: &Expr, scope: &Scope, faults: &mut Faults) -> bool {
    let Some(Comparison { sides, .. }) = comparison(condition, scope) else { return false };
    for side in sides {
        let ExprKind::Name(name) = &side.kind else { continue };
        match scope.find(name) {
            _ if scope.is_type(name) => {}
            Some((_, is)) => {
                faults.push(Fault::new(side.at, NamesFact::Wrong { name: name.clone(), is, expected: Kind::Type }));
            }
            None => faults.push(unknown_type(side.at, name, scope)),
        }
    }
    true
}

/// Reports a comparison of types outside a condition of a `where`. Returns whether there is one.
pub fn tell_misplaced(expr: &Expr, scope: &Scope, faults: &mut Faults) -> bool {
    let fault = misplaced(expr, scope);
    let found = fault.is_some();
    faults.extend(fault);
    found
}

/// The fault for comparing types inside a larger condition, a guard or a value.
fn misplaced(expr: &Expr, scope: &Scope) -> Option<Fault> {
    let Comparison { op, sides: [left, right] } = comparison(expr, scope)?;
    let may_be_type =
        |side: &Expr| matches!(&side.kind, ExprKind::Name(n) if scope.is_type(n) || scope.find(n).is_none());
    if !may_be_type(left) || !may_be_type(right) {
        return None;
    }
    let condition = equality(if op == BinaryOp::Ne { "!=" } else { "==" }, left, right);
    let fault = Fault::new(expr.at, NamesFact::TypesCompared { text: print_expr(expr) });
    Some(fault.with_advice(format!("use it to choose a map: `map where {condition} {{ … }}`")))
}

/// Whether a condition on types holds in an instance; `None` if it is not on types.
pub fn holds(condition: &Expr, scope: &Scope, instance: &Instance) -> Option<Result<bool, Fault>> {
    comparison(condition, scope).map(|comparison| decide(condition, &comparison, instance))
}

fn decide(condition: &Expr, comparison: &Comparison, instance: &Instance) -> Result<bool, Fault> {
    let [left, right] = comparison.sides;
    let same = ty(left, right, instance)? == ty(right, left, instance)?;
    match comparison.op {
        BinaryOp::Eq => Ok(same),
        BinaryOp::Ne => Ok(!same),
        BinaryOp::Lt => Err(no_order(condition, "<", equality("!=", left, right))),
        BinaryOp::Gt => Err(no_order(condition, ">", equality("!=", left, right))),
        BinaryOp::Le => Err(no_order(condition, "<=", equality("==", left, right))),
        _ => Err(no_order(condition, ">=", equality("==", left, right))),
    }
}

/// The type of one side of a comparison. Fails, naming the other side, if it is not a type.
fn ty(side: &Expr, other: &Expr, instance: &Instance) -> Result<super::Type, Fault> {
    let named = if let ExprKind::Name(name) = &side.kind { instance.type_named(name) } else { None };
    named.ok_or_else(|| {
        let (found, because) = (format!("`{}`", print_expr(side)), format!("`{}` is one", print_expr(other)));
        Fault::new(side.at, TypesFact::Mismatch { expected: "a type".to_string(), found, because })
    })
}

fn no_order(condition: &Expr, operation: &str, instead: String) -> Fault {
    let fact = TypesFact::NoOperation { operation: operation.to_string(), ty: "a type".to_string() };
    Fault::new(condition.at, fact).with_edit(format!("types have no order: write `{instead}`"), condition.at, instead)
}

fn equality(op: &str, left: &Expr, right: &Expr) -> String {
    format!("{} {op} {}", print_expr(left), print_expr(right))
}
