//! Indices that are not a loop plus a constant.
use super::parse::expr_from;
use super::walk::read_of;
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[
    kind("scale an index of a variable", &[Uniform], scale_index),
    kind("swap two indices of a variable", &[Uniform], swap_indices),
    kind("multiply two loops", &[Uniform], multiply_loops),
    kind("permute a left side", &[Uniform], permute_left_side),
];

fn scale_index(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let mut place = String::new();
    let mut which = case.random.below(1 << 30);
    case.change(&|e, _| read_of(e, &variables).is_some(), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind {
            which %= indices.len();
            let new = expr_from(&format!("2 * ({})", print_expr(&indices[which])));
            place = print_expr(&new);
            indices[which] = new;
        }
    })?;
    case.places = vec![place];
    Some(())
}

fn swap_indices(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    case.change(&|e, _| read_of(e, &variables).is_some_and(|i| i.len() > 1), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind {
            indices.swap(0, 1);
        }
    })
}

fn multiply_loops(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let loops: Vec<String> = case.kernel.loops.iter().map(|l| l.name.text.clone()).collect();
    let (a, b) = (case.random.pick(&loops), case.random.pick(&loops));
    let new = expr_from(&format!("{a} * {b}"));
    case.change(
        &|e, _| matches!(&e.kind, ExprKind::Index { name, .. } if !variables.contains(&name.text)),
        &mut |e, _| {
            if let ExprKind::Index { indices, .. } = &mut e.kind {
                indices[0] = new.clone();
            }
        },
    )?;
    case.places = vec![print_expr(&new)];
    Some(())
}

fn permute_left_side(case: &mut Case) -> Option<()> {
    let count = case.assigns(false).len();
    case.one(count, |case, k| {
        let mut all = case.assigns(false);
        let indices = &mut all[k].indices;
        (indices.len() > 1).then(|| indices.rotate_left(1))
    })?
}
