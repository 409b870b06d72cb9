//! Two types meet: converts the narrower operand to the wider type, and the result back when it is stored.
use super::paths::{assigns, children, path, rewritten, same_place, with};
use super::{Offer, edit};
use crate::fault::Edit;
use crate::region::{Name, Region};
use crate::syntax::print_expr;
use crate::syntax::tree::{ConstantType, Expr, ExprKind, Kernel, ParameterKind};
use crate::target::shown;

/// Orders of types for conversions. The first list that holds both types decides, and the later one is the target. Within
/// the first two lists a conversion keeps the range; the third covers the remaining pairs and may not.
const WIDER: [&[&str]; 3] = [
    &["u8", "u16", "u32", "u64", "f32", "f64"],
    &["i8", "i16", "i32", "i64", "f32", "f64"],
    &["u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"],
];
/// For a float literal beside an integer. The first with which the kernel is right decides.
const FLOATS: [&str; 4] = ["f32", "f64", "f16", "bf16"];

/// Conversions for the operand at `at`, whose type is `found` while another operand has type `expected`.
pub fn offers(kernel: &Kernel, at: Region, expected: &str, found: &str) -> Vec<Offer> {
    let Some(path) = path(kernel, at) else { return Vec::new() };
    let Some(operand) = path.last() else { return Vec::new() };
    let parent = path.len().checked_sub(2).map(|k| path[k]);
    let root = path[0];
    let Some(parent) = parent else { return whole(kernel, operand, expected) };
    let mut offers = Vec::new();
    let cast_found = |ty: &str| is_type(found) && ty != found;
    let conversions = conversions(expected, found);
    for (ty, _) in &conversions {
        for operands in choices(parent, at, cast_found(ty)) {
            offers.extend(offer(kernel, parent, &operands, ty));
        }
    }
    for (ty, narrow) in &conversions {
        let narrow = stored_type(kernel, root).or(*narrow);
        for operands in choices(parent, at, cast_found(ty)) {
            offers.extend(narrow.and_then(|narrow| back(kernel, root, &operands, ty, narrow)));
        }
    }
    // Two faults in one value, as in `bytes[n] * 0.5 + counts[n]`: every element with another type is converted.
    for (ty, narrow) in &conversions {
        let mut elements = Vec::new();
        elements_of_others(kernel, root, ty, &mut elements);
        offers.extend(replaced(kernel, root, &converted(root, &elements, ty)));
        let narrow = stored_type(kernel, root).or(*narrow);
        offers.extend(narrow.and_then(|narrow| back(kernel, root, &elements, ty, narrow)));
    }
    offers
}

/// The first conversion for a float literal beside an integer, where no offer makes the whole kernel right.
pub fn words(kernel: &Kernel, at: Region, expected: &str, found: &str) -> Option<String> {
    if is_type(expected) == is_type(found) {
        return None;
    }
    let path = path(kernel, at)?;
    let parent = path[path.len().checked_sub(2)?];
    let (ty, _) = conversions(expected, found).into_iter().next()?;
    let operands = choices(parent, at, is_type(found)).into_iter().next()?;
    let code = print_expr(&converted(parent, &operands, ty));
    let text = format!("there are no implicit conversions: convert every operand of another type, here `{code}`");
    (code.len() <= shown::CODE).then_some(text)
}

/// The type, as it is written, of the output that stores a value.
fn stored_type<'k>(kernel: &'k Kernel, value: &Expr) -> Option<&'k str> {
    let target = &assigns(kernel).find(|a| same_place(a.value.at, value.at))?.target;
    kernel.outputs.iter().find(|o| o.name == *target).map(|o| o.array.element.text.as_str())
}

/// The operands of `parent` that may be converted together: those that the fault speaks of, then all that are no literals.
fn choices(parent: &Expr, at: Region, cast_found: bool) -> Vec<Vec<&Expr>> {
    let all = operands(parent);
    let Some(k) = all.iter().position(|e| same_place(e.at, at)) else { return Vec::new() };
    // The operands before this one agree with each other: this is the first that does not.
    let told = if cast_found { vec![all[k]] } else { all[..k].to_vec() };
    let values = all.into_iter().filter(|e| (cast_found || !same_place(e.at, at)) && !is_literal(e)).collect();
    let mut choices: Vec<Vec<&Expr>> = Vec::new();
    for choice in [told, values] {
        if !choice.is_empty() && !choices.iter().any(|c| same_operands(c, &choice)) {
            choices.push(choice);
        }
    }
    choices
}

fn same_operands(a: &[&Expr], b: &[&Expr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_place(a.at, b.at))
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Int { .. } | ExprKind::Float { .. } | ExprKind::Bool(_))
}

/// The elements of inputs and constants that have another numeric type than `ty`. Conditions and indices are left alone, and
/// so is what is converted already.
fn elements_of_others<'k>(kernel: &Kernel, expr: &'k Expr, ty: &str, out: &mut Vec<&'k Expr>) {
    match &expr.kind {
        ExprKind::Index { name: Name { text, .. }, .. } | ExprKind::Name(text) => {
            if element(kernel, text).is_some_and(|own| is_type(own) && own != ty) {
                out.push(expr);
            }
        }
        ExprKind::Cast { .. } => {}
        ExprKind::If { then, otherwise, .. } => {
            elements_of_others(kernel, then, ty, out);
            elements_of_others(kernel, otherwise, ty, out);
        }
        _ => children(expr).into_iter().for_each(|child| elements_of_others(kernel, child, ty, out)),
    }
}

