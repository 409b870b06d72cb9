//! `else` after an `if` around statements. The language does not have it; the fault shows what to write instead.
use super::expr::expression;
use super::input::{Input, Result, not_here};
use super::print::{print_assign, print_expr};
use super::tree::{Assign, BinaryOp, Expr, ExprKind, Output, UnaryOp};
use crate::fault::Fault;
use crate::region::Region;
use crate::target::shown;
use proc_macro2::Delimiter;

/// One `if`, `else if` or `else` with its statements.
pub(super) struct Arm {
    /// `None` for a final `else`.
    pub condition: Option<Expr>,
    pub assigns: Vec<Assign>,
}

/// The fault for an `else` at `at`. `first` is the arm before it, whose `if` stands at `start`; `rest` is the input after
/// the word `else`. `assign` reads one statement.
pub(super) fn fault<'a>(
    (start, at): (Region, Region),
    first: Arm,
    rest: Input<'a>,
    outputs: &[Output],
    assign: impl Fn(&mut Input<'a>) -> Result<Assign>,
) -> Fault {
    let fault = *not_here(at, "`else` around equations and stores", "");
    let general = "write every variable and every element once, with the `if` as its value: \
                   `V[i] = if … { … } else { … };`";
    let Ok((arms, end)) = arms(first, rest, assign) else { return fault.with_advice(general) };
    if let Some(code) = joined(&arms) {
        let words = format!("write one equation with the `if` as its value: `{code}`");
        return match code.len() <= shown::JOINED_CODE {
            true => fault.with_edit(words, start.to(end), code),
            false => fault.with_advice(general),
        };
    }
    let stores = |arm: &Arm| arm.assigns.iter().all(|a| outputs.iter().any(|o| o.name == a.target));
    match arms.as_slice() {
        [Arm { condition: Some(guard), .. }, Arm { condition: None, assigns }] if arms.iter().all(stores) => {
            let assigns: Vec<String> = assigns.iter().map(print_assign).collect();
            let code = format!("if {} {{ {} }}", print_expr(&opposite(guard)), assigns.join(" "));
            match code.len() <= shown::JOINED_CODE {
                true => fault.with_advice(format!("write a second `if` with the opposite guard: `{code}`")),
                false => fault.with_advice("write a second `if` with the opposite guard"),
            }
        }
        _ => fault.with_advice(general),
    }
}

/// Reads all arms. Also returns the region of the last closing brace.
fn arms<'a>(
    first: Arm,
    mut input: Input<'a>,
    assign: impl Fn(&mut Input<'a>) -> Result<Assign>,
) -> Result<(Vec<Arm>, Region)> {
    let mut arms = vec![first];
    loop {
        let condition = match input.eat_word("if") {
            Some(_) => Some(expression(&mut input)?),
            None => None,
        };
        let last = condition.is_none();
        let (mut inside, braces) = input.expect_group(Delimiter::Brace, "`{`")?;
        let mut assigns = Vec::new();
        while !inside.at_end() {
            assigns.push(assign(&mut inside)?);
        }
        arms.push(Arm { condition, assigns });
        if last || input.eat_word("else").is_none() {
            return Ok((arms, Region::of(braces.end)));
        }
    }
}

/// One equation per left side, if all arms have the same left sides and the last arm is a plain `else`.
fn joined(arms: &[Arm]) -> Option<String> {
    let (last, before) = arms.split_last()?;
    let same = |arm: &Arm| {
        arm.assigns.len() == last.assigns.len()
            && arm.assigns.iter().zip(&last.assigns).all(|(a, b)| a.target == b.target && a.indices == b.indices)
    };
    if arms.len() > shown::JOINED_ARMS
        || last.condition.is_some()
        || last.assigns.is_empty()
        || !before.iter().all(same)
    {
        return None;
    }
    let mut equations = Vec::new();
    for (k, end) in last.assigns.iter().enumerate() {
        let mut value = end.value.clone();
        for arm in before.iter().rev() {
            let condition = Box::new(arm.condition.clone()?);
            let then = Box::new(arm.assigns[k].value.clone());
            value = Expr { at: value.at, kind: ExprKind::If { condition, then, otherwise: Box::new(value) } };
        }
        equations.push(print_assign(&Assign { value, ..end.clone() }));
    }
    Some(equations.join(" "))
}

/// The negation of a condition.
fn opposite(guard: &Expr) -> Expr {
    use BinaryOp::*;
    let kind = match &guard.kind {
        ExprKind::Unary { op: UnaryOp::Not, operand } => return (**operand).clone(),
        // The only comparison of a remainder is `==`.
        ExprKind::Binary { op: Eq, left, .. } if matches!(left.kind, ExprKind::Binary { op: Rem, .. }) => None,
        ExprKind::Binary { op, left, right } => {
            let turned = match op {
                Eq => Some(Ne),
                Ne => Some(Eq),
                Lt => Some(Ge),
                Ge => Some(Lt),
                Gt => Some(Le),
                Le => Some(Gt),
                _ => None,
            };
            turned.map(|op| ExprKind::Binary { op, left: left.clone(), right: right.clone() })
        }
        _ => None,
    };
    let not = || ExprKind::Unary { op: UnaryOp::Not, operand: Box::new(guard.clone()) };
    Expr { kind: kind.unwrap_or_else(not), at: guard.at }
}
