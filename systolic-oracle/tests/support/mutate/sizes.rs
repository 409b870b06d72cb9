//! Sizes that no parameter determines, tiles and folds of 0, numbers that are too large.
use super::parse::expr_from;
use super::walk::Site;
use super::walk::walk;
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[
    kind("size that no shape gives", &[Sizes], unknown_size),
    kind("tile of nothing", &[Sizes], empty_tile),
    kind("fold of nothing", &[Sizes], empty_fold),
    kind("huge number in an index", &[Sizes, Bounds], huge_index),
    kind("const parameter of run-time length", &[Sizes], run_time_const),
];

fn unknown_size(case: &mut Case) -> Option<()> {
    let count = case.kernel.loops.len();
    let new = case.random.pick(&["Size", "Other", "K9"]);
    let chosen = case.random.below(count);
    let mut hit = false;
    let generics: Vec<String> = case.kernel.generics.iter().map(|g| g.name.text.clone()).collect();
    let loops: Vec<String> = case.kernel.loops.iter().map(|l| l.name.text.clone()).collect();
    walk(&mut case.kernel.loops[chosen].high, &Site::default(), &mut |e, _| {
        if let ExprKind::Name(n) = &mut e.kind
            && !generics.contains(n)
            && !loops.contains(n)
        {
            *n = new.to_string();
            hit = true;
        }
    });
    case.places = vec![new.to_string()];
    hit.then_some(())
}

fn empty_tile(case: &mut Case) -> Option<()> {
    let zero = expr_from(case.random.pick(&["0", "(1 - 1)", "(2 - 5)"]));
    let map = case.map()?;
    let by = map.clauses.iter_mut().find_map(|c| match &mut c.kind {
        ClauseKind::Tile { by, .. } => Some(by),
        _ => None,
    })?;
    *by = zero;
    Some(())
}

fn empty_fold(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    let fold = map.clauses.iter_mut().find_map(|c| match &mut c.kind {
        ClauseKind::Lanes { fold, .. } => Some(fold),
        _ => None,
    })?;
    *fold = Some(expr_from("0"));
    case.places = vec!["0".to_string()];
    Some(())
}

fn huge_index(case: &mut Case) -> Option<()> {
    let huge = case.random.pick(&["100000000000000000000000000000", "85070591730234615865843651857942052864"]);
    let new = expr_from(huge);
    case.change(&|e, site| site.in_index && matches!(e.kind, ExprKind::Int { .. }), &mut |e, _| {
        e.kind = new.kind.clone()
    })
}

fn run_time_const(case: &mut Case) -> Option<()> {
    let size = case.kernel.outputs[0].array.dims.first()?.clone();
    let generics: Vec<String> = case.kernel.generics.iter().map(|g| g.name.text.clone()).collect();
    if !matches!(&size.kind, ExprKind::Name(n) if !generics.contains(n)) {
        return None;
    }
    let array = case.kernel.parameters.iter_mut().find_map(|p| match &mut p.kind {
        ParameterKind::Const { array, .. } => Some(array),
        _ => None,
    })?;
    *array.dims.first_mut()? = size;
    Some(())
}
