//! `V[j, i]`: a variable can be read at constant distances only, an input at any index. If the variable is computed from
//! inputs alone, the inputs are read instead; otherwise a second kernel reads it, or another variable carries it.
use super::division::linear;
use super::paths::{assigns, children, path, rewritten, same_place, with};
use super::{Offer, edit};
use crate::region::{Name, Region};
use crate::syntax::tree::{Assign, BinaryOp, Expr, ExprKind, Kernel, Statement};
use crate::syntax::{print_assign, print_expr};
use crate::target::shown;

/// Replaces the read at `at` by the variable's equation at that point.
pub fn offers(kernel: &Kernel, at: Region) -> Vec<Offer> {
    inlined(kernel, at).or_else(|| other_half(kernel, at)).into_iter().collect()
}

/// `V[p, s] = if p > s { V[s, p] } else { x[p, s] }` reads itself at swapped loops, where the condition is the opposite: the
/// other branch is what stands there, `x[s, p]`.
fn other_half(kernel: &Kernel, at: Region) -> Option<Offer> {
    let path = path(kernel, at)?;
    let read = path.iter().rev().find(|e| matches!(&e.kind, ExprKind::Index { .. }))?;
    let ExprKind::Index { name, indices } = &read.kind else { return None };
    let equation = assigns(kernel).find(|a| a.target == *name)?;
    let loops = swapped(kernel, indices).filter(|_| same_place(equation.value.at, path[0].at))?;
    let k = path.iter().position(|e| side(kernel, e, loops).is_some())?;
    let ExprKind::If { then, otherwise, .. } = &path[k].kind else { return None };
    let (own, other) = if same_place(path[k + 1].at, then.at) { (then, otherwise) } else { (otherwise, then) };
    // Where both loops are equal, the branch of the read must not be taken: that point would read itself.
    if side(kernel, path[k], loops)? != same_place(own.at, then.at) {
        return None;
    }
    let there = rewritten(&equation.value, &|e| same_place(e.at, path[k].at).then(|| (**other).clone()));
    substituted(kernel, read, indices, &there)
}

/// Whether an `if` compares the two loops and takes its first branch strictly on one side of the diagonal: `Some(true)` for
/// `p > s`, `Some(false)` for `p <= s`, where it is the second branch that stands strictly on one side.
fn side(kernel: &Kernel, expr: &Expr, (a, b): (usize, usize)) -> Option<bool> {
    let ExprKind::If { condition, .. } = &expr.kind else { return None };
    let ExprKind::Binary { op, left, right } = &condition.kind else { return None };
    let is = |e: &Expr, k: usize| matches!(&e.kind, ExprKind::Name(n) if *n == kernel.loops[k].name.text);
    if !(is(left, a) && is(right, b) || is(left, b) && is(right, a)) {
        return None;
    }
    match op {
        BinaryOp::Lt | BinaryOp::Gt => Some(true),
        BinaryOp::Le | BinaryOp::Ge => Some(false),
        _ => None,
    }
}

fn inlined(kernel: &Kernel, at: Region) -> Option<Offer> {
    let path = path(kernel, at)?;
    let read = path.iter().rev().find(|e| matches!(&e.kind, ExprKind::Index { .. }))?;
    let ExprKind::Index { name, indices } = &read.kind else { return None };
    let equation = assigns(kernel).find(|a| a.target == *name)?;
    substituted(kernel, read, indices, &equation.value)
}

/// Replaces a read of a variable by `value`, which is what stands at its own point, if that reads inputs alone.
fn substituted(kernel: &Kernel, read: &Expr, indices: &[Expr], value: &Expr) -> Option<Offer> {
    if !of_inputs(kernel, value) {
        return None;
    }
    let loop_of = |n: &str| kernel.loops.iter().position(|l| l.name.text == n);
    let there = rewritten(value, &|e| match &e.kind {
        ExprKind::Name(n) => loop_of(n).and_then(|k| indices.get(k)).cloned(),
        _ => None,
    });
    let bare = matches!(there.kind, ExprKind::Index { .. } | ExprKind::Name(_) | ExprKind::Call { .. });
    let code = if bare { print_expr(&there) } else { format!("({})", print_expr(&there)) };
    let text = format!("an input may be read at any index: write `{code}` for `{}`", print_expr(read));
    (code.len() <= shown::CODE).then(|| Offer::new(with(kernel, read.at, &there), text, edit(read.at, code)))
}

