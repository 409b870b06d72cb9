//! Names: misspelt, defined twice, used where they cannot be.
use super::parse::map_from;
use super::walk::{left_side, read_of};
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_kernel;
use systolic_compiler::syntax::tree::*;

pub const KINDS: &[Kind] = &[
    kind("misspell a variable", &[Names], misspell_variable),
    kind("misspell a loop", &[Names], misspell_loop),
    kind("misspell a type", &[Names], misspell_type),
    kind("repeat an equation", &[Names], repeat_equation),
    kind("read an output", &[Names, Rank], read_output),
    kind("write an input", &[Names, Rank], write_input),
    kind("block a tiled loop", &[Names], block_tiled_loop),
    kind("overlap what is not tiled", &[Names], overlap_untiled),
];

fn misspell_variable(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let mut new = String::new();
    case.change(&|e, _| read_of(e, &variables).is_some(), &mut |e, _| {
        if let ExprKind::Index { name, .. } = &mut e.kind {
            name.text = format!("{}q", name.text);
            new = name.text.clone();
        }
    })?;
    case.places = vec![new];
    Some(())
}

fn misspell_loop(case: &mut Case) -> Option<()> {
    let loops: Vec<String> = case.kernel.loops.iter().map(|l| l.name.text.clone()).collect();
    let mut new = String::new();
    case.change(&|e, site| site.in_index && matches!(&e.kind, ExprKind::Name(n) if loops.contains(n)), &mut |e, _| {
        if let ExprKind::Name(n) = &mut e.kind {
            *n = format!("{n}z");
            new = n.clone();
        }
    })?;
    case.places = vec![new];
    Some(())
}

fn misspell_type(case: &mut Case) -> Option<()> {
    let count = case.kernel.parameters.len();
    case.one(count, |case, k| {
        let (ParameterKind::Array { array: ArrayType { element: ty, .. }, .. }
        | ParameterKind::Const { array: ArrayType { element: ty, .. }, .. }
        | ParameterKind::Scalar { ty }) = &mut case.kernel.parameters[k].kind
        else {
            return None;
        };
        ty.text = format!("{}4", ty.text);
        case.places = vec![ty.text.clone()];
        Some(())
    })?
}

fn repeat_equation(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let equations: Vec<Statement> = case
        .kernel
        .statements
        .iter()
        .filter(|s| matches!(s, Statement::Assign(a) if variables.contains(&a.target.text)))
        .cloned()
        .collect();
    let again = (!equations.is_empty()).then(|| case.random.pick(&equations))?;
    if let Statement::Assign(a) = &again {
        case.places = vec![a.target.text.clone(), left_side(a)];
    }
    case.kernel.statements.push(again);
    Some(())
}

fn read_output(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let outputs: Vec<String> = case.kernel.outputs.iter().map(|o| o.name.text.clone()).collect();
    let output = case.random.pick(&outputs);
    case.change(&|e, site| read_of(e, &variables).is_some() && site.variable.is_some(), &mut |e, _| {
        if let ExprKind::Index { name, .. } = &mut e.kind {
            name.text = output.clone();
        }
    })?;
    case.places = vec![output];
    Some(())
}

fn write_input(case: &mut Case) -> Option<()> {
    let inputs: Vec<String> = case.kernel.parameters.iter().map(|p| p.name.text.clone()).collect();
    let input = (!inputs.is_empty()).then(|| case.random.pick(&inputs))?;
    let count = case.assigns(false).len();
    case.one(count, |case, k| case.assigns(false)[k].target.text = input.clone())?;
    Some(())
}

fn block_tiled_loop(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    let of = map.clauses.iter().find_map(|c| match &c.kind {
        ClauseKind::Tile { of, .. } => Some(of.clone()),
        _ => None,
    })?;
    let blocks = map.clauses.iter_mut().find_map(|c| match &mut c.kind {
        ClauseKind::Blocks(names) => Some(names),
        _ => None,
    })?;
    blocks[0] = of.clone();
    case.places = vec![of.text];
    Some(())
}

fn overlap_untiled(case: &mut Case) -> Option<()> {
    let text = print_kernel(&case.kernel);
    let loops: Vec<_> = case
        .kernel
        .loops
        .iter()
        .map(|l| l.name.clone())
        .filter(|n| !text.contains(&format!("tile {} by", n.text)))
        .collect();
    let of = (!loops.is_empty()).then(|| case.random.pick(&loops))?;
    let map = case.map()?;
    map.clauses.extend(map_from(&format!("overlap {} by 1;", of.text)).clauses);
    case.places = vec![of.text];
    Some(())
}
