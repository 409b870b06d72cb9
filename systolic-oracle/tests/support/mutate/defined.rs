//! Changed guards and distances, so that a read leaves the domain.
use super::parse::expr_from;
use super::walk::Site;
use super::walk::{is_shifted, read_of, walk};
use super::{Case, GUARDS, Kind, READS, kind};
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[
    kind("drop a guard", GUARDS, drop_guard),
    kind("change the sign of a distance", READS, change_sign),
    kind("lengthen a distance", READS, lengthen_distance),
    kind("weaken a guard", GUARDS, weaken_guard),
    kind("shift a guard", GUARDS, shift_guard),
    kind("exchange the sides of an if", GUARDS, exchange_sides),
];

fn is_guard_if(e: &Expr) -> bool {
    let mut plain = true;
    if let ExprKind::If { condition, .. } = &e.kind {
        walk(&mut (**condition).clone(), &Site::default(), &mut |c, _| {
            plain &= !matches!(c.kind, ExprKind::Index { .. } | ExprKind::Cast { .. });
        });
        return plain;
    }
    false
}

pub fn has_shift(e: &Expr, variables: &[String]) -> bool {
    read_of(e, variables).is_some_and(|i| i.iter().any(is_shifted))
}

fn is_comparison(e: &Expr) -> bool {
    use BinaryOp::{And, Eq, Gt, Lt, Or};
    let plain = |e: &Expr| {
        let mut plain = true;
        walk(&mut e.clone(), &Site::default(), &mut |c, _| {
            plain &= !matches!(
                c.kind,
                ExprKind::Index { .. } | ExprKind::Cast { .. } | ExprKind::Binary { op: BinaryOp::Rem, .. }
            );
        });
        plain
    };
    matches!(e.kind, ExprKind::Binary { op: Eq | Lt | Gt | Or | And, .. }) && plain(e)
}

fn drop_guard(case: &mut Case) -> Option<()> {
    case.change(&|e, site| site.variable.is_some() && is_guard_if(e), &mut |e, _| {
        if let ExprKind::If { otherwise, .. } = &e.kind {
            *e = (**otherwise).clone();
        }
    })
}

fn change_sign(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    case.change(&|e, _| has_shift(e, &variables), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind
            && let Some(index) = indices.iter_mut().find(|i| is_shifted(i))
            && let ExprKind::Binary { op, .. } = &mut index.kind
        {
            *op = if *op == BinaryOp::Add { BinaryOp::Sub } else { BinaryOp::Add };
        }
    })
}

fn lengthen_distance(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let more = case.random.pick(&["1", "2", "40"]);
    case.change(&|e, _| has_shift(e, &variables), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind
            && let Some(index) = indices.iter_mut().find(|i| is_shifted(i))
        {
            let sign = if matches!(index.kind, ExprKind::Binary { op: BinaryOp::Add, .. }) { "+" } else { "-" };
            *index = expr_from(&format!("{} {sign} {more}", print_expr(index)));
        }
    })
}

fn weaken_guard(case: &mut Case) -> Option<()> {
    case.change(&|e, site| site.in_condition && !site.in_index && is_comparison(e), &mut |e, _| weaken(e))
}

fn shift_guard(case: &mut Case) -> Option<()> {
    let by = case.random.pick(&["+ 1", "- 1", "+ 2"]);
    let pick = |e: &Expr, site: &Site| {
        site.in_condition
            && is_comparison(e)
            && !matches!(e.kind, ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, .. })
    };
    case.change(&pick, &mut |e, _| {
        if let ExprKind::Binary { right, .. } = &mut e.kind {
            **right = expr_from(&format!("{} {by}", print_expr(right)));
        }
    })
}

fn exchange_sides(case: &mut Case) -> Option<()> {
    case.change(&|e, site| site.variable.is_some() && is_guard_if(e), &mut |e, _| {
        if let ExprKind::If { then, otherwise, .. } = &mut e.kind {
            std::mem::swap(then, otherwise);
        }
    })
}

pub fn weaken(e: &mut Expr) {
    if let ExprKind::Binary { op, .. } = &mut e.kind {
        *op = match *op {
            BinaryOp::Eq => BinaryOp::Ne,
            BinaryOp::Lt => BinaryOp::Le,
            BinaryOp::Gt => BinaryOp::Ge,
            BinaryOp::Or => BinaryOp::And,
            BinaryOp::And => BinaryOp::Or,
            _ => return,
        };
    }
}
