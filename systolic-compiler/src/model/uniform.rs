//! The law `uniform`: ∀ read V[i₁, …, iₙ] at z: iₖ = zₖ − eₖ with eₖ a constant; every other index, bound, dimension
//! and guard is affine.
use super::affine::Context;
use super::scope::LengthUse;
use super::{Form, Int};
use crate::fault::{Fact, Fault, Faults, UniformFact};
use crate::syntax::print_expr;
use crate::syntax::tree::{self, Expr, ExprKind};

/// Whether the fault is an index that is a value.
fn is_value(fault: &Fault) -> bool {
    matches!(fault.fact, Fact::Uniform(UniformFact::ValueIndex { .. }))
}

/// A fault of the index of a store. No border helps there.
pub fn store_at_value(fault: Fault) -> Fault {
    match is_value(&fault) {
        true => fault.with_advice(
            "data cannot say where something is stored: loop over the elements of the output, and let each collect what is its own",
        ),
        false => fault,
    }
}

/// The dependence distance of a read: consumer minus producer. Fails if it is not constant.
pub fn distance(context: &Context, variable: &str, indices: &[Expr]) -> Result<Vec<Int>, Fault> {
    let scope = context.scope;
    let mut distance = Vec::new();
    for (k, (index, name)) in indices.iter().zip(&scope.loops).enumerate() {
        let form = match context.form(index, "an index") {
            // The advice for inputs does not apply: a variable cannot be read at such an index at all.
            Err(fault) if matches!(fault.fact, Fact::Uniform(UniformFact::LoopDivision { .. })) => {
                let expected_loop = name.clone();
                let fact =
                    UniformFact::Index { variable: variable.to_string(), expected_loop, text: print_expr(index) };
                return Err(Fault::new(index.at, fact));
            }
            Err(fault) if is_value(&fault) => {
                return Err(fault.with_advice(format!(
                    "store `{variable}`, and read it in a second kernel: there it is an array, and may have a border"
                )));
            }
            form => form?,
        };
        let offset = &form - &Form::var(scope.sizes.len() + k);
        if !offset.is_constant() {
            let fact = UniformFact::Index {
                variable: variable.to_string(),
                expected_loop: name.clone(),
                text: print_expr(index),
            };
            let fault = Fault::new(index.at, fact);
            return Err(match form.coefs.iter().all(|c| *c == 0) {
                true => fault.with_advice(format!(
                    "let a variable carry the value along `{name}`: `F[{}] = if {name} == {} {{ … }} else {{ F[{}] }};`",
                    scope.loops.join(", "),
                    print_expr(index),
                    before(&scope.loops, k),
                )),
                false => fault,
            });
        }
        distance.push(-offset.constant);
    }
    Ok(distance)
}

/// The loops as indices, with loop `k` one step back.
fn before(loops: &[String], k: usize) -> String {
    let each = loops.iter().enumerate().map(|(n, l)| if n == k { format!("{l} - 1") } else { l.clone() });
    each.collect::<Vec<_>>().join(", ")
}

/// Checks that the left side of an equation has every loop, in order.
pub fn left_side(assign: &tree::Assign, loops: &[String], faults: &mut Faults) {
    let wrong = assign.indices.iter().zip(loops).find(|(i, l)| !matches!(&i.kind, ExprKind::Name(n) if n == *l));
    if let Some((index, _)) = wrong {
        let fact = UniformFact::LeftSide { variable: assign.target.text.clone(), expected: loops.to_vec() };
        let code = format!("{}[{}]", assign.target.text, loops.join(", "));
        faults.push(Fault::new(index.at, fact).with_edit(format!("write `{code}`"), assign.at, code.clone()));
    }
}

/// Checks that a bound depends on outer loops only.
pub fn outer_only(context: &Context, k: usize, expr: &Expr, form: &Form, faults: &mut Faults) {
    let loops = &context.scope.loops;
    let scope = context.scope;
    // A length mentions the loops of its index.
    let by_length = |l: usize| {
        let follows = |(_, index): &LengthUse| index.iter().any(|(of, _)| *of == l);
        scope.lengths.iter().enumerate().any(|(n, length)| form.coef(scope.call_sizes() + n) != 0 && follows(length))
    };
    if let Some(inner) = (k..loops.len()).find(|l| form.coef(scope.sizes.len() + l) != 0 || by_length(*l)) {
        let fact = UniformFact::InnerLoop { name: loops[inner].clone(), of: loops[k].clone() };
        faults.push(Fault::new(expr.at, fact));
    }
}
