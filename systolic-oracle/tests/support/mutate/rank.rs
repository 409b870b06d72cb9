//! Too few or too many indices.
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[kind("drop an index", &[Rank], drop_index), kind("add an index", &[Rank], add_index)];

fn drop_index(case: &mut Case) -> Option<()> {
    let mut place = String::new();
    let mut which = case.random.below(1 << 30);
    case.change(&|e, _| matches!(&e.kind, ExprKind::Index { indices, .. } if indices.len() > 1), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind {
            which %= indices.len();
            indices.remove(which);
        }
        place = print_expr(e);
    })?;
    case.places = vec![place];
    Some(())
}

fn add_index(case: &mut Case) -> Option<()> {
    let mut place = String::new();
    case.change(&|e, _| matches!(&e.kind, ExprKind::Index { .. }), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind {
            indices.push(indices[0].clone());
        }
        place = print_expr(e);
    })?;
    case.places = vec![place];
    Some(())
}
