//! Turns a tree into its instances: checks names and ranks once, then types, sizes and affine forms per combination.
use super::affine::Context;
use super::expressions::{Draft, Drafter, Reported};
use super::infer::{Asks, Unknowns};
use super::map_names::{MapPlan, plan};
use super::scope::{Scope, Symbol, each_name};
use super::types::Finisher;
use super::*;
use crate::fault::{Fault, Faults, InstanceFaults, Kind, NamesFact, OutputsFact, SizesFact, TypesFact};
use crate::syntax::print_expr;
use crate::syntax::tree::{self, Statement};
use crate::target::limits;

/// The instances of a kernel, or the faults that prevent them.
#[derive(Debug, Default)]
pub struct Resolved {
    pub kernels: Vec<Kernel>,
    /// Faults of later stages that were found while resolving, per instance in the order of `kernels`.
    pub pending: Vec<Vec<Fault>>,
    /// Faults of the stages up to `uniform`; with any of these, later laws are not checked.
    pub faults: Vec<Fault>,
}

/// Resolves a kernel: all its instances, and the faults found.
pub fn resolve(kernel: &tree::Kernel) -> Resolved {
    let mut faults = Faults::default();
    let scope = names::check(kernel, &mut faults);
    let plans: Vec<MapPlan> = kernel.maps.iter().map(|m| plan(kernel, &scope, m, &mut faults)).collect();
    unnamed_maps(kernel, &mut faults);
    if !faults.is_empty() {
        return Resolved { faults: faults.into_vec(), ..Resolved::default() };
    }
    let instances = match instances(kernel, &scope) {
        Ok(instances) => instances,
        Err(fault) => return Resolved { faults: vec![*fault], ..Resolved::default() },
    };
    let mut all = InstanceFaults::default();
    let mut resolved = Resolved::default();
    for instance in instances {
        let mut faults = Faults::default();
        let text = instance.to_string();
        let model = Builder { kernel, scope: &scope, plans: &plans, instance, faults: &mut faults }.build();
        let faults = faults.into_vec();
        match model {
            Some(model) => {
                let (now, later) = faults.into_iter().partition(|f| f.law().stage() <= 2);
                all.add(text, now);
                resolved.kernels.push(model);
                resolved.pending.push(later);
            }
            None => all.add(text, faults),
        }
    }
    if !all.is_empty() {
        resolved.faults = all.merge();
    }
    resolved
}

/// Checks that there is at most one unnamed map per device and condition, and that names of maps differ.
fn unnamed_maps(kernel: &tree::Kernel, faults: &mut Faults) {
    for (k, map) in kernel.maps.iter().enumerate() {
        for first in &kernel.maps[..k] {
            let fault = match (&map.name, &first.name) {
                (None, None) if map.on == first.on && map.conditions == first.conditions => {
                    Fault::new(map.at, NamesFact::SecondUnnamed).with_advice("give it a name: `map rows { … }`")
                }
                (Some(a), Some(b)) if a == b => names::twice(a, Kind::Map, Kind::Map),
                _ => continue,
            };
            faults.push(fault);
            break;
        }
    }
}