/// Other ways to get the value there, if inlining does not work. A variable that depends on its reader cannot be computed
/// before: earlier steps of it can, or the points that do not read it so.
pub fn words(kernel: &Kernel, at: Region) -> Option<String> {
    let path = path(kernel, at)?;
    let read = path.iter().rev().find(|e| matches!(&e.kind, ExprKind::Index { .. }))?;
    let ExprKind::Index { name, indices } = &read.kind else { return None };
    let reader = assigns(kernel).find(|a| same_place(a.value.at, path[0].at))?;
    if needs(kernel, &name.text, &reader.target.text, &mut Vec::new()) {
        return step_by_step(kernel, &name.text, indices)
            .or_else(|| by_halves(kernel, read, &path).filter(|_| name.text == reader.target.text));
    }
    let (variable, input) = (&name.text, name.text.to_lowercase());
    let index: Vec<String> = indices.iter().map(print_expr).collect();
    let stored = format!("an input may be read at any index: store `{variable}`, and read it in a second kernel");
    let divides = index.iter().any(|i| i.contains(['/', '%']));
    match (divides, swapped(kernel, indices)) {
        (true, _) => Some(format!("{stored}, with a loop over the quotients")),
        (false, None) => Some(format!("{stored} as `{input}[{}]`", index.join(", "))),
        (false, Some((a, b))) => Some(format!(
            "{stored} as `{input}[{}]`; or {}",
            index.join(", "),
            carried(kernel, variable, read, reader, a, b),
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
        [a, b] if stands(*a, *b) && stands(*b, *a) && alike(kernel, *a, *b) => Some((*a, *b)),
        _ => None,
    }
}

/// Whether two loops have the same bounds, as they are written.
fn alike(kernel: &Kernel, a: usize, b: usize) -> bool {
    let (a, b) = (&kernel.loops[a], &kernel.loops[b]);
    print_expr(&a.low) == print_expr(&b.low) && print_expr(&a.high) == print_expr(&b.high)
}

/// A variable that depends on its reader, but reads an earlier step of another loop: a call may compute one step.
fn step_by_step(kernel: &Kernel, variable: &str, indices: &[Expr]) -> Option<String> {
    let earlier =
        |k: usize| linear(&indices[k], &kernel.loops[k].name.text).is_some_and(|(one, by)| one == 1 && by < 0);
    let k = (0..indices.len().min(kernel.loops.len())).find(|k| earlier(*k))?;
    let rest: Vec<String> = (0..indices.len()).filter(|n| *n != k).map(|n| print_expr(&indices[n])).collect();
    let (of, input) = (&kernel.loops[k].name.text, variable.to_lowercase());
    (!rest.is_empty()).then(|| {
        format!(
            "an input may be read at any index: let a call compute one step of `{of}`, and pass `{variable}` to the next \
             call as an input that is read as `{input}[{}]`",
            rest.join(", ")
        )
    })
}

/// A variable that reads itself at swapped loops in one branch of an `if`: the other branch may be a kernel of its own.
fn by_halves(kernel: &Kernel, read: &Expr, path: &[&Expr]) -> Option<String> {
    let ExprKind::Index { name: Name { text: variable, .. }, indices } = &read.kind else { return None };
    swapped(kernel, indices)?;
    if !path.iter().any(|e| matches!(e.kind, ExprKind::If { .. })) {
        return None;
    }
    let (input, index) = (variable.to_lowercase(), indices.iter().map(print_expr).collect::<Vec<_>>().join(", "));
    let read = print_expr(read);
    Some(format!(
        "an input may be read at any index: let a first kernel store `{variable}` where it needs no `{read}`, and a second \
         one read that as `{input}[{index}]`"
    ))
}

/// Equations that carry a value from `V[j, i]` to the point (i, j), one for each side of the diagonal: at each step forward
/// along one loop and back along the other. An additional loop counts the steps.
fn carried(kernel: &Kernel, variable: &str, read: &Expr, reader: &Assign, a: usize, b: usize) -> String {
    let text = crate::syntax::print_kernel(kernel);
    let used: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let fresh = |names: [&'static str; 3]| names.into_iter().find(|n| !used.contains(n)).unwrap_or(names[2]);
    let k = fresh(["k", "d", "steps"]);
    let (forward, back) = (fresh(["T", "D", "Carried"]), fresh(["U", "E", "Returned"]));
    let loops: Vec<&str> = kernel.loops.iter().map(|l| l.name.text.as_str()).collect();
    let (low, high) = (print_expr(&kernel.loops[a].low), print_expr(&kernel.loops[a].high));
    let here = loops.join(", ");
    let equation = |carrier: &str, i: usize, j: usize| {
        let there: Vec<String> = (0..loops.len())
            .map(|n| match (n == i, n == j) {
                (true, _) => format!("{} - 1", loops[n]),
                (_, true) => format!("{} + 1", loops[n]),
                _ => loops[n].to_string(),
            })
            .collect();
        let there = there.join(", ");
        let (i, j) = (loops[i], loops[j]);
        format!(
            "`{carrier}[{here}, {k}] = if {k} == 0 || {i} == {low} || {j} == {high} - 1 {{ {variable}[{here}, {k}] }} \
             else {{ {carrier}[{there}, {k} - 1] }};`"
        )
    };
    let (i, j, shown) = (loops[a], loops[b], print_expr(read));
    let count = if low == "0" { high.clone() } else { format!("{high} - ({low})") };
    let mut lines = vec![
        format!("let two variables carry it along a loop `{k} in 0..{count}`, a further index of every variable:"),
        format!("{} is `{shown}` at `{k} == {i} - {j}`,", equation(forward, a, b)),
        format!("{} is `{shown}` at `{k} == {j} - {i}`", equation(back, b, a)),
    ];
    // A store reads each at the step where it has arrived.
    if kernel.outputs.iter().any(|o| o.name == reader.target) {
        let store = |carrier: &str| {
            let change = |e: &Expr| match &e.kind {
                ExprKind::Index { name, indices } if !is_input(kernel, &name.text) => {
                    let own = same_place(e.at, read.at);
                    let text = if own { carrier } else { name.text.as_str() };
                    let written = |n: usize| if own { name_of(loops[n], e.at) } else { indices[n].clone() };
                    let all = (0..indices.len()).map(written).chain([name_of(k, e.at)]).collect();
                    let name = Name { text: text.to_string(), at: name.at };
                    Some(Expr { kind: ExprKind::Index { name, indices: all }, at: e.at })
                }
                _ => None,
            };
            print_assign(&Assign { value: rewritten(&reader.value, &change), ..reader.clone() })
        };
        let guard = kernel.statements.iter().find_map(|s| match s {
            Statement::If { condition, stores } if stores.iter().any(|s| same_place(s.at, reader.at)) => {
                Some(condition)
            }
            _ => None,
        });
        let and = guard.map_or(String::new(), |g| format!(" && ({})", print_expr(g)));
        let (one, other) = (store(forward), store(back));
        let line = format!(
            "store each where it arrives: `if {k} == {i} - {j}{and} {{ {one} }}` and \
             `if {k} == {j} - {i} && {i} < {j}{and} {{ {other} }}`"
        );
        if line.chars().count() <= shown::STATEMENTS {
            lines.push(line);
        }
    }
    lines.join("\n")
}

fn name_of(text: &str, at: Region) -> Expr {
    Expr { kind: ExprKind::Name(text.to_string()), at }
}

fn is_input(kernel: &Kernel, name: &str) -> bool {
    kernel.parameters.iter().any(|p| p.name.text == name) || kernel.constants.iter().any(|c| c.name.text == name)
}

/// Whether an expression reads no variable.
fn of_inputs(kernel: &Kernel, expr: &Expr) -> bool {
    let own = match &expr.kind {
        ExprKind::Index { name, .. } => is_input(kernel, &name.text),
        _ => true,
    };
    own && children(expr).into_iter().all(|child| of_inputs(kernel, child))
}
