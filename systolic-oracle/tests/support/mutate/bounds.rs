//! Reads beyond the end of an array.
use super::parse::expr_from;
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[
    kind("shift an array's index", &[Bounds, Causality, Broadcast, Blocks, Resources], shift_array_index),
    kind("lengthen a loop", &[Defined, Bounds, Outputs, Collision, Lanes, Causality, Resources], lengthen_loop),
    kind("drop a border", &[Bounds], drop_border),
];

fn shift_array_index(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let by = case.random.pick(&["+ 1", "- 1", "+ 7"]);
    let mut which = case.random.below(1 << 30);
    case.change(
        &|e, _| matches!(&e.kind, ExprKind::Index { name, .. } if !variables.contains(&name.text)),
        &mut |e, _| {
            if let ExprKind::Index { indices, .. } = &mut e.kind {
                which %= indices.len();
                indices[which] = expr_from(&format!("{} {by}", print_expr(&indices[which])));
            }
        },
    )
}

fn lengthen_loop(case: &mut Case) -> Option<()> {
    let k = case.random.below(case.kernel.loops.len());
    let (low, high) = (&case.kernel.loops[k].low, &case.kernel.loops[k].high);
    if case.random.chance(50) {
        case.kernel.loops[k].high = expr_from(&format!("{} + 1", print_expr(high)));
    } else {
        case.kernel.loops[k].low = expr_from(&format!("{} - 1", print_expr(low)));
    }
    Some(())
}

fn drop_border(case: &mut Case) -> Option<()> {
    let count = case.kernel.parameters.len();
    case.one(count, |case, k| match &mut case.kernel.parameters[k].kind {
        ParameterKind::Array { border, .. } if border.is_some() => {
            *border = None;
            Some(())
        }
        _ => None,
    })?
}
