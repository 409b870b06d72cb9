//! The single namespace of a kernel: the meaning of every name.
use super::Type;
use crate::fault::{Kind, nearest};
use crate::syntax::tree;

/// What a name means, with its number among its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A generic number.
    Number,
    /// A generic type.
    Type,
    Size(usize),
    Parameter(usize),
    Output(usize),
    Constant(usize),
    Loop(usize),
    Variable(usize),
}

/// The names of a kernel.
#[derive(Clone, Debug)]
pub struct Scope {
    entries: Vec<(String, Symbol, Kind)>,
    /// Names with two definitions. A use of one is ambiguous.
    doubles: Vec<String>,
    pub sizes: Vec<String>,
    pub loops: Vec<String>,
    /// The targets of equations, in order.
    pub variables: Vec<String>,
}

impl Scope {
    /// Collects the names; `twice` is called for every second definition.
    pub fn new(kernel: &tree::Kernel, mut twice: impl FnMut(&crate::region::Name, Kind, Kind)) -> Scope {
        let mut scope = Scope {
            entries: Vec::new(),
            doubles: Vec::new(),
            sizes: Vec::new(),
            loops: Vec::new(),
            variables: Vec::new(),
        };
        let mut define = |scope: &mut Scope, name: &crate::region::Name, symbol: Symbol, kind: Kind| match scope
            .entries
            .iter()
            .find(|(n, ..)| *n == name.text)
        {
            Some((_, _, first)) => {
                twice(name, *first, kind);
                scope.doubles.push(name.text.clone());
            }
            None => scope.entries.push((name.text.clone(), symbol, kind)),
        };
        for generic in &kernel.generics {
            match generic.list {
                tree::GenericList::Numbers { .. } => define(&mut scope, &generic.name, Symbol::Number, Kind::Generic),
                tree::GenericList::Types { .. } => define(&mut scope, &generic.name, Symbol::Type, Kind::TypeGeneric),
            }
        }
        for (k, p) in kernel.parameters.iter().enumerate() {
            let kind = match p.kind {
                tree::ParameterKind::Array { .. } => Kind::Array,
                tree::ParameterKind::Const { .. } => Kind::ConstArray,
                tree::ParameterKind::Scalar { .. } => Kind::Scalar,
                tree::ParameterKind::Size => Kind::SizeParameter,
            };
            if kind == Kind::SizeParameter {
                let size = scope.sizes.len();
                // Its number among the sizes is assigned below, in order of appearance.
                define(&mut scope, &p.name, Symbol::Size(size), kind);
            } else {
                define(&mut scope, &p.name, Symbol::Parameter(k), kind);
            }
        }
        for (k, o) in kernel.outputs.iter().enumerate() {
            define(&mut scope, &o.name, Symbol::Output(k), Kind::Output);
        }
        for (k, c) in kernel.constants.iter().enumerate() {
            define(&mut scope, &c.name, Symbol::Constant(k), Kind::Constant);
        }
        for (k, l) in kernel.loops.iter().enumerate() {
            define(&mut scope, &l.name, Symbol::Loop(k), Kind::Loop);
            scope.loops.push(l.name.text.clone());
        }
        // Before the variables: a name that the signature uses is a size, and an equation that reuses it is at fault.
        scope.find_sizes(&in_signature(kernel));
        for statement in &kernel.statements {
            if let tree::Statement::Assign(assign) = statement
                && !kernel.outputs.iter().any(|o| o.name == assign.target)
            {
                let known = scope.find(&assign.target.text).map(|(s, _)| s);
                // Writing to an input is a fault of its own, not a second definition.
                if !matches!(known, Some(Symbol::Parameter(_))) {
                    let k = scope.variables.len();
                    define(&mut scope, &assign.target, Symbol::Variable(k), Kind::Variable);
                    if known.is_none() {
                        scope.variables.push(assign.target.text.clone());
                    }
                }
            }
        }
        scope.variables_in_ifs(kernel);
        scope.find_sizes(&in_bounds(kernel));
        scope
    }

    /// An equation inside an `if` is a fault. Its variable is defined all the same, so that its readers have no faults too.
    fn variables_in_ifs(&mut self, kernel: &tree::Kernel) {
        for statement in &kernel.statements {
            let tree::Statement::If { stores, .. } = statement else { continue };
            for target in stores.iter().map(|s| &s.target) {
                let outputs = kernel.outputs.iter().map(|o| o.name.text.as_str());
                if self.find(&target.text).is_none() && nearest(&target.text, outputs).is_none() {
                    self.entries.push((target.text.clone(), Symbol::Variable(self.variables.len()), Kind::Variable));
                    self.variables.push(target.text.clone());
                }
            }
        }
    }