/// The written element type of a parameter or constant.
fn element<'k>(kernel: &'k Kernel, name: &str) -> Option<&'k str> {
    let parameter = kernel.parameters.iter().find(|p| p.name.text == name).and_then(|p| match &p.kind {
        ParameterKind::Array { array, .. } | ParameterKind::Const { array, .. } => Some(&array.element),
        ParameterKind::Scalar { ty } => Some(ty),
        ParameterKind::Size => None,
    });
    let constant = || {
        let constant = kernel.constants.iter().find(|c| c.name.text == name)?;
        Some(match &constant.ty {
            ConstantType::Array(array) => &array.element,
            ConstantType::Scalar(ty) => ty,
        })
    };
    parameter.or_else(constant).map(|ty| ty.text.as_str())
}

/// Whether this is a numeric type rather than words like "a float".
fn is_type(name: &str) -> bool {
    WIDER[2].contains(&name) || name == "i8"
}

/// The types to try. Each comes with the other type, to which the result may have to be converted back.
fn conversions<'t>(expected: &'t str, found: &'t str) -> Vec<(&'t str, Option<&'t str>)> {
    match (is_type(expected), is_type(found)) {
        (true, true) => match wider(expected, found) {
            true => vec![(expected, Some(found))],
            false => vec![(found, Some(expected))],
        },
        // A float literal and an integer.
        (false, true) if expected == "a float" => FLOATS.into_iter().map(|f| (f, Some(found))).collect(),
        (true, false) if found == "a float" => FLOATS.into_iter().map(|f| (f, Some(expected))).collect(),
        _ => Vec::new(),
    }
}

/// Whether `a` is the one of the two types to convert to.
fn wider(a: &str, b: &str) -> bool {
    let place = |list: &[&str], ty: &str| list.iter().position(|t| *t == ty);
    WIDER.iter().find_map(|list| Some(place(list, a)? > place(list, b)?)).unwrap_or(true)
}

/// The operands that must have the same type.
pub fn operands(parent: &Expr) -> Vec<&Expr> {
    match &parent.kind {
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Call { arguments, .. } => arguments.iter().collect(),
        ExprKind::If { then, otherwise, .. } => vec![then, otherwise],
        _ => Vec::new(),
    }
}

fn cast(expr: &Expr, ty: &str) -> Expr {
    let kind = ExprKind::Cast { operand: Box::new(expr.clone()), ty: Name { text: ty.to_string(), at: expr.at } };
    Expr { kind, at: expr.at }
}

/// `expr` with these parts of it converted.
fn converted(expr: &Expr, operands: &[&Expr], ty: &str) -> Expr {
    rewritten(expr, &|e| operands.iter().any(|o| same_place(o.at, e.at)).then(|| cast(e, ty)))
}

/// Converts some operands of `parent`.
fn offer(kernel: &Kernel, parent: &Expr, operands: &[&Expr], ty: &str) -> Option<Offer> {
    let mut changed = kernel.clone();
    let mut edits = Vec::new();
    for operand in operands {
        let new = cast(operand, ty);
        changed = with(&changed, operand.at, &new);
        edits.push(Edit { at: operand.at, code: print_expr(&new) });
    }
    let shown = print_expr(&converted(parent, operands, ty));
    let shown = match operands {
        [operand] if shown.len() > shown::CODE => print_expr(&cast(operand, ty)),
        _ => shown,
    };
    let text = format!("there are no implicit conversions: write `{shown}`");
    (operands.len() == 1 || shown.len() <= shown::CODE).then(|| Offer::new(changed, text, edits))
}

/// Converts some operands, and the assigned value back.
fn back(kernel: &Kernel, root: &Expr, operands: &[&Expr], ty: &str, narrow: &str) -> Option<Offer> {
    replaced(kernel, root, &cast(&converted(root, operands, ty), narrow))
}

/// Another value instead of `root`.
pub fn replaced(kernel: &Kernel, root: &Expr, new: &Expr) -> Option<Offer> {
    let code = print_expr(new);
    let text = format!("there are no implicit conversions: write `{code}`");
    (code.len() <= shown::CODE).then(|| Offer::new(with(kernel, root.at, new), text, edit(root.at, code)))
}

/// Converts the assigned value to the type of its target.
fn whole(kernel: &Kernel, value: &Expr, expected: &str) -> Vec<Offer> {
    let new = cast(value, expected);
    let code = print_expr(&new);
    let target = assigns(kernel).find(|a| same_place(a.value.at, value.at)).map(|a| a.target.text.clone());
    let Some(target) = target.filter(|_| code.len() <= shown::CODE) else { return Vec::new() };
    let text = format!("there are no implicit conversions: write `{target}[…] = {code};`");
    vec![Offer::new(with(kernel, value.at, &new), text, edit(value.at, code))]
}