/// Every combination of the generics that the kernel's `where` admits. Fails if there are too many or none.
fn instances(kernel: &tree::Kernel, scope: &Scope) -> Result<Vec<Instance>, Box<Fault>> {
    let mut instances = vec![Instance { arguments: Vec::new() }];
    for generic in &kernel.generics {
        let arguments: Vec<Argument> = match &generic.list {
            tree::GenericList::Numbers { values, .. } => values.iter().map(|(v, _)| Argument::Number(*v)).collect(),
            tree::GenericList::Types { values } => {
                values.iter().filter_map(|t| Type::parse(&t.text)).map(Argument::Type).collect()
            }
        };
        if instances.len().saturating_mul(arguments.len()) > limits::INSTANCES {
            let fact = SizesFact::TooManyInstances { limit: limits::INSTANCES };
            return Err(Box::new(Fault::new(generic.name.at, fact)));
        }
        instances = instances
            .iter()
            .flat_map(|i| {
                arguments.iter().map(|a| {
                    let mut arguments = i.arguments.clone();
                    arguments.push((generic.name.text.clone(), *a));
                    Instance { arguments }
                })
            })
            .collect();
    }
    let own: Vec<&tree::Expr> = kernel.conditions.iter().filter(|c| of_generics(c, scope)).collect();
    let mut admitted = Vec::new();
    for instance in instances {
        let mut all = true;
        for condition in &own {
            all &= holds(condition, kernel, scope, &instance)?;
        }
        if all {
            admitted.push(instance);
        }
    }
    match own.first() {
        Some(condition) if admitted.is_empty() => Err(Box::new(Fault::new(condition.at, SizesFact::NoInstances))),
        _ => Ok(admitted),
    }
}

/// Whether a condition mentions generics alone.
fn of_generics(condition: &tree::Expr, scope: &Scope) -> bool {
    if type_conditions::is_on_types(condition, scope) {
        return true;
    }
    let mut sizes = false;
    each_name(condition, &mut |n| sizes |= matches!(scope.find(n), Some((Symbol::Size(_), _))));
    !sizes
}

/// Evaluates a condition on generics.
fn holds(
    condition: &tree::Expr,
    kernel: &tree::Kernel,
    scope: &Scope,
    instance: &Instance,
) -> Result<bool, Box<Fault>> {
    if let Some(decided) = type_conditions::holds(condition, scope, instance) {
        return decided.map_err(Box::new);
    }
    let guard = Context { kernel, scope, instance }.guard(condition).map_err(Box::new)?;
    Ok(guard.holds(&[]).unwrap_or(false))
}

struct Builder<'a> {
    kernel: &'a tree::Kernel,
    scope: &'a Scope,
    plans: &'a [MapPlan],
    instance: Instance,
    faults: &'a mut Faults,
}

