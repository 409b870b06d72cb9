//! Literals, parameters and arguments of another type.
use super::parse::expr_from;
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[
    kind("literal of another type", &[Types], other_literal),
    kind("parameter of another type", &[Types], other_parameter_type),
    kind("literal out of range", &[Types], literal_out_of_range),
    kind("wrong number of arguments", &[Types], wrong_arguments),
];

fn other_literal(case: &mut Case) -> Option<()> {
    let new = expr_from(&case.random.pick(&["true", "7bool", "7.5u8"]).replace("7bool", "false"));
    case.change(
        &|e, site| {
            !site.in_index && !site.in_condition && matches!(e.kind, ExprKind::Int { .. } | ExprKind::Float { .. })
        },
        &mut |e, _| e.kind = new.kind.clone(),
    )
}

fn other_parameter_type(case: &mut Case) -> Option<()> {
    let ty = case.random.pick(&["bool", "i64", "f64", "u16", "bf16"]);
    let count = case.kernel.parameters.len();
    case.one(count, |case, k| {
        let (ParameterKind::Array { array: ArrayType { element, .. }, .. }
        | ParameterKind::Const { array: ArrayType { element, .. }, .. }
        | ParameterKind::Scalar { ty: element }) = &mut case.kernel.parameters[k].kind
        else {
            return None;
        };
        element.text = ty.to_string();
        Some(())
    })?
}

fn literal_out_of_range(case: &mut Case) -> Option<()> {
    let new = expr_from("1000000000000000000000000");
    case.change(
        &|e, site| !site.in_index && !site.in_condition && !site.in_cast && matches!(e.kind, ExprKind::Int { .. }),
        &mut |e, _| e.kind = new.kind.clone(),
    )?;
    case.places = vec![print_expr(&new)];
    Some(())
}

fn wrong_arguments(case: &mut Case) -> Option<()> {
    case.change(&|e, _| matches!(e.kind, ExprKind::Call { .. }), &mut |e, _| {
        if let ExprKind::Call { function, arguments } = &mut e.kind {
            if matches!(function.text.as_str(), "min" | "max") {
                arguments.truncate(1);
            } else {
                arguments.push(arguments[0].clone());
                arguments.push(arguments[0].clone());
                arguments.push(arguments[0].clone());
            }
        }
    })
}
