//! Copies: variables whose every alternative is one element of an input, or a copy of that element at `z − e`.
//! The value of a copy at any point is known without a wire, so it can be loaded directly from the input.
use super::{Element, Equation, Expr, ExprKind, Form, Int};

/// The element that each variable stands for, if it is a copy. Computes a greatest fixed point: assumes a candidate for
/// every variable, then removes those that are contradicted.
/// Elements whose index has a length are left out: their index at another point may have another length.
pub fn find(equations: &[Equation], sizes: usize, call_sizes: usize) -> Vec<Option<Element>> {
    let has_length = |e: &Element| e.index.iter().any(|f| (call_sizes..sizes).any(|k| f.coef(k) != 0));
    let leaves: Vec<Vec<&Expr>> = equations.iter().map(|e| alternatives(&e.value)).collect();
    let mut copies: Vec<Option<Element>> = leaves
        .iter()
        .map(|all| {
            all.iter().find_map(|e| match &e.kind {
                ExprKind::Element { element, .. } if !has_length(element) => Some(element.clone()),
                _ => None,
            })
        })
        .collect();
    // A copy may read only other copies: itself, and another one whose element is known.
    loop {
        let next = (0..copies.len()).filter(|v| copies[*v].is_none()).find_map(|v| {
            leaves[v].iter().find_map(|e| match &e.kind {
                ExprKind::Read { variable, distance, .. } if *variable != v => {
                    let source = copies[*variable].as_ref()?;
                    Some((v, moved(source, distance, sizes)))
                }
                _ => None,
            })
        });
        match next {
            Some((v, element)) => copies[v] = Some(element),
            None => break,
        }
    }
    loop {
        let wrong = (0..copies.len()).find(|v| {
            copies[*v].as_ref().is_some_and(|mine| {
                !leaves[*v].iter().all(|e| match &e.kind {
                    ExprKind::Element { element, .. } => element == mine,
                    ExprKind::Read { variable, distance, .. } => {
                        copies[*variable].as_ref().is_some_and(|c| moved(c, distance, sizes) == *mine)
                    }
                    _ => false,
                })
            })
        });
        match wrong {
            Some(v) => copies[v] = None,
            None => return copies,
        }
    }
}

/// The expressions that a nest of guarded `if`s can evaluate to.
fn alternatives(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::If { then, otherwise, .. } => {
            let mut all = alternatives(then);
            all.extend(alternatives(otherwise));
            all
        }
        _ => vec![expr],
    }
}

/// The element that a copy read at `z − distance` stands for, as a function of `z`.
pub fn moved(element: &Element, distance: &[Int], sizes: usize) -> Element {
    let shift = |form: &Form| {
        let by: Int = distance.iter().enumerate().map(|(k, d)| form.coef(sizes + k) * d).sum();
        form.plus(-by)
    };
    Element { array: element.array, index: element.index.iter().map(shift).collect() }
}