impl Builder<'_> {
    fn build(mut self) -> Option<Kernel> {
        let instance = self.instance.clone();
        let context = Context { kernel: self.kernel, scope: self.scope, instance: &instance };
        let parameters = self.parameters(&context);
        let outputs = self.outputs(&context);
        let constants = self.constants(&context);
        let loops = self.loops(&context);
        let conditions = self.conditions(&context);
        let sizes = match &parameters {
            Some(parameters) => sizes::sources(self.scope, self.kernel, parameters, self.faults),
            None => Vec::new(),
        };
        let body = self.body(&context);
        let (maps, open) = self.maps();
        let (equations, stores) = body?;
        let mut kernel = Kernel {
            name: self.kernel.name.clone(),
            instance,
            sizes,
            loops: loops?,
            parameters: parameters?,
            outputs: outputs?,
            constants: constants?,
            equations,
            stores,
            conditions: conditions?,
            maps,
            open,
        };
        if kernel.sizes.len() != self.scope.sizes.len() {
            return None;
        }
        let copies = copies::find(&kernel.equations, kernel.sizes.len(), kernel.call_sizes());
        for (equation, copy) in kernel.equations.iter_mut().zip(copies) {
            equation.copy = copy;
        }
        Some(kernel)
    }

    fn ok<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        result.map_err(|fault| self.faults.push(fault)).ok()
    }

    /// Converts a whole list. Reports the faults of all items; `None` if any item failed.
    fn all<T, U>(&mut self, list: &[T], mut each: impl FnMut(&mut Self, &T) -> Option<U>) -> Option<Vec<U>> {
        let results: Vec<Option<U>> = list.iter().map(|item| each(self, item)).collect();
        results.into_iter().collect()
    }

    fn ty(&self, name: &Name) -> Option<Type> {
        self.instance.type_named(&name.text)
    }

    fn dims(&mut self, context: &Context, array: &tree::ArrayType) -> Option<Vec<Form>> {
        self.all(&array.dims, |b, d| b.ok(context.form(d, "a dimension")))
    }

    /// Dimensions that are constants of at least 1.
    fn fixed_dims(&mut self, context: &Context, name: &Name, array: &tree::ArrayType) -> Option<Vec<Int>> {
        let forms = self.dims(context, array)?;
        let mut dims = Vec::new();
        for (form, expr) in forms.iter().zip(&array.dims) {
            if !form.is_constant() {
                let fact = SizesFact::RunTimeConst { name: name.text.clone() };
                self.faults.push(Fault::new(expr.at, fact));
                return None;
            }
            // More than any parameter space or literal list can hold: rejected before anything multiplies it.
            if !(1..=limits::CONST_DIMENSION).contains(&form.constant) {
                let fact = SizesFact::Elements { name: name.text.clone(), expected: form.constant, found: 0 };
                self.faults.push(Fault::new(expr.at, fact));
                return None;
            }
            dims.push(form.constant);
        }
        Some(dims)
    }

    fn parameters(&mut self, context: &Context) -> Option<Vec<Parameter>> {
        let kernel = self.kernel;
        self.all(&kernel.parameters, |b, p| {
            let kind = match &p.kind {
                tree::ParameterKind::Array { array, border, lengths } => {
                    let ty = b.ty(&array.element);
                    let dims = b.dims(context, array);
                    let border = ty.map(|ty| b.border_of(border.as_ref(), ty));
                    let lengths = match lengths {
                        Some(lengths) => Some(b.lengths(context, lengths, ty?, array)?),
                        None => None,
                    };
                    ParameterKind::Array { ty: ty?, dims: dims?, border: border??, lengths }
                }
                tree::ParameterKind::Const { array, border } => {
                    let ty = b.ty(&array.element)?;
                    let dims = b.fixed_dims(context, &p.name, array)?;
                    ParameterKind::Const { ty, dims, border: b.border_of(border.as_ref(), ty)? }
                }
                tree::ParameterKind::Scalar { ty } => ParameterKind::Scalar { ty: b.ty(ty)? },
                tree::ParameterKind::Size => ParameterKind::Size,
            };
            let written = match &p.kind {
                tree::ParameterKind::Array { array, .. } | tree::ParameterKind::Const { array, .. } => {
                    Some((array.at, print_array(array)))
                }
                _ => None,
            };
            Some(Parameter { name: p.name.clone(), kind, written })
        })
    }

    /// The range of lengths, whose elements must be integers.
    fn lengths(
        &mut self,
        context: &Context,
        lengths: &tree::Lengths,
        ty: Type,
        array: &tree::ArrayType,
    ) -> Option<Lengths> {
        if !ty.is_integer() {
            let fact = TypesFact::Lengths { found: ty.to_string() };
            let fault = Fault::new(array.element.at, fact);
            self.faults.push(fault.with_edit("write `u32`, or another integer type", array.element.at, "u32"));
            return None;
        }
        let most = self.ok(context.form(&lengths.most, "the greatest length"))?;
        let least = Int::from(lengths.least.0);
        if least > limits::NUMBER {
            let fact = SizesFact::TooLarge { text: lengths.least.0.to_string(), limit: limits::NUMBER };
            self.faults.push(Fault::new(lengths.least.1.0, fact));
            return None;
        }
        Some(Lengths { least, most })
    }

    /// The border, if there is one; `None` if it has a fault.
    fn border_of(&mut self, border: Option<&tree::Border>, ty: Type) -> Option<Option<Border>> {
        let Some(border) = border else { return Some(None) };
        Some(Some(match &border.mode {
            tree::BorderMode::Zero => Border::Zero,
            tree::BorderMode::Clamp => Border::Clamp,
            tree::BorderMode::Reflect => Border::Reflect,
            tree::BorderMode::Symmetric => Border::Symmetric,
            tree::BorderMode::Wrap => Border::Wrap,
            tree::BorderMode::Constant(value) => match &value.kind {
                tree::ExprKind::Name(name) => {
                    let k = self.kernel.parameters.iter().position(|p| p.name.text == *name)?;
                    let scalar = match &self.kernel.parameters[k].kind {
                        tree::ParameterKind::Scalar { ty } => self.ty(ty),
                        _ => None,
                    };
                    if scalar != Some(ty) {
                        self.faults.push(Fault::new(value.at, TypesFact::BorderValue));
                        return None;
                    }
                    Border::Scalar(k)
                }
                _ => Border::Constant(self.literal(value, ty)?),
            },
        }))
    }

    /// A literal of a known type.
    fn literal(&mut self, expr: &tree::Expr, ty: Type) -> Option<Value> {
        let mut unknowns = Unknowns::default();
        let mut finisher =
            Finisher { unknowns: &mut unknowns, faults: self.faults, reported: Vec::new(), partial: false };
        let suffix = match &expr.kind {
            tree::ExprKind::Int { suffix, .. } | tree::ExprKind::Float { suffix, .. } => suffix.as_deref(),
            _ => None,
        };
        if let Some(found) = suffix.filter(|s| Type::parse(s) != Some(ty)) {
            let because = format!("the elements are {ty}");
            let fact = TypesFact::Mismatch { expected: ty.to_string(), found: found.to_string(), because };
            self.faults.push(Fault::new(expr.at, fact));
            return None;
        }
        match &expr.kind {
            tree::ExprKind::Int { value, .. } if ty.is_numeric() => finisher.int(*value, ty, expr.at),
            tree::ExprKind::Float { text, .. } if ty.is_numeric() => finisher.float(text, ty, expr.at),
            tree::ExprKind::Bool(value) if ty == Type::Bool => Some(Value::Bool(*value)),
            _ => {
                let because = format!("the elements are {ty}");
                let found = print_expr(expr);
                let fact = TypesFact::Mismatch { expected: ty.to_string(), found, because };
                self.faults.push(Fault::new(expr.at, fact));
                None
            }
        }
    }

    fn outputs(&mut self, context: &Context) -> Option<Vec<Output>> {
        let kernel = self.kernel;
        self.all(&kernel.outputs, |b, o| {
            let dims = if o.is_scalar { vec![Form::constant(1)] } else { b.dims(context, &o.array)? };
            let ty = b.ty(&o.array.element)?;
            let rest = match &o.rest {
                Some(value) => Some(b.literal(value, ty)?),
                None => None,
            };
            let (at, written) = (o.name.at.to(o.array.at), crate::syntax::print_output_type(o));
            Some(Output {
                name: o.name.clone(),
                ty,
                dims,
                is_scalar: o.is_scalar,
                rest,
                at,
                array_at: o.array.at,
                written,
            })
        })
    }

    fn constants(&mut self, context: &Context) -> Option<Vec<Constant>> {
        let kernel = self.kernel;
        self.all(&kernel.constants, |b, c| {
            let (ty, dims) = match &c.ty {
                tree::ConstantType::Array(array) => (b.ty(&array.element)?, b.fixed_dims(context, &c.name, array)?),
                tree::ConstantType::Scalar(ty) => (b.ty(ty)?, Vec::new()),
            };
            let mut values = Vec::new();
            b.elements(&c.name, &c.value, &dims, ty, &mut values)?;
            let border = b.border_of(c.border.as_ref(), ty)?;
            Some(Constant { name: c.name.clone(), ty, dims, border, values })
        })
    }

    fn elements(
        &mut self,
        name: &Name,
        value: &tree::Value,
        dims: &[Int],
        ty: Type,
        out: &mut Vec<Value>,
    ) -> Option<()> {
        match (value, dims) {
            (tree::Value::Literal(expr), _) => out.push(self.literal(expr, ty)?),
            (tree::Value::List { items, at }, [length, rest @ ..]) => {
                if items.len() as Int != *length {
                    let fact = SizesFact::Elements { name: name.text.clone(), expected: *length, found: items.len() };
                    self.faults.push(Fault::new(*at, fact));
                    return None;
                }
                for item in items {
                    self.elements(name, item, rest, ty, out)?;
                }
            }
            (tree::Value::List { .. }, []) => return None,
        }
        Some(())
    }

    fn loops(&mut self, context: &Context) -> Option<Vec<Loop>> {
        let kernel = self.kernel;
        let numbered: Vec<(usize, &tree::Loop)> = kernel.loops.iter().enumerate().collect();
        self.all(&numbered, |b, (k, l)| {
            let low = b.ok(context.form(&l.low, "a bound"));
            let high = b.ok(context.form(&l.high, "a bound"));
            let (low, high) = (low?, high?);
            uniform::outer_only(context, *k, &l.low, &low, b.faults);
            uniform::outer_only(context, *k, &l.high, &high, b.faults);
            Some(Loop { name: l.name.clone(), low, high, low_at: l.low.at, high_at: l.high.at })
        })
    }

    fn conditions(&mut self, context: &Context) -> Option<Vec<Condition>> {
        let kernel = self.kernel;
        let scope = self.scope;
        let on_sizes: Vec<&tree::Expr> = kernel.conditions.iter().filter(|c| !of_generics(c, scope)).collect();
        self.all(&on_sizes, |b, c| {
            let formula = b.ok(context.guard(c))?;
            Some(Condition { text: print_expr(c), formula, at: c.at })
        })
    }

    /// The maps whose `where` holds, and the numbers of those that have to be completed.
    fn maps(&mut self) -> (Vec<Mapping>, Vec<usize>) {
        let (mut maps, mut open) = (Vec::new(), Vec::new());
        for (k, (map, plan)) in self.kernel.maps.iter().zip(self.plans).enumerate() {
            let mut admitted = true;
            for condition in &map.conditions {
                match holds(condition, self.kernel, self.scope, &self.instance) {
                    Ok(holds) => admitted &= holds,
                    Err(fault) => {
                        self.faults.push(*fault);
                        admitted = false;
                    }
                }
            }
            if admitted && map.is_open() {
                open.push(k);
            } else if admitted {
                maps.extend(maps::mapping(map, k, plan, &self.instance, self.faults));
            }
        }
        (maps, open)
    }

    /// Equations and stores: drafts them, infers their types together, then finishes them.
    fn body(&mut self, context: &Context) -> Option<(Vec<Equation>, Vec<Store>)> {
        let mut unknowns = Unknowns::default();
        let variables: Vec<_> = self.scope.variables.iter().map(|_| unknowns.open(Asks::Nothing)).collect();
        let mut drafter = Drafter {
            context: *context,
            kernel: self.kernel,
            unknowns,
            variables,
            faults: self.faults,
            in_index: false,
        };
        let mut drafts = Bodies::default();
        let mut failed = false;
        for statement in &self.kernel.statements {
            let done = match statement {
                Statement::Assign(assign) => drafts.assign(&mut drafter, assign, Formula::True),
                Statement::If { condition, stores } => drafts.stores(&mut drafter, condition, stores),
            };
            failed |= done.is_err();
        }
        let Drafter { mut unknowns, variables, .. } = drafter;
        let mut finisher =
            Finisher { unknowns: &mut unknowns, faults: self.faults, reported: Vec::new(), partial: failed };
        drafts.equations.iter().for_each(|(_, d)| finisher.default_types(d));
        drafts.stores.iter().for_each(|s| finisher.default_types(&s.value));
        let mut equations = Vec::new();
        let mut complete = !failed;
        for (variable, draft) in drafts.equations {
            let known = self.scope.variables.iter().position(|v| *v == variable.text);
            let ty = known.and_then(|k| finisher.ty(variables[k], variable.at, || format!("`{}`", variable.text)));
            match (ty, finisher.finish(draft)) {
                (Some(ty), Some(value)) => {
                    equations.push(Equation { variable, ty, value, copy: None, shift: Vec::new(), runs: Formula::True })
                }
                _ => complete = false,
            }
        }
        let mut stores = Vec::new();
        for s in drafts.stores {
            match finisher.finish(s.value) {
                Some(value) => stores.push(Store {
                    guard: s.guard,
                    output: s.output,
                    index: s.index,
                    index_at: s.index_at,
                    value,
                    at: s.at,
                    shift: Vec::new(),
                }),
                None => complete = false,
            }
        }
        complete.then_some((equations, stores))
    }
}

