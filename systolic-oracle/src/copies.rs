//! Determines which variables are copies, independently of the model: a greatest fixed point over the alternatives of
//! each equation.
use systolic_compiler::model::{Element, Expr, ExprKind, Form, Int, Kernel};

/// For every variable, the input element that it copies. All its alternatives must be the same input at one affine
/// index, or a copy of that element read at a distance.
pub fn find_copies(kernel: &Kernel) -> Vec<Option<Element>> {
    let alternatives: Vec<Vec<&Expr>> = kernel.equations.iter().map(|e| leaves(&e.value)).collect();
    let mut copies: Vec<Option<Element>> = alternatives
        .iter()
        .map(|leaves| {
            leaves.iter().find_map(|leaf| match &leaf.kind {
                // At another point, an index may have another length.
                ExprKind::Element { element, .. } if !has_length(kernel, element) => Some(element.clone()),
                _ => None,
            })
        })
        .collect();
    // A copy may consist only of reads of other copies at some distance.
    while let Some((variable, element)) = alternatives.iter().enumerate().find_map(|(variable, leaves)| {
        if copies[variable].is_some() || !leaves.iter().all(|l| matches!(l.kind, ExprKind::Read { .. })) {
            return None;
        }
        let known = leaves.iter().find_map(|leaf| alternative(kernel, &copies, leaf))?;
        Some((variable, known))
    }) {
        copies[variable] = Some(element);
    }
    // Remove candidates whose alternatives disagree, until all that remain agree.
    while let Some(wrong) = (0..copies.len()).find(|variable| {
        copies[*variable].is_some()
            && alternatives[*variable].iter().any(|leaf| alternative(kernel, &copies, leaf) != copies[*variable])
    }) {
        copies[wrong] = None;
    }
    copies
}

fn has_length(kernel: &Kernel, element: &Element) -> bool {
    element.index.iter().any(|form| kernel.lengths().any(|length| form.coef(length.size) != 0))
}

/// The variables for which the model has a different result.
pub fn wrong_copies(kernel: &Kernel) -> Vec<usize> {
    let copies = find_copies(kernel);
    (0..copies.len()).filter(|v| kernel.equations[*v].copy != copies[*v]).collect()
}

/// The expressions that can give the value of an expression, ignoring guards.
fn leaves(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::If { then, otherwise, .. } => [leaves(then), leaves(otherwise)].concat(),
        _ => vec![expr],
    }
}

/// The input element that one alternative is equal to.
fn alternative(kernel: &Kernel, copies: &[Option<Element>], leaf: &Expr) -> Option<Element> {
    match &leaf.kind {
        ExprKind::Element { element, .. } => Some(element.clone()),
        ExprKind::Read { variable, distance, .. } => {
            copies[*variable].as_ref().map(|element| moved(kernel, element, distance))
        }
        _ => None,
    }
}

/// The element at `z − distance`, as a form of `z`.
fn moved(kernel: &Kernel, element: &Element, distance: &[Int]) -> Element {
    let sizes = (0..kernel.sizes.len()).map(Form::var);
    let loops = distance.iter().enumerate().map(|(k, d)| Form::var(kernel.loop_dim(k)).plus(-d));
    let images: Vec<Form> = sizes.chain(loops).collect();
    Element { array: element.array, index: element.index.iter().map(|form| form.substitute(&images)).collect() }
}
