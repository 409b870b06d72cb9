//! Two types meet: converts the narrower operand to the wider type, and the result back when it is stored.
use super::paths::{assigns, path, same_place, with};
use super::{Offer, edit};
use crate::region::{Name, Region};
use crate::syntax::print_expr;
use crate::syntax::tree::{Expr, ExprKind, Kernel};
use crate::target::shown;

/// Orders of types for conversions. The first list that holds both types decides, and the later one is the target. Within
/// the first two lists a conversion keeps the range; the third covers the remaining pairs and may not.
const WIDER: [&[&str]; 3] = [
    &["u8", "u16", "u32", "u64", "f32", "f64"],
    &["i8", "i16", "i32", "i64", "f32", "f64"],
    &["u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"],
];
const FLOATS: [&str; 2] = ["f32", "f64"];

/// Conversions for the operand at `at`, whose type is `found` while another operand has type `expected`.
pub fn offers(kernel: &Kernel, at: Region, expected: &str, found: &str) -> Vec<Offer> {
    let Some(path) = path(kernel, at) else { return Vec::new() };
    let Some(operand) = path.last() else { return Vec::new() };
    let parent = path.len().checked_sub(2).map(|k| path[k]);
    let root = path[0];
    let Some(parent) = parent else { return whole(kernel, operand, expected) };
    let others: Vec<&Expr> = operands(parent).into_iter().filter(|e| !same_place(e.at, at)).collect();
    let mut offers = Vec::new();
    for (ty, narrow) in conversions(expected, found) {
        let cast_found = ty != found;
        let changed = match (cast_found, others.as_slice()) {
            (true, _) => *operand,
            (false, [other]) => other,
            // It is not known here which of several has the other type.
            (false, _) => continue,
        };
        offers.extend(offer(kernel, parent, changed, ty));
        offers.extend(narrow.and_then(|narrow| back(kernel, root, changed, ty, narrow)));
    }
    offers
}

/// The types to try. Each comes with the other type, to which the result may have to be converted back.
fn conversions<'t>(expected: &'t str, found: &'t str) -> Vec<(&'t str, Option<&'t str>)> {
    let is_type = |name: &str| WIDER[2].contains(&name) || name == "i8";
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
fn operands(parent: &Expr) -> Vec<&Expr> {
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

/// Converts one operand of `parent`.
fn offer(kernel: &Kernel, parent: &Expr, operand: &Expr, ty: &str) -> Option<Offer> {
    let (new, code) = (cast(operand, ty), print_expr(&cast(operand, ty)));
    let changed = super::paths::rewritten(parent, &|e| same_place(e.at, operand.at).then(|| new.clone()));
    let shown = print_expr(&changed);
    let shown = if shown.len() <= shown::CODE { shown } else { code.clone() };
    let text = format!("there are no implicit conversions: write `{shown}`");
    Some(Offer::new(with(kernel, operand.at, &new), text, edit(operand.at, code)))
}

/// Converts one operand, and the assigned value back.
fn back(kernel: &Kernel, root: &Expr, operand: &Expr, ty: &str, narrow: &str) -> Option<Offer> {
    let new = cast(operand, ty);
    let inner = super::paths::rewritten(root, &|e| same_place(e.at, operand.at).then(|| new.clone()));
    let outer = cast(&inner, narrow);
    let code = print_expr(&outer);
    let text = format!("there are no implicit conversions: write `{code}`");
    (code.len() <= shown::CODE).then(|| Offer::new(with(kernel, root.at, &outer), text, edit(root.at, code)))
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
