//! `V[j, i]`: a variable can be read at constant distances only, an input at any index. If the variable is computed from
//! inputs alone, the inputs are read instead; otherwise a second kernel reads it, or another variable carries it.
use super::paths::{assigns, children, path, rewritten, same_place, with};
use super::{Offer, edit};
use crate::region::Region;
use crate::syntax::print_expr;
use crate::syntax::tree::{Expr, ExprKind, Kernel};
use crate::target::shown;

/// Replaces the read at `at` by the variable's equation at that point.
pub fn offers(kernel: &Kernel, at: Region) -> Vec<Offer> {
    inlined(kernel, at).into_iter().collect()
}

fn inlined(kernel: &Kernel, at: Region) -> Option<Offer> {
    let path = path(kernel, at)?;
    let read = path.iter().rev().find(|e| matches!(&e.kind, ExprKind::Index { .. }))?;
    let ExprKind::Index { name, indices } = &read.kind else { return None };
    let equation = assigns(kernel).find(|a| a.target == *name)?;
    if !of_inputs(kernel, &equation.value) {
        return None;
    }
    let loop_of = |n: &str| kernel.loops.iter().position(|l| l.name.text == n);
    let there = rewritten(&equation.value, &|e| match &e.kind {
        ExprKind::Name(n) => loop_of(n).and_then(|k| indices.get(k)).cloned(),
        _ => None,
    });
    let bare = matches!(there.kind, ExprKind::Index { .. } | ExprKind::Name(_) | ExprKind::Call { .. });
    let code = if bare { print_expr(&there) } else { format!("({})", print_expr(&there)) };
    let text = format!("an input may be read at any index: write `{code}` for `{}`", print_expr(read));
    (code.len() <= shown::CODE).then(|| Offer::new(with(kernel, read.at, &there), text, edit(read.at, code)))
}

/// Other ways to get the value there, if inlining does not work. `None` if the variable depends on its reader, because then
/// it cannot be computed before.
pub fn words(kernel: &Kernel, at: Region) -> Option<String> {
    let path = path(kernel, at)?;
    let read = path.iter().rev().find(|e| matches!(&e.kind, ExprKind::Index { .. }))?;
    let ExprKind::Index { name, indices } = &read.kind else { return None };
    let reader = assigns(kernel).find(|a| same_place(a.value.at, path[0].at))?;
    if needs(kernel, &name.text, &reader.target.text, &mut Vec::new()) {
        return None;
    }
    let (variable, input) = (&name.text, name.text.to_lowercase());
    let index: Vec<String> = indices.iter().map(print_expr).collect();
    let stored = format!("an input may be read at any index: store `{variable}`, and read it in a second kernel");
    let divides = index.iter().any(|i| i.contains(['/', '%']));
    match (divides, swapped(kernel, indices)) {
        (true, _) => Some(format!("{stored}, with a loop over the quotients")),
        (false, None) => Some(format!("{stored} as `{input}[{}]`", index.join(", "))),
        (false, Some((a, b))) => Some(format!(
            "{stored} as `{input}[{}]`; or let a variable carry it along a further loop\n{}",
            index.join(", "),
            carried(kernel, variable, &index.join(", "), a, b),
        )),
    }
}

/// Whether a variable depends on `other`, directly or through other variables.
fn needs(kernel: &Kernel, variable: &str, other: &str, seen: &mut Vec<String>) -> bool {
    if variable == other {
        return true;
    }
    if seen.iter().any(|s| s == variable) {
        return false;
    }
    seen.push(variable.to_string());
    let mut names = Vec::new();
    for assign in assigns(kernel).filter(|a| a.target.text == variable) {
        read(&assign.value, &mut names);
    }
    names.iter().any(|n| needs(kernel, n, other, seen))
}

fn read(expr: &Expr, names: &mut Vec<String>) {
    if let ExprKind::Index { name, .. } = &expr.kind {
        names.push(name.text.clone());
    }
    children(expr).into_iter().for_each(|child| read(child, names));
}

/// The two loops that are swapped in these indices, if all others are in their own position.
fn swapped(kernel: &Kernel, indices: &[Expr]) -> Option<(usize, usize)> {
    let stands = |k: usize, n: usize| matches!(&indices[k].kind, ExprKind::Name(i) if *i == kernel.loops[n].name.text);
    let odd: Vec<usize> = (0..indices.len()).filter(|k| !stands(*k, *k)).collect();
    match odd.as_slice() {
        [a, b] if stands(*a, *b) && stands(*b, *a) => Some((*a, *b)),
        _ => None,
    }
}

/// An equation that carries a value from `V[j, i]` to the point (i, j): at each step forward along one loop and back along
/// the other. An additional loop counts the steps.
fn carried(kernel: &Kernel, variable: &str, index: &str, a: usize, b: usize) -> String {
    let text = crate::syntax::print_kernel(kernel);
    let used: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let fresh = |names: [&'static str; 3]| names.into_iter().find(|n| !used.contains(n)).unwrap_or(names[2]);
    let (k, carrier) = (fresh(["k", "d", "steps"]), fresh(["T", "D", "Carried"]));
    let loops: Vec<&str> = kernel.loops.iter().map(|l| l.name.text.as_str()).collect();
    let there: Vec<String> = (0..loops.len())
        .map(|n| match (n == a, n == b) {
            (true, _) => format!("{} - 1", loops[n]),
            (_, true) => format!("{} + 1", loops[n]),
            _ => loops[n].to_string(),
        })
        .collect();
    let (here, there, i, j) = (loops.join(", "), there.join(", "), loops[a], loops[b]);
    let (first, end) = (print_expr(&kernel.loops[a].low), print_expr(&kernel.loops[b].high));
    format!(
        "`{k}`: `{carrier}[{here}, {k}] = if {k} == 0 || {i} == {first} || {j} == {end} - 1 {{ {variable}[{here}, {k}] }} \
         else {{ {carrier}[{there}, {k} - 1] }};` is `{variable}[{index}]` at `{k} == {i} - {j}`"
    )
}

/// Whether an expression reads no variable.
fn of_inputs(kernel: &Kernel, expr: &Expr) -> bool {
    let input = |name: &str| {
        kernel.parameters.iter().any(|p| p.name.text == name) || kernel.constants.iter().any(|c| c.name.text == name)
    };
    let own = match &expr.kind {
        ExprKind::Index { name, .. } => input(&name.text),
        _ => true,
    };
    own && children(expr).into_iter().all(|child| of_inputs(kernel, child))
}