    /// Names in dimensions and bounds that mean nothing else are sizes, numbered as they appear.
    fn find_sizes(&mut self, names: &[String]) {
        for name in names.iter().filter(|name| !self.sizes.contains(name)).cloned().collect::<Vec<_>>() {
            let entry = self.entries.iter().position(|(n, ..)| *n == name);
            match entry {
                None => {
                    self.entries.push((name.clone(), Symbol::Size(self.sizes.len()), Kind::Size));
                    self.sizes.push(name);
                }
                Some(k) if self.entries[k].2 == Kind::SizeParameter => {
                    self.entries[k].1 = Symbol::Size(self.sizes.len());
                    self.sizes.push(name);
                }
                Some(_) => {}
            }
        }
    }

    pub fn find(&self, name: &str) -> Option<(Symbol, Kind)> {
        self.entries.iter().find(|(n, ..)| n == name).map(|(_, s, k)| (*s, *k))
    }

    /// Whether a name in a condition is a type: a generic one, or one of the language that has no other meaning here.
    pub fn is_type(&self, name: &str) -> bool {
        match self.find(name) {
            Some((symbol, _)) => symbol == Symbol::Type,
            None => Type::parse(name).is_some(),
        }
    }

    /// Whether a name has two definitions.
    pub fn is_double(&self, name: &str) -> bool {
        self.doubles.iter().any(|n| n == name)
    }

    /// The names of the kinds that `fits` accepts, for suggestions.
    pub fn names_of(&self, fits: impl Fn(Kind) -> bool) -> Vec<&str> {
        self.entries.iter().filter(|(_, _, k)| fits(*k)).map(|(n, ..)| n.as_str()).collect()
    }
}

/// The names in the dimensions of the signature, and its `size` parameters; each once, in order.
fn in_signature(kernel: &tree::Kernel) -> Vec<String> {
    let mut names = Vec::new();
    for p in &kernel.parameters {
        match &p.kind {
            tree::ParameterKind::Array { array, .. } | tree::ParameterKind::Const { array, .. } => {
                array.dims.iter().for_each(|d| each_name(d, &mut |name| note(&mut names, name)));
            }
            tree::ParameterKind::Size => note(&mut names, &p.name.text),
            tree::ParameterKind::Scalar { .. } => {}
        }
    }
    kernel.outputs.iter().flat_map(|o| &o.array.dims).for_each(|d| each_name(d, &mut |name| note(&mut names, name)));
    names
}

/// The names in the bounds of the loops, each once, in order.
fn in_bounds(kernel: &tree::Kernel) -> Vec<String> {
    let mut names = Vec::new();
    kernel.loops.iter().flat_map(|l| [&l.low, &l.high]).for_each(|b| each_name(b, &mut |name| note(&mut names, name)));
    names
}

fn note(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|n| n == name) {
        names.push(name.to_string());
    }
}

/// The sizes of a kernel in the order in which its signature mentions them. Works for faulty kernels too.
pub fn size_names(kernel: &tree::Kernel) -> Vec<String> {
    Scope::new(kernel, |_, _, _| {}).sizes
}

/// Calls `note` with every plain name in an expression.
pub fn each_name(expr: &tree::Expr, note: &mut impl FnMut(&str)) {
    each_expr(expr, &mut |e| {
        if let tree::ExprKind::Name(name) = &e.kind {
            note(name);
        }
    });
}

/// Visits an expression and all expressions inside it, in source order.
pub fn each_expr<'e>(expr: &'e tree::Expr, visit: &mut impl FnMut(&'e tree::Expr)) {
    walk(expr, &mut |e| {
        visit(e);
        true
    });
}

/// Visits an expression, and the expressions inside it if `visit` returns true, in source order.
pub fn walk<'e>(expr: &'e tree::Expr, visit: &mut impl FnMut(&'e tree::Expr) -> bool) {
    if !visit(expr) {
        return;
    }
    match &expr.kind {
        tree::ExprKind::Int { .. }
        | tree::ExprKind::Float { .. }
        | tree::ExprKind::Bool(_)
        | tree::ExprKind::Name(_)
        | tree::ExprKind::Hole => {}
        tree::ExprKind::Index { indices: list, .. } | tree::ExprKind::Call { arguments: list, .. } => {
            list.iter().for_each(|e| walk(e, visit));
        }
        tree::ExprKind::Unary { operand, .. } | tree::ExprKind::Cast { operand, .. } => walk(operand, visit),
        tree::ExprKind::Binary { left, right, .. } => {
            walk(left, visit);
            walk(right, visit);
        }
        tree::ExprKind::If { condition, then, otherwise } => {
            walk(condition, visit);
            walk(then, visit);
            walk(otherwise, visit);
        }
    }
}
