//! The law `names`: ∀ name n used: n is defined exactly once, and is of a kind that is allowed where it stands.
use super::scope::{Scope, Symbol, each_expr, each_in_body, walk};
use super::{Type, rank, type_conditions};
use crate::fault::{Fault, Faults, Kind, NamesFact, nearest};
use crate::region::{Name, Region};
use crate::sorted;
use crate::syntax::FUNCTIONS;
use crate::syntax::tree::{self, Expr, ExprKind};
use crate::target::limits;

/// Builds the scope of a kernel. Checks every name in its header and body, and the number of indices after it.
pub fn check(kernel: &tree::Kernel, faults: &mut Faults) -> Scope {
    let mut doubles = Vec::new();
    let scope = Scope::new(kernel, |name, first, second| doubles.push((name.clone(), first, second)));
    for (name, first, second) in doubles {
        faults.push(twice(&name, first, second));
    }
    let mut check = Check { kernel, scope: &scope, faults, in_ifs: Vec::new() };
    check.header();
    check.body();
    scope
}

pub fn twice(name: &Name, first: Kind, second: Kind) -> Fault {
    let fault = Fault::new(name.at, NamesFact::Twice { name: name.text.clone(), first, second });
    match (first, second) {
        (Kind::Variable, Kind::Variable) => {
            fault.with_advice("a variable has one equation; join the two with `if … { … } else { … }`")
        }
        _ => fault.with_advice(format!("give one of the two a name other than `{}`", name.text)),
    }
}

/// The fault for an unknown `name`; `candidates` are the names allowed there.
pub fn unknown<'a>(at: Region, name: &str, expected: Kind, candidates: impl IntoIterator<Item = &'a str>) -> Fault {
    let fault = Fault::new(at, NamesFact::Unknown { name: name.to_string(), expected });
    let mut candidates: Vec<&str> = candidates.into_iter().collect();
    sorted::sort(&mut candidates);
    match nearest(name, candidates.iter().copied()) {
        Some(near) => fault.with_edit(format!("did you mean `{near}`?"), at, near),
        None if candidates.is_empty() => fault,
        None if candidates.len() <= limits::LISTED_NAMES => {
            fault.with_advice(format!("known here: {}", list(&candidates)))
        }
        None => fault,
    }
}

/// The fault for an unknown type `name`.
pub fn unknown_type(at: Region, name: &str, scope: &Scope) -> Fault {
    let mut known: Vec<&str> = Type::ALL.iter().map(|t| t.name()).collect();
    known.extend(scope.names_of(|k| k == Kind::TypeGeneric));
    unknown(at, name, Kind::Type, known)
}

/// "`a`, `b` and `c`"
pub fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

struct Check<'a> {
    kernel: &'a tree::Kernel,
    scope: &'a Scope,
    faults: &'a mut Faults,
    /// Variables whose equation stands in an `if`; each is reported once.
    in_ifs: Vec<String>,
}

