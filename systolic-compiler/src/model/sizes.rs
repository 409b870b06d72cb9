//! The law `sizes`: ∀ size s: an input's shape or a `size` parameter gives s; every number of the instance fits.
use super::scope::{Scope, Symbol, each_expr};
use super::{Form, Parameter, ParameterKind, Size, SizeSource};
use crate::fault::{Fault, Faults, Kind, SizesFact, nearest};
use crate::region::Region;
use crate::syntax::print_expr;
use crate::syntax::tree::{self, Expr, ExprKind};
use crate::target::limits;

pub fn overflow(expr: &Expr) -> Fault {
    Fault::new(expr.at, SizesFact::Overflow { text: print_expr(expr) })
}

/// Checks that the numbers of an affine form are within the limits of the decision procedure.
pub fn fits(form: &Form, expr: &Expr) -> Result<(), Fault> {
    let too_large = |limit| Fault::new(expr.at, SizesFact::TooLarge { text: print_expr(expr), limit });
    if form.constant.unsigned_abs() > limits::NUMBER as u128 {
        return Err(too_large(limits::NUMBER));
    }
    if form.coefs.iter().any(|c| c.unsigned_abs() > limits::COEFFICIENT as u128) {
        return Err(too_large(limits::COEFFICIENT));
    }
    Ok(())
}

/// Finds for every size the parameter that determines it: one unknown at a time, in the order of the parameters.
pub fn sources(scope: &Scope, kernel: &tree::Kernel, parameters: &[Parameter], faults: &mut Faults) -> Vec<Size> {
    let mut found: Vec<Option<SizeSource>> = vec![None; scope.call_sizes()];
    let mut missing = Vec::new();
    for (k, p) in parameters.iter().enumerate() {
        if let (ParameterKind::Size, Some((Symbol::Size(s), _))) = (&p.kind, scope.find(&p.name.text)) {
            found[s] = Some(SizeSource::Parameter { parameter: k });
        }
    }
    let dims = || {
        parameters.iter().enumerate().flat_map(|(k, p)| match &p.kind {
            ParameterKind::Array { dims, .. } => dims.iter().enumerate().map(|(axis, d)| (k, axis, d)).collect(),
            _ => Vec::new(),
        })
    };
    loop {
        let next = dims().find_map(|(parameter, axis, dim)| {
            let mut unknown = (0..found.len()).filter(|s| dim.coef(*s) != 0 && found[*s].is_none());
            match (unknown.next(), unknown.next()) {
                (Some(s), None) => Some((s, SizeSource::Shape { parameter, axis })),
                _ => None,
            }
        });
        match next {
            Some((s, source)) => found[s] = Some(source),
            None => {
                let Some(s) = (0..found.len()).find(|s| found[*s].is_none()) else { break };
                let beside = dims().find(|(_, _, d)| d.coef(s) != 0).map(|(_, _, d)| {
                    let others = (0..found.len()).filter(|o| *o != s && d.coef(*o) != 0 && found[*o].is_none());
                    others.map(|o| scope.sizes[o].clone()).collect()
                });
                faults.push(not_given(scope, kernel, &scope.sizes[s], beside));
                missing.push(s);
                // Treat it as given: other sizes may follow from it, and one mistake gives one error.
                found[s] = Some(SizeSource::Parameter { parameter: 0 });
            }
        }
    }
    missing.iter().for_each(|s| found[*s] = None);
    let name = |s: usize| scope.sizes[s].clone();
    let lengths = scope.lengths.iter().cloned().map(|(parameter, index)| Some(SizeSource::Length { parameter, index }));
    let all = found.into_iter().chain(lengths).enumerate();
    all.filter_map(|(s, source)| Some(Size { name: name(s), source: source? })).collect()
}

fn not_given(scope: &Scope, kernel: &tree::Kernel, name: &str, beside: Option<Vec<String>>) -> Fault {
    let (at, in_bound) = first_use(kernel, name).unwrap_or((kernel.name.at, false));
    if let Some(beside) = beside {
        let fact = SizesFact::NotAlone { name: name.to_string(), beside };
        return Fault::new(at, fact).with_advice(format!("add a parameter `{name}: size`"));
    }
    let fault = Fault::new(at, SizesFact::NotGiven { name: name.to_string() });
    // A loop may occur in a bound, but not in a dimension.
    let known = scope
        .names_of(|k| matches!(k, Kind::Size | Kind::SizeParameter | Kind::Generic) || (in_bound && k == Kind::Loop));
    match nearest(name, known.into_iter().filter(|k| *k != name)) {
        Some(near) => fault.with_edit(format!("did you mean `{near}`?"), at, near),
        None => {
            let size = format!("{name}: size");
            fault.with_advice(format!("add a parameter `{size}`, or use a size that a shape gives"))
        }
    }
}

/// Where a size occurs first: in the signature, otherwise in a bound. Also returns whether that is a bound.
fn first_use(kernel: &tree::Kernel, name: &str) -> Option<(Region, bool)> {
    let dims = kernel.parameters.iter().flat_map(|p| match &p.kind {
        tree::ParameterKind::Array { array, lengths, .. } => {
            array.dims.iter().chain(lengths.iter().map(|lengths| &lengths.most)).collect()
        }
        tree::ParameterKind::Const { array, .. } => array.dims.iter().collect(),
        _ => Vec::new(),
    });
    let outputs = kernel.outputs.iter().flat_map(|o| &o.array.dims);
    let bounds = kernel.loops.iter().flat_map(|l| [&l.low, &l.high]);
    let mut at = None;
    for (expr, in_bound) in dims.chain(outputs).map(|d| (d, false)).chain(bounds.map(|b| (b, true))) {
        each_expr(expr, &mut |e| {
            if at.is_none() && matches!(&e.kind, ExprKind::Name(n) if n == name) {
                at = Some((e.at, in_bound));
            }
        });
    }
    at
}
