//! An overlap that is too narrow. The law knows which one is wide enough for one instance; `overlap n by T + 1` is an offer for
//! all of them. Where no constant is wide enough, since a size says how many steps there are, a launch runs a few of them.
use super::Offer;
use super::maps::Changed;
use super::paths::children;
use crate::fault::BlocksFact;
use crate::syntax::tree::{BinaryOp, ClauseKind, Expr, ExprKind, GenericList, Kernel};
use crate::target::effort::{OVERLAP_MULTIPLES, OVERLAP_STEPS, OVERLAP_TILES, OVERLAP_WIDTHS};

/// Wider overlaps. If help of the law `says_all`, only one that keeps the names that are written is better.
pub fn offers(kernel: &Kernel, position: usize, fact: &BlocksFact, says_all: bool) -> Vec<Offer> {
    let BlocksFact::Narrow { of, widths, numbers, .. } = fact else { return Vec::new() };
    let Some(widths) = widths else { return launches(kernel, position, of) };
    let start = Changed::new(kernel, position);
    let is_overlap = |c: &ClauseKind| matches!(c, ClauseKind::Overlap { of: o, .. } if o.text == *of);
    let Some(k) = start.clause(is_overlap) else { return Vec::new() };
    let ClauseKind::Overlap { of: name, before, after } = start.map.clauses[k].kind.clone() else { return Vec::new() };
    if says_all && !names_generic(kernel, &before) && !after.as_ref().is_some_and(|a| names_generic(kernel, a)) {
        return Vec::new();
    }
    let written = before.clone();
    let before = forms(kernel, &start, &before, widths.found.0, widths.needed.0, numbers);
    let after = forms(kernel, &start, after.as_ref().unwrap_or(&written), widths.found.1, widths.needed.1, numbers);
    let mut pairs: Vec<(usize, ClauseKind)> = Vec::new();
    for (m, b) in before.iter().enumerate() {
        for (n, a) in after.iter().enumerate() {
            let after = (a != b).then(|| a.clone());
            pairs.push((m + n, ClauseKind::Overlap { of: name.clone(), before: b.clone(), after }));
        }
    }
    crate::sorted::sort_by_key(&mut pairs, |(rank, _)| *rank);
    let mut offers = Vec::new();
    for (_, clause) in pairs.iter().take(OVERLAP_WIDTHS) {
        let mut changed = Changed::new(kernel, position);
        changed.put(Some(k), clause.clone());
        let text = format!("this is wide enough: {}", changed.text());
        offers.push(Offer::new(changed.kernel(), text, changed.edits()));
    }
    let Some((_, clause)) = pairs.first() else { return offers };
    let tile = start.clause(|c| matches!(c, ClauseKind::Tile { of: o, .. } if o.text == *of));
    let Some((tile, ClauseKind::Tile { of, by, outer, inner })) = tile.map(|k| (k, start.map.clauses[k].kind.clone()))
    else {
        return offers;
    };
    for size in OVERLAP_TILES {
        let mut changed = Changed::new(kernel, position);
        let by = Expr::number(by.at, size);
        changed.put(Some(tile), ClauseKind::Tile { of: of.clone(), by, outer: outer.clone(), inner: inner.clone() });
        changed.put(Some(k), clause.clone());
        let text = format!("this is wide enough, with another tile: {}", changed.text());
        offers.push(Offer::new(changed.kernel(), text, changed.edits()));
    }
    offers
}

fn names_generic(kernel: &Kernel, expr: &Expr) -> bool {
    let own = matches!(&expr.kind, ExprKind::Name(name) if kernel.generics.iter().any(|g| g.name.text == *name));
    own || children(expr).into_iter().any(|child| names_generic(kernel, child))
}

/// Widths that are `needed` in the instance with these numbers, where the written one is `found`: first the written one plus
/// a number, then others of one generic.
fn forms(
    kernel: &Kernel,
    map: &Changed,
    written: &Expr,
    found: i128,
    needed: i128,
    numbers: &[(String, i128)],
) -> Vec<Expr> {
    if needed == 0 {
        return vec![map.number(0)];
    }
    let generics = || kernel.generics.iter().filter(|g| matches!(g.list, GenericList::Numbers { .. }));
    let value = |name: &str| numbers.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
    let mut forms: Vec<Expr> = Vec::new();
    let mut add = |form: Expr| {
        if !forms.contains(&form) {
            forms.push(form);
        }
    };
    add(plus(map, written.clone(), needed - found));
    for g in generics() {
        let (Some(v), name) = (value(&g.name.text), name(map, &g.name.text)) else { continue };
        if v > 1 || found == 0 {
            add(plus(map, name.clone(), needed - v));
        }
        for times in 2..=OVERLAP_MULTIPLES {
            let form = binary(map, BinaryOp::Mul, map.number(times), name.clone());
            add(plus(map, form, needed - times * v));
        }
        // So many steps of a distance that is a generic too.
        if v > 0 && needed % v == 0 {
            add(binary(map, BinaryOp::Mul, name, plus(map, written.clone(), needed / v - found)));
        }
    }
    forms
}

fn name(map: &Changed, text: &str) -> Expr {
    Expr { kind: ExprKind::Name(text.to_string()), at: map.map.at }
}

fn binary(map: &Changed, op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr { kind: ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, at: map.map.at }
}

/// `expr + by`, where a number at its end takes up `by`.
fn plus(map: &Changed, expr: Expr, by: i128) -> Expr {
    match expr.kind {
        ExprKind::Int { value, suffix: None } => map.number(value + by),
        ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right } if is_number(&right) => {
            let ExprKind::Int { value, .. } = right.kind else { return *left };
            let value = if op == BinaryOp::Add { value } else { -value };
            plus(map, *left, value + by)
        }
        _ if by == 0 => expr,
        _ if by > 0 => binary(map, BinaryOp::Add, expr, map.number(by)),
        _ => binary(map, BinaryOp::Sub, expr, map.number(-by)),
    }
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Int { suffix: None, .. })
}

/// Every other loop of the kernel, tiled so that a launch runs a few of its steps.
fn launches(kernel: &Kernel, position: usize, of: &str) -> Vec<Offer> {
    let start = Changed::new(kernel, position);
    if start.clause(|c| matches!(c, ClauseKind::Launches(_))).is_some() {
        return Vec::new();
    }
    let mut offers = Vec::new();
    for of in kernel.loops.iter().map(|l| &l.name).filter(|l| l.text != of) {
        for steps in OVERLAP_STEPS {
            let mut changed = Changed::new(kernel, position);
            let (outer, inner) = (changed.fresh(&format!("{}b", of.text)), changed.fresh(&format!("{}i", of.text)));
            let by = changed.number(steps);
            changed.put(None, ClauseKind::Tile { of: of.clone(), by, outer: outer.clone(), inner });
            changed.put(None, ClauseKind::Launches(vec![outer]));
            let text = format!(
                "no constant is wide enough for all of `{}`; with {} the map is lawful",
                of.text,
                changed.text()
            );
            offers.push(Offer::new(changed.kernel(), text, changed.edits()));
        }
    }
    offers
}
