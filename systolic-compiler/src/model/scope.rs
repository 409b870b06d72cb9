//! The single namespace of a kernel: the meaning of every name.
use super::{Int, Type};
use crate::fault::{Kind, nearest};
use crate::syntax::{print_expr, tree};
use crate::target::limits;

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

/// Where a length stands: the parameter and, per axis, a loop and what is added to it.
pub type LengthUse = (usize, Vec<(usize, Int)>);

/// The names of a kernel.
#[derive(Clone, Debug)]
pub struct Scope {
    entries: Vec<(String, Symbol, Kind)>,
    /// Names with two definitions. A use of one is ambiguous.
    doubles: Vec<String>,
    /// The sizes of a call, then the lengths, as the kernel writes them: `n[k - 1]`.
    pub sizes: Vec<String>,
    /// The lengths among the sizes.
    pub lengths: Vec<LengthUse>,
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
            lengths: Vec::new(),
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
        scope.find_lengths(kernel);
        scope
    }

    /// Every way in which the body indexes lengths is one more size, numbered as they appear.
    fn find_lengths(&mut self, kernel: &tree::Kernel) {
        let mut found = Vec::new();
        each_in_body(kernel, &mut |e| found.extend(self.length(kernel, e)));
        for (length, text) in found {
            if !self.lengths.contains(&length) {
                self.lengths.push(length);
                self.sizes.push(text);
            }
        }
    }

    /// The parameter and the index of a length, and its text, if an expression is one: `n[k - 1]`.
    fn length(&self, kernel: &tree::Kernel, expr: &tree::Expr) -> Option<(LengthUse, String)> {
        let tree::ExprKind::Index { name, indices } = &expr.kind else { return None };
        let parameter = self.lengths_named(kernel, &name.text)?;
        let tree::ParameterKind::Array { array, .. } = &kernel.parameters[parameter].kind else { return None };
        let index: Option<Vec<_>> = indices.iter().map(|i| self.beside_loop(i)).collect();
        let index = index.filter(|index| index.len() == array.dims.len())?;
        Some(((parameter, index), print_expr(expr)))
    }

    /// The number of the parameter with this name, if its elements are lengths.
    pub fn lengths_named(&self, kernel: &tree::Kernel, name: &str) -> Option<usize> {
        let Some((Symbol::Parameter(k), _)) = self.find(name) else { return None };
        let is_length = matches!(kernel.parameters.get(k)?.kind, tree::ParameterKind::Array { lengths: Some(_), .. });
        is_length.then_some(k)
    }

    /// A loop and what is added to it: `k`, `k + 1`, `1 + k`, `k - 2`.
    pub fn beside_loop(&self, expr: &tree::Expr) -> Option<(usize, Int)> {
        let named = |e: &tree::Expr| match &e.kind {
            tree::ExprKind::Name(name) => self.loops.iter().position(|l| l == name),
            _ => None,
        };
        let number = |e: &tree::Expr| match &e.kind {
            tree::ExprKind::Int { value, suffix: None } if value.abs() <= limits::COEFFICIENT => Some(*value),
            _ => None,
        };
        match &expr.kind {
            tree::ExprKind::Binary { op: tree::BinaryOp::Add, left, right } => {
                let (l, plus) = (named(left).zip(number(right))).or_else(|| named(right).zip(number(left)))?;
                Some((l, plus))
            }
            tree::ExprKind::Binary { op: tree::BinaryOp::Sub, left, right } => Some((named(left)?, -number(right)?)),
            _ => Some((named(expr)?, 0)),
        }
    }

    /// The number of a length among the sizes.
    pub fn length_size(&self, kernel: &tree::Kernel, expr: &tree::Expr) -> Option<usize> {
        let (length, _) = self.length(kernel, expr)?;
        let number = self.lengths.iter().position(|l| *l == length)?;
        Some(self.call_sizes() + number)
    }

    /// How many of the sizes a call gives.
    pub fn call_sizes(&self) -> usize {
        self.sizes.len() - self.lengths.len()
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
            tree::ParameterKind::Array { array, lengths, .. } => {
                let most = lengths.iter().map(|lengths| &lengths.most);
                array.dims.iter().chain(most).for_each(|d| each_name(d, &mut |name| note(&mut names, name)));
            }
            tree::ParameterKind::Const { array, .. } => {
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
    let scope = Scope::new(kernel, |_, _, _| {});
    let count = scope.call_sizes();
    scope.sizes.into_iter().take(count).collect()
}

/// Visits all expressions of the loops and the body, in source order.
pub fn each_in_body<'k>(kernel: &'k tree::Kernel, visit: &mut impl FnMut(&'k tree::Expr)) {
    kernel.loops.iter().flat_map(|l| [&l.low, &l.high]).for_each(|bound| each_expr(bound, visit));
    let assign = |assign: &'k tree::Assign, visit: &mut _| {
        assign.indices.iter().chain([&assign.value]).for_each(|e| each_expr(e, visit));
    };
    for statement in &kernel.statements {
        match statement {
            tree::Statement::Assign(one) => assign(one, visit),
            tree::Statement::If { condition, stores } => {
                each_expr(condition, visit);
                stores.iter().for_each(|store| assign(store, visit));
            }
        }
    }
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
