//! Values that depend on themselves.
use super::defined::has_shift;
use super::parse::expr_from;
use super::walk::Site;
use super::walk::read_of;
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[
    kind("read oneself", &[Cycle, Types], read_oneself),
    kind("define by its reader", &[Cycle, Types, Defined, Bounds], define_by_reader),
    kind("there and back", &[Cycle, Defined], there_and_back),
];

pub fn loops_of(case: &Case) -> Vec<Expr> {
    case.kernel.loops.iter().map(|l| expr_from(&l.name.text)).collect()
}

fn read_oneself(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let here = loops_of(case);
    let pick = |e: &Expr, site: &Site| {
        !site.in_index && !site.in_condition && site.variable.is_some() && read_of(e, &variables).is_some()
    };
    case.change(&pick, &mut |e, site| {
        if let (ExprKind::Index { name: read, indices }, Some(own)) = (&mut e.kind, &site.variable) {
            read.text = own.clone();
            *indices = here.clone();
        }
    })
}

/// Defines `W` as `V` at the same point, where `V` reads `W` at the same point.
fn define_by_reader(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let here: Vec<String> = case.kernel.loops.iter().map(|l| l.name.text.clone()).collect();
    let mut pairs = Vec::new();
    case.each_value(&mut |e, site| {
        if let (ExprKind::Index { name, indices }, Some(own)) = (&e.kind, &site.variable)
            && variables.contains(&name.text)
            && name.text != *own
            && indices.iter().map(print_expr).eq(here.iter().cloned())
        {
            pairs.push((own.clone(), name.text.clone()));
        }
    });
    let (reader, read) = (!pairs.is_empty()).then(|| case.random.pick(&pairs))?;
    let new = expr_from(&format!("{reader}[{}]", here.join(", ")));
    case.assigns(false).into_iter().find(|a| a.target.text == read)?.value = new;
    Some(())
}

fn there_and_back(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let pick = |e: &Expr, site: &Site| {
        has_shift(e, &variables)
            && matches!((&e.kind, &site.variable), (ExprKind::Index { name, .. }, Some(v)) if name.text == *v)
    };
    case.change(&pick, &mut |e, _| {
        let mut back = e.clone();
        if let ExprKind::Index { indices, .. } = &mut back.kind {
            for index in indices.iter_mut() {
                if let ExprKind::Binary { op, .. } = &mut index.kind {
                    *op = if *op == BinaryOp::Add { BinaryOp::Sub } else { BinaryOp::Add };
                }
            }
        }
        *e = expr_from(&format!("max({}, {})", print_expr(e), print_expr(&back)));
    })
}