impl Check<'_> {
    fn header(&mut self) {
        for generic in &self.kernel.generics {
            match &generic.list {
                tree::GenericList::Types { values } => {
                    self.not_a_type(&generic.name);
                    for (k, ty) in values.iter().enumerate() {
                        if Type::parse(&ty.text).is_none() {
                            self.faults.push(unknown_type(ty.at, &ty.text, self.scope));
                        }
                        if values[..k].contains(ty) {
                            self.faults.push(twice(ty, Kind::Type, Kind::Type));
                        }
                    }
                }
                tree::GenericList::Numbers { values, .. } => {
                    for (k, (value, at)) in values.iter().enumerate() {
                        if values[..k].iter().any(|(v, _)| v == value) {
                            let name = Name { text: value.to_string(), at: at.0 };
                            self.faults.push(twice(&name, Kind::Generic, Kind::Generic));
                        }
                    }
                }
            }
        }
        for p in &self.kernel.parameters {
            match &p.kind {
                tree::ParameterKind::Array { array, border, lengths } => {
                    self.array(&p.name, array);
                    self.border(border.as_ref());
                    lengths.iter().for_each(|lengths| self.index_names(&lengths.most));
                }
                tree::ParameterKind::Const { array, border } => {
                    self.array(&p.name, array);
                    self.border(border.as_ref());
                }
                tree::ParameterKind::Scalar { ty } => self.ty(ty),
                tree::ParameterKind::Size => {}
            }
        }
        for o in &self.kernel.outputs {
            if o.is_scalar {
                self.ty(&o.array.element);
            } else {
                self.array(&o.name, &o.array);
            }
        }
        for c in &self.kernel.constants {
            match &c.ty {
                tree::ConstantType::Array(array) => {
                    self.array(&c.name, array);
                    self.border(c.border.as_ref());
                    rank::nesting(&c.name, array.dims.len(), &c.value, self.faults);
                }
                tree::ConstantType::Scalar(ty) => {
                    self.ty(ty);
                    rank::nesting(&c.name, 0, &c.value, self.faults);
                }
            }
        }
        for condition in &self.kernel.conditions {
            if !type_conditions::check_names(condition, self.scope, self.faults) {
                self.index_names(condition);
            }
        }
    }

    /// A generic type must not be called like a type of the language, or `size`: a use could mean either.
    fn not_a_type(&mut self, name: &Name) {
        if Type::parse(&name.text).is_some() || name.text == "size" {
            let fact = NamesFact::Twice { name: name.text.clone(), first: Kind::Type, second: Kind::TypeGeneric };
            self.faults.push(Fault::new(name.at, fact).with_advice("give the generic another name, such as `T`"));
        }
    }

    fn array(&mut self, name: &Name, array: &tree::ArrayType) {
        self.ty(&array.element);
        rank::dimensions(name, array, self.faults);
        for dim in &array.dims {
            self.index_names(dim);
        }
    }

    /// Checks names in dimensions and conditions: only generics and sizes are allowed.
    fn index_names(&mut self, expr: &Expr) {
        self.walk(expr, Self::index_name);
    }

    fn index_name(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(name) => match self.scope.find(name) {
                Some((Symbol::Number | Symbol::Size(_), _)) => {}
                Some((Symbol::Loop(_), _)) => {
                    self.faults.push(Fault::new(e.at, NamesFact::LoopInSize { name: name.clone() }));
                }
                Some((_, is)) => {
                    let fact = NamesFact::Wrong { name: name.clone(), is, expected: Kind::Size };
                    self.faults.push(Fault::new(e.at, fact));
                }
                None => {
                    let known = self.scope.names_of(|k| matches!(k, Kind::Generic | Kind::Size | Kind::SizeParameter));
                    self.faults.push(unknown(e.at, name, Kind::Size, known));
                }
            },
            ExprKind::Index { name, .. } => {
                if let Some((_, is)) = self.scope.find(&name.text) {
                    let fact = NamesFact::Wrong { name: name.text.clone(), is, expected: Kind::Size };
                    self.faults.push(Fault::new(name.at, fact));
                }
            }
            _ => {}
        }
    }

    fn ty(&mut self, name: &Name) {
        let generic = matches!(self.scope.find(&name.text), Some((Symbol::Type, _)));
        if Type::parse(&name.text).is_none() && !generic {
            self.faults.push(unknown_type(name.at, &name.text, self.scope));
        }
    }

    fn wrong(&mut self, at: Region, name: &str, is: Kind, expected: Kind) {
        self.faults.push(Fault::new(at, NamesFact::Wrong { name: name.to_string(), is, expected }));
    }

    fn body(&mut self) {
        for l in &self.kernel.loops {
            for bound in [&l.low, &l.high] {
                each_expr(bound, &mut |e| {
                    if let ExprKind::Index { name, indices } = &e.kind
                        && let Some((symbol, kind)) = self.scope.find(&name.text)
                        && let Some(dims) = self.dims(symbol)
                    {
                        rank::indices(e.at, &name.text, kind, dims, indices.len(), self.faults);
                    }
                    if let ExprKind::Name(name) = &e.kind
                        && let Some((symbol, is)) = self.scope.find(name)
                        && !matches!(symbol, Symbol::Number | Symbol::Size(_) | Symbol::Loop(_))
                    {
                        let fact = NamesFact::Wrong { name: name.clone(), is, expected: Kind::Size };
                        self.faults.push(Fault::new(e.at, fact));
                    }
                });
            }
        }
        self.one_way();
        for statement in &self.kernel.statements {
            match statement {
                tree::Statement::Assign(assign) => self.assign(assign, false),
                tree::Statement::If { condition, stores } => {
                    self.value(condition);
                    stores.iter().for_each(|s| self.assign(s, true));
                }
            }
        }
    }

    /// Lengths are indexed by the same loops everywhere, so that two of them are equal or unknown to each other.
    fn one_way(&mut self) {
        let scope = self.scope;
        let loops = |k: usize| scope.lengths[k].1.iter().map(|(l, _)| *l).collect::<Vec<_>>();
        let mut told = Vec::new();
        each_in_body(self.kernel, &mut |e| {
            let Some(number) = scope.length_size(self.kernel, e) else { return };
            let (k, parameter) = (number - scope.call_sizes(), scope.lengths[number - scope.call_sizes()].0);
            let first = scope.lengths.iter().position(|(p, _)| *p == parameter).unwrap_or(k);
            if loops(k) != loops(first) && !told.contains(&k) {
                told.push(k);
                let (text, first) = (scope.sizes[number].clone(), scope.sizes[scope.call_sizes() + first].clone());
                self.faults.push(Fault::new(e.at, NamesFact::OtherLoops { text, first }));
            }
        });
    }

    fn assign(&mut self, assign: &tree::Assign, inside_if: bool) {
        let target = &assign.target;
        let fact = match self.scope.find(&target.text) {
            Some((Symbol::Output(k), _)) => {
                let dims = self.kernel.outputs[k].array.dims.len();
                rank::indices(assign.at, &target.text, Kind::Output, dims, assign.indices.len(), self.faults);
                None
            }
            Some((Symbol::Variable(_), _)) if !inside_if => {
                let loops = self.scope.loops.len();
                rank::left_side(assign, self.kernel, loops, self.faults);
                None
            }
            Some((Symbol::Variable(_), _)) if self.in_ifs.contains(&target.text) => None,
            Some((Symbol::Variable(_), _)) => {
                self.in_ifs.push(target.text.clone());
                Some(NamesFact::EquationInIf { name: target.text.clone() })
            }
            // A second definition, already reported.
            Some((Symbol::Size(_), _)) if self.scope.is_double(&target.text) => None,
            Some((Symbol::Parameter(_) | Symbol::Size(_), kind)) => {
                Some(NamesFact::InputWritten { name: target.text.clone(), kind })
            }
            Some((_, is)) if inside_if => {
                Some(NamesFact::Wrong { name: target.text.clone(), is, expected: Kind::Output })
            }
            // A second definition, already reported.
            Some(_) => None,
            None => {
                let outputs = self.scope.names_of(|k| k == Kind::Output);
                self.faults.push(unknown(target.at, &target.text, Kind::Output, outputs));
                None
            }
        };
        if let Some(fact) = fact {
            let fault = Fault::new(target.at, fact);
            self.faults.push(match self.scope.find(&target.text) {
                Some((Symbol::Variable(_), _)) => fault.with_advice(format!(
                    "take the equation out of the `if`: `{0}[…] = if … {{ … }} else {{ … }};`",
                    target.text
                )),
                Some((Symbol::Parameter(_), Kind::Array | Kind::ConstArray)) => {
                    let loops = self.scope.loops.join(", ");
                    fault.with_advice(format!("define a variable for the new value: `V[{loops}] = …;`"))
                }
                _ => fault,
            });
        }
        assign.indices.iter().for_each(|i| self.value(i));
        self.value(&assign.value);
    }

    /// Visits an expression and all expressions inside it, except for a comparison of types, which is reported once.
    fn walk(&mut self, expr: &Expr, visit: fn(&mut Self, &Expr)) {
        walk(expr, &mut |e| {
            let inside = !type_conditions::tell_misplaced(e, self.scope, self.faults);
            if inside {
                visit(self, e);
            }
            inside
        });
    }

    /// Checks names, functions, types and numbers of indices in an expression.
    fn value(&mut self, expr: &Expr) {
        self.walk(expr, Self::value_name);
    }

    fn value_name(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(name) => match self.scope.find(name) {
                _ if self.scope.is_double(name) => {}
                None => {
                    let known = self.scope.names_of(|k| !matches!(k, Kind::Output | Kind::TypeGeneric));
                    self.faults.push(unknown(e.at, name, Kind::Variable, known));
                }
                Some((Symbol::Output(_), _)) => self.output_read(e.at, name),
                Some((Symbol::Type, is)) => self.wrong(e.at, name, is, Kind::Variable),
                Some((symbol, kind)) => {
                    if let Some(dims) = self.dims(symbol) {
                        rank::indices(e.at, name, kind, dims, 0, self.faults);
                    }
                }
            },
            ExprKind::Index { name, indices } => match self.scope.find(&name.text) {
                _ if self.scope.is_double(&name.text) => {}
                None => {
                    let known = self
                        .scope
                        .names_of(|k| matches!(k, Kind::Variable | Kind::Array | Kind::ConstArray | Kind::Constant));
                    self.faults.push(unknown(name.at, &name.text, Kind::Variable, known));
                }
                Some((Symbol::Output(_), _)) => self.output_read(name.at, &name.text),
                Some((Symbol::Type, is)) => self.wrong(name.at, &name.text, is, Kind::Variable),
                Some((symbol, kind)) => {
                    let dims = self.dims(symbol).unwrap_or(0);
                    rank::indices(e.at, &name.text, kind, dims, indices.len(), self.faults);
                }
            },
            ExprKind::Call { function, .. } if !FUNCTIONS.iter().any(|(n, ..)| *n == function.text) => {
                let known = FUNCTIONS.iter().map(|(n, ..)| *n);
                self.faults.push(unknown(function.at, &function.text, Kind::Function, known));
            }
            ExprKind::Cast { ty, .. } => self.ty(ty),
            _ => {}
        }
    }

    /// The name in `border constant(name)`.
    fn border(&mut self, border: Option<&tree::Border>) {
        let Some(tree::Border { mode: tree::BorderMode::Constant(value), .. }) = border else { return };
        let ExprKind::Name(name) = &value.kind else { return };
        match self.scope.find(name) {
            Some((_, Kind::Scalar)) => {}
            Some((_, is)) => self.wrong(value.at, name, is, Kind::Scalar),
            None => {
                let known = self.scope.names_of(|k| k == Kind::Scalar);
                self.faults.push(unknown(value.at, name, Kind::Scalar, known));
            }
        }
    }

    fn output_read(&mut self, at: Region, name: &str) {
        let loops = self.scope.loops.join(", ");
        let words = format!(
            "define a variable for the value, read that, and store it: `V[{loops}] = …;`, `{name}[…] = V[{loops}];`"
        );
        self.faults.push(Fault::new(at, NamesFact::OutputRead { name: name.to_string() }).with_advice(words));
    }

    /// The number of indices that a name takes; `None` if it is an index itself.
    fn dims(&self, symbol: Symbol) -> Option<usize> {
        match symbol {
            Symbol::Parameter(k) => match &self.kernel.parameters[k].kind {
                tree::ParameterKind::Array { array, .. } | tree::ParameterKind::Const { array, .. } => {
                    Some(array.dims.len())
                }
                _ => Some(0),
            },
            Symbol::Constant(k) => match &self.kernel.constants[k].ty {
                tree::ConstantType::Array(array) => Some(array.dims.len()),
                tree::ConstantType::Scalar(_) => Some(0),
            },
            Symbol::Variable(_) => Some(self.scope.loops.len()),
            Symbol::Output(k) => Some(self.kernel.outputs[k].array.dims.len()),
            Symbol::Number | Symbol::Type | Symbol::Size(_) | Symbol::Loop(_) => None,
        }
    }
}
