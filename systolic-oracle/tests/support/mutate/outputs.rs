//! Elements that are stored twice or never.
use super::defined::weaken;
use super::parse::expr_from;
use super::walk::left_side;
use super::{Case, Kind, kind};
use systolic_compiler::fault::Law::*;
use systolic_compiler::syntax::print_expr;
use systolic_compiler::syntax::tree::*;
use systolic_oracle::Random;

pub const KINDS: &[Kind] = &[
    kind("drop a store", &[Outputs, Types], drop_store),
    kind("repeat a store", &[Outputs], repeat_store),
    kind("weaken a store's guard", &[Outputs, Bounds, Defined], weaken_store_guard),
    kind("drop a store's guard", &[Outputs, Bounds, Defined, Blocks], drop_store_guard),
    kind("store at a constant", &[Outputs, Bounds], store_at_constant),
    kind("store on a value", &[Outputs, Types], store_on_value),
];

fn store_guard(case: &mut Case, edit: impl FnOnce(&mut Random, &mut Expr, &[Assign])) -> Option<()> {
    let Case { kernel, random, .. } = case;
    let mut all: Vec<_> = kernel
        .statements
        .iter_mut()
        .filter_map(|s| match s {
            Statement::If { condition, stores } => Some((condition, stores)),
            _ => None,
        })
        .collect();
    if all.is_empty() {
        return None;
    }
    let k = random.below(all.len());
    let (condition, stores) = &mut all[k];
    edit(random, condition, stores);
    Some(())
}

fn drop_store(case: &mut Case) -> Option<()> {
    let output = case.random.pick(&case.kernel.outputs).name.text;
    let statements = &mut case.kernel.statements;
    for statement in statements.iter_mut() {
        if let Statement::If { stores, .. } = statement {
            stores.retain(|s| s.target.text != output);
        }
    }
    statements.retain(|s| match s {
        Statement::If { stores, .. } => !stores.is_empty(),
        Statement::Assign(a) => a.target.text != output,
    });
    (!statements.is_empty()).then_some(())
}

fn repeat_store(case: &mut Case) -> Option<()> {
    let outputs: Vec<String> = case.kernel.outputs.iter().map(|o| o.name.text.clone()).collect();
    let is_store = |s: &&Statement| match s {
        Statement::If { .. } => true,
        Statement::Assign(a) => outputs.contains(&a.target.text),
    };
    let stores: Vec<Statement> = case.kernel.statements.iter().filter(is_store).cloned().collect();
    let again = case.random.pick(&stores);
    case.places = match &again {
        Statement::If { stores, .. } => stores.iter().map(left_side).collect(),
        Statement::Assign(a) => vec![left_side(a)],
    };
    case.kernel.statements.push(again);
    Some(())
}

fn weaken_store_guard(case: &mut Case) -> Option<()> {
    store_guard(case, |random, condition, _| match random.below(3) {
        0 => weaken(condition),
        1 => *condition = expr_from(&format!("!({})", print_expr(condition))),
        _ => {
            if let ExprKind::Binary { right, .. } = &mut condition.kind {
                weaken(right);
            }
        }
    })
}

fn drop_store_guard(case: &mut Case) -> Option<()> {
    let mut found = None;
    for (k, s) in case.kernel.statements.iter().enumerate() {
        if let Statement::If { stores, .. } = s {
            found = Some((k, stores.clone()));
        }
    }
    let (k, stores) = found?;
    case.kernel.statements.splice(k..=k, stores.into_iter().map(Statement::Assign));
    Some(())
}

fn store_at_constant(case: &mut Case) -> Option<()> {
    let constant = expr_from(case.random.pick(&["0", "3", "-1"]));
    let count = case.assigns(true).len();
    case.one(count, |case, k| {
        let mut all = case.assigns(true);
        all[k].indices[0] = constant;
    })
}

fn store_on_value(case: &mut Case) -> Option<()> {
    store_guard(case, |_, condition, stores| {
        let value = print_expr(&stores[0].value);
        *condition = expr_from(&format!("{} && ({value}) > ({value})", print_expr(condition)));
    })
}