/// The left side of a store as text.
fn print_expr_target(store: &tree::Assign) -> String {
    if store.indices.is_empty() {
        return store.target.text.clone();
    }
    let indices: Vec<String> = store.indices.iter().map(print_expr).collect();
    format!("{}[{}]", store.target.text, indices.join(", "))
}

/// An array type as text.
fn print_array(array: &tree::ArrayType) -> String {
    let dims: Vec<String> = array.dims.iter().map(print_expr).collect();
    format!("[{}; {}]", array.element.text, dims.join(", "))
}

/// Equations and stores whose types are not inferred yet.
#[derive(Default)]
struct Bodies {
    equations: Vec<(Name, Draft)>,
    stores: Vec<DraftStore>,
}

struct DraftStore {
    guard: Formula,
    output: usize,
    index: Vec<Form>,
    index_at: Vec<Region>,
    value: Draft,
    at: Region,
}

impl Bodies {
    fn stores(
        &mut self,
        drafter: &mut Drafter,
        condition: &tree::Expr,
        stores: &[tree::Assign],
    ) -> Result<(), Reported> {
        if !drafter.context.is_guard(condition) {
            // One condition is one mistake, however many stores it has.
            if let Some(store) = stores.first() {
                let fact = OutputsFact::NotAGuard { output: store.target.text.clone() };
                let target = print_expr_target(store);
                let words = format!("store always, and choose the value: `{target} = if … {{ … }} else {{ … }};`");
                drafter.faults.push(Fault::new(store.at, fact).with_advice(words));
            }
            return Err(Reported);
        }
        let guard = drafter.context.guard(condition);
        let guard = drafter.ok(guard)?;
        let mut result = Ok(());
        for store in stores {
            result = self.assign(drafter, store, guard.clone()).and(result);
        }
        result
    }

