//! Lowers the expressions of the kernel to values of the body, in one instance.
use super::body::{Body, Need};
use crate::mapping::Instance;
use crate::model::{Expr, ExprKind};
use crate::planted::planted;
use crate::program::{Condition, Operation, ValueId};

impl Body<'_, '_> {
    /// The value of an expression in an instance, which is needed only where a condition holds. Fails if it needs a value of
    /// this step that is not computed yet.
    pub fn expression(&mut self, expr: &Expr, instance: &Instance, need: &Condition) -> Result<ValueId, Need> {
        let ty = expr.ty;
        let operation = match &expr.kind {
            ExprKind::Literal(value) => Operation::Literal(value.bits()),
            ExprKind::Index(form) => Operation::Index(self.form(form, instance)),
            ExprKind::Holds(guard) => Operation::Holds(self.at(guard, instance)),
            ExprKind::Element { element, .. } => return Ok(self.load(element, ty, instance, need)),
            ExprKind::Lookup { array, index } => {
                let index = index.iter().map(|i| self.expression(i, instance, need));
                let mut index = index.collect::<Result<Vec<ValueId>, Need>>()?;
                if planted(82) {
                    index.reverse();
                }
                Operation::Lookup { array: *array, index }
            }
            ExprKind::Read { variable, distance, .. } => return self.wire(*variable, distance, instance, need),
            ExprKind::If { guard, then, otherwise } => {
                let condition = self.at(guard, instance);
                // A branch that is never taken is not built, so its wires cost nothing.
                match condition {
                    Condition::True => return self.expression(then, instance, need),
                    Condition::False => return self.expression(otherwise, instance, need),
                    _ => {}
                }
                let a = self.expression(then, instance, &need.clone().and(condition.clone()))?;
                let other = if planted(13) { condition.clone() } else { condition.clone().negate() };
                let b = self.expression(otherwise, instance, &need.clone().and(other))?;
                return Ok(self.select(condition, a, b, ty));
            }
            ExprKind::Unary { op, operand } => Operation::Unary(*op, self.expression(operand, instance, need)?),
            ExprKind::Cast { operand } => {
                let operand_id = self.expression(operand, instance, need)?;
                if operand.ty == ty {
                    return Ok(operand_id);
                }
                Operation::Cast(operand_id)
            }
            ExprKind::Binary { op, left, right } => {
                let a = self.expression(left, instance, need)?;
                Operation::Binary(*op, a, self.expression(right, instance, need)?)
            }
            ExprKind::Compare { op, left, right } => {
                let a = self.expression(left, instance, need)?;
                Operation::Compare(*op, a, self.expression(right, instance, need)?)
            }
            ExprKind::Fma { a, b, c } => {
                let a = self.expression(a, instance, need)?;
                let b = self.expression(b, instance, need)?;
                Operation::Fma(a, b, self.expression(c, instance, need)?)
            }
            ExprKind::Select { condition, then, otherwise } => {
                let c = self.expression(condition, instance, need)?;
                let a = self.expression(then, instance, need)?;
                let b = self.expression(otherwise, instance, need)?;
                if a == b {
                    return Ok(a);
                }
                Operation::Choose(c, a, b)
            }
        };
        Ok(self.number(operation, ty))
    }
}