    fn assign(&mut self, drafter: &mut Drafter, assign: &tree::Assign, guard: Formula) -> Result<(), Reported> {
        let value = drafter.draft(&assign.value);
        match drafter.context.scope.find(&assign.target.text).map(|(s, _)| s) {
            Some(Symbol::Output(output)) => {
                let mut index = Vec::new();
                for i in &assign.indices {
                    let form = drafter.context.form(i, "an index").map_err(uniform::store_at_value);
                    index.push(drafter.ok(form)?);
                }
                let value = value?;
                let declared = &drafter.kernel.outputs[output];
                if declared.is_scalar {
                    index.push(Form::constant(0));
                }
                let ty = drafter.type_named(&declared.array.element).ok_or(Reported)?;
                let ty = drafter.unknowns.known(ty, format!("`{}` is {ty}", declared.name.text));
                drafter.unify(ty, &value)?;
                let index_at = match declared.is_scalar {
                    true => vec![assign.at],
                    false => assign.indices.iter().map(|i| i.at).collect(),
                };
                self.stores.push(DraftStore { guard, output, index, index_at, value, at: assign.at });
            }
            Some(Symbol::Variable(k)) => {
                let loops = drafter.context.scope.loops.clone();
                uniform::left_side(assign, &loops, drafter.faults);
                let value = value?;
                let ty = drafter.variables[k];
                drafter.unify(ty, &value)?;
                self.equations.push((assign.target.clone(), value));
            }
            _ => return Err(Reported),
        }
        Ok(())
    }
}
