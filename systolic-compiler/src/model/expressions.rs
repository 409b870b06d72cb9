//! Turns expressions of the tree into drafts: names resolved, guards told from values, types still unknown.
use super::affine::Context;
use super::guards::is_comparison;
use super::infer::{Asks, TypeId, Unknowns};
use super::scope::Symbol;
use super::{Array, BinaryOp, CompareOp, Element, Form, Formula, Int, Type, UnaryOp, uniform};
use crate::fault::{BoundsFact, Fault, Faults, TypesFact};
use crate::region::{Name, Region};
use crate::syntax::tree::{self, Expr, ExprKind};
use crate::syntax::{FUNCTIONS, print_array, print_expr};

/// An expression whose type is an unknown.
#[derive(Debug)]
pub struct Draft {
    pub kind: DraftKind,
    pub ty: TypeId,
    pub at: Region,
}

#[derive(Debug)]
pub enum DraftKind {
    Int(i128),
    Float(String),
    Bool(bool),
    Element { element: Element, index_at: Vec<Region> },
    Lookup { array: Array, index: Vec<Draft> },
    Read { variable: usize, distance: Vec<Int>, index_at: Vec<Region> },
    Index(Form),
    Holds(Formula),
    Unary { op: UnaryOp, operand: Box<Draft> },
    Binary { op: BinaryOp, word: &'static str, left: Box<Draft>, right: Box<Draft> },
    Fma { a: Box<Draft>, b: Box<Draft>, c: Box<Draft> },
    Compare { op: CompareOp, left: Box<Draft>, right: Box<Draft> },
    Cast { operand: Box<Draft> },
    If { guard: Formula, then: Box<Draft>, otherwise: Box<Draft> },
    Select { condition: Box<Draft>, then: Box<Draft>, otherwise: Box<Draft> },
}

/// A fault was reported, and this expression has no draft.
pub struct Reported;

/// Drafts the expressions of one instance.
pub struct Drafter<'a> {
    pub context: Context<'a>,
    pub kernel: &'a tree::Kernel,
    pub unknowns: Unknowns,
    /// The unknown type of every variable.
    pub variables: Vec<TypeId>,
    pub faults: &'a mut Faults,
    /// Whether the expression is an index.
    pub in_index: bool,
}

impl Drafter<'_> {
    pub fn draft(&mut self, expr: &Expr) -> Result<Draft, Reported> {
        let at = expr.at;
        if self.context.is_guard(expr) && !matches!(expr.kind, ExprKind::Bool(_)) {
            let guard = self.ok(self.context.guard(expr))?;
            let ty = self.unknowns.known(Type::Bool, "a comparison is a bool");
            return Ok(Draft { kind: DraftKind::Holds(guard), ty, at });
        }
        match &expr.kind {
            ExprKind::Int { value, suffix } => {
                let ty = self.literal(suffix.as_deref(), Asks::Number, at)?;
                Ok(Draft { kind: DraftKind::Int(*value), ty, at })
            }
            ExprKind::Float { text, suffix } => {
                let ty = self.literal(suffix.as_deref(), Asks::Float, at)?;
                Ok(Draft { kind: DraftKind::Float(text.clone()), ty, at })
            }
            ExprKind::Bool(value) => {
                let ty = self.unknowns.known(Type::Bool, "`true` and `false` are bool");
                Ok(Draft { kind: DraftKind::Bool(*value), ty, at })
            }
            ExprKind::Name(name) => self.name(name, expr),
            // The syntax has it in maps only.
            ExprKind::Hole => self.name("_", expr),
            ExprKind::Index { name, indices } => self.index(name, indices, at),
            ExprKind::Unary { op, operand } => {
                let operand = self.draft(operand)?;
                let op = match op {
                    tree::UnaryOp::Neg => UnaryOp::Neg,
                    tree::UnaryOp::Not => UnaryOp::Not,
                };
                Ok(Draft { ty: operand.ty, kind: DraftKind::Unary { op, operand: Box::new(operand) }, at })
            }
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right, at),
            ExprKind::Cast { operand, ty } => self.cast(operand, ty, at),
            ExprKind::If { condition, then, otherwise } => self.choice(condition, then, otherwise, at),
            ExprKind::Call { function, arguments } => self.call(function, arguments, at),
        }
    }

    /// Requires that `found` has the type of `expected`.
    pub fn unify(&mut self, expected: TypeId, found: &Draft) -> Result<(), Reported> {
        self.unknowns.unify(expected, found.ty).map_err(|c| {
            let number = |name: &str| Type::parse(name).is_some_and(|t| t != Type::Bool);
            let help = (number(&c.expected) && number(&c.found))
                .then(|| format!("there are no implicit conversions: write `… as {}`", c.expected));
            let fact = TypesFact::Mismatch { expected: c.expected, found: c.found, because: c.because };
            let fault = Fault::new(found.at, fact);
            self.faults.push(match help {
                Some(help) => fault.with_advice(help),
                None => fault,
            });
            Reported
        })
    }

    pub fn ok<T>(&mut self, result: Result<T, Fault>) -> Result<T, Reported> {
        result.map_err(|fault| {
            self.faults.push(fault);
            Reported
        })
    }

    /// The type that a name stands for: a type of the language, or a generic of this instance.
    pub fn type_named(&self, name: &Name) -> Option<Type> {
        self.context.instance.type_named(&name.text)
    }

    fn literal(&mut self, suffix: Option<&str>, asks: Asks, at: Region) -> Result<TypeId, Reported> {
        let Some(suffix) = suffix else { return Ok(self.unknowns.open(asks)) };
        let ty = self.context.instance.type_named(suffix);
        match ty {
            Some(ty) if ty.is_float() || (asks == Asks::Number && ty.is_integer()) => {
                Ok(self.unknowns.known(ty, format!("the literal is {ty}")))
            }
            _ => {
                self.faults.push(Fault::new(at, TypesFact::Suffix { suffix: suffix.to_string() }));
                Err(Reported)
            }
        }
    }

    fn name(&mut self, name: &str, expr: &Expr) -> Result<Draft, Reported> {
        let array = match self.context.scope.find(name).map(|(s, _)| s) {
            Some(Symbol::Parameter(k)) => Array::Parameter(k),
            Some(Symbol::Constant(k)) => Array::Constant(k),
            _ => {
                self.faults.push(index_as_value(expr, if self.in_index { "i32" } else { "f32" }));
                return Err(Reported);
            }
        };
        let ty = self.element_type(array)?;
        let element = Element { array, index: Vec::new() };
        Ok(Draft { kind: DraftKind::Element { element, index_at: Vec::new() }, ty, at: expr.at })
    }

    fn index(&mut self, name: &Name, indices: &[Expr], at: Region) -> Result<Draft, Reported> {
        let index_at = indices.iter().map(|i| i.at).collect();
        let array = match self.context.scope.find(&name.text).map(|(s, _)| s) {
            Some(Symbol::Variable(variable)) => {
                let distance = self.ok(uniform::distance(&self.context, &name.text, indices))?;
                let ty = self.variables[variable];
                return Ok(Draft { kind: DraftKind::Read { variable, distance, index_at }, ty, at });
            }
            Some(Symbol::Parameter(_)) if self.context.is_length(&name.text) => {
                let expr = Expr { kind: ExprKind::Index { name: name.clone(), indices: indices.to_vec() }, at };
                self.faults.push(index_as_value(&expr, if self.in_index { "i32" } else { "f32" }));
                return Err(Reported);
            }
            Some(Symbol::Parameter(k)) => Array::Parameter(k),
            Some(Symbol::Constant(k)) => Array::Constant(k),
            _ => return Err(Reported),
        };
        if !indices.iter().all(|i| self.context.is_index(i)) && !indices.is_empty() {
            return self.lookup(array, &name.text, indices, at);
        }
        let mut index = Vec::new();
        for i in indices {
            let form = self.context.form(i, "an index");
            index.push(self.ok(form)?);
        }
        let ty = self.element_type(array)?;
        Ok(Draft { kind: DraftKind::Element { element: Element { array, index }, index_at }, ty, at })
    }

    /// An element at indices of which some are values.
    fn lookup(&mut self, array: Array, name: &str, indices: &[Expr], at: Region) -> Result<Draft, Reported> {
        let mut index = Vec::new();
        let outer = std::mem::replace(&mut self.in_index, true);
        for i in indices {
            let draft = if self.context.is_index(i) { self.affine(i, "an index") } else { self.draft(i) };
            index.push(draft);
        }
        self.in_index = outer;
        let index = index.into_iter().collect::<Result<Vec<_>, _>>()?;
        let (has_border, kind, written) = self.border(array);
        if !has_border {
            let value = indices.iter().find(|i| !self.context.is_index(i)).map_or(at, |i| i.at);
            let fault = Fault::new(value, BoundsFact::ByValue { array: name.to_string() });
            self.faults.push(match written {
                Some((at, text)) => {
                    let code = format!("{text} border zero");
                    let words = format!("say what stands outside, here zeros: `{name}: {kind}{code}`");
                    fault.with_edit(words, at, code)
                }
                None => fault,
            });
            return Err(Reported);
        }
        let ty = self.element_type(array)?;
        Ok(Draft { kind: DraftKind::Lookup { array, index }, ty, at })
    }

    /// Whether an array has a border, what stands before its type, and where and how the type is written.
    fn border(&self, array: Array) -> (bool, &'static str, Option<(Region, String)>) {
        let written = |of: &tree::ArrayType| Some((of.at, print_array(of)));
        match array {
            Array::Parameter(k) => match &self.kernel.parameters[k].kind {
                tree::ParameterKind::Array { array, border, .. } => (border.is_some(), "", written(array)),
                tree::ParameterKind::Const { array, border } => (border.is_some(), "const ", written(array)),
                tree::ParameterKind::Scalar { .. } | tree::ParameterKind::Size => (false, "", None),
            },
            Array::Constant(k) => {
                let constant = &self.kernel.constants[k];
                let array = match &constant.ty {
                    tree::ConstantType::Array(array) => written(array),
                    tree::ConstantType::Scalar(_) => None,
                };
                (constant.border.is_some(), "", array)
            }
        }
    }

    /// An affine form of loops and sizes, as an `i64`.
    fn affine(&mut self, expr: &Expr, what: &'static str) -> Result<Draft, Reported> {
        let form = self.ok(self.context.form(expr, what))?;
        let ty = self.unknowns.known(Type::I64, "an index is an i64");
        Ok(Draft { kind: DraftKind::Index(form), ty, at: expr.at })
    }

    fn element_type(&mut self, array: Array) -> Result<TypeId, Reported> {
        let (name, ty) = match array {
            Array::Parameter(k) => {
                let p = &self.kernel.parameters[k];
                let ty = match &p.kind {
                    tree::ParameterKind::Array { array, .. } | tree::ParameterKind::Const { array, .. } => {
                        &array.element
                    }
                    tree::ParameterKind::Scalar { ty } => ty,
                    tree::ParameterKind::Size => return Err(Reported),
                };
                (&p.name, ty)
            }
            Array::Constant(k) => {
                let c = &self.kernel.constants[k];
                let ty = match &c.ty {
                    tree::ConstantType::Array(array) => &array.element,
                    tree::ConstantType::Scalar(ty) => ty,
                };
                (&c.name, ty)
            }
        };
        let Some(ty) = self.type_named(ty) else { return Err(Reported) };
        Ok(self.unknowns.known(ty, format!("`{}` is {ty}", name.text)))
    }

    fn binary(&mut self, op: tree::BinaryOp, left: &Expr, right: &Expr, at: Region) -> Result<Draft, Reported> {
        use tree::BinaryOp as B;
        let left = self.draft(left);
        let right = self.draft(right);
        let (left, right) = (left?, right?);
        if is_comparison(op) {
            self.unify(left.ty, &right)?;
            let op = match op {
                B::Eq => CompareOp::Eq,
                B::Ne => CompareOp::Ne,
                B::Lt => CompareOp::Lt,
                B::Le => CompareOp::Le,
                B::Gt => CompareOp::Gt,
                _ => CompareOp::Ge,
            };
            let ty = self.unknowns.known(Type::Bool, "a comparison is a bool");
            let kind = DraftKind::Compare { op, left: Box::new(left), right: Box::new(right) };
            return Ok(Draft { kind, ty, at });
        }
        let (op, word) = match op {
            B::Add => (BinaryOp::Add, "+"),
            B::Sub => (BinaryOp::Sub, "-"),
            B::Mul => (BinaryOp::Mul, "*"),
            B::Div => (BinaryOp::Div, "/"),
            B::Rem => (BinaryOp::Rem, "%"),
            B::Shl => (BinaryOp::Shl, "<<"),
            B::Shr => (BinaryOp::Shr, ">>"),
            B::BitAnd => (BinaryOp::And, "&"),
            B::BitOr => (BinaryOp::Or, "|"),
            B::BitXor => (BinaryOp::Xor, "^"),
            B::And => (BinaryOp::And, "&&"),
            _ => (BinaryOp::Or, "||"),
        };
        match word {
            // A shift count may have any integer type; a literal without a type is an `i32`.
            "<<" | ">>" => {}
            "&&" | "||" => {
                let bool_type = self.unknowns.known(Type::Bool, format!("`{word}` joins conditions"));
                self.unify(bool_type, &left)?;
                self.unify(bool_type, &right)?;
            }
            _ => self.unify(left.ty, &right)?,
        }
        let ty = left.ty;
        Ok(Draft { kind: DraftKind::Binary { op, word, left: Box::new(left), right: Box::new(right) }, ty, at })
    }

    fn cast(&mut self, operand: &Expr, ty: &Name, at: Region) -> Result<Draft, Reported> {
        let Some(to) = self.type_named(ty) else { return Err(Reported) };
        let operand = if self.context.is_index(operand) {
            self.affine(operand, "the operand of `as`")?
        } else {
            self.draft(operand)?
        };
        let ty = self.unknowns.known(to, format!("`as` converts to {to}"));
        Ok(Draft { kind: DraftKind::Cast { operand: Box::new(operand) }, ty, at })
    }

    fn choice(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr, at: Region) -> Result<Draft, Reported> {
        let is_guard = self.context.is_guard(condition);
        let guard = is_guard.then(|| self.context.guard(condition)).transpose();
        let guard = self.ok(guard);
        let value = if is_guard { Ok(None) } else { self.draft(condition).map(Some) };
        let then = self.draft(then);
        let otherwise = self.draft(otherwise);
        let (guard, value, then, otherwise) = (guard?, value?, Box::new(then?), Box::new(otherwise?));
        self.unify(then.ty, &otherwise)?;
        let ty = then.ty;
        let kind = match (guard, value) {
            (Some(guard), _) => DraftKind::If { guard, then, otherwise },
            (None, Some(condition)) => {
                let bool_type = self.unknowns.known(Type::Bool, "a condition is a bool");
                self.unify(bool_type, &condition)?;
                DraftKind::Select { condition: Box::new(condition), then, otherwise }
            }
            (None, None) => return Err(Reported),
        };
        Ok(Draft { kind, ty, at })
    }

    fn call(&mut self, function: &Name, arguments: &[Expr], at: Region) -> Result<Draft, Reported> {
        let drafts: Vec<Result<Draft, Reported>> = arguments.iter().map(|a| self.draft(a)).collect();
        let Some((name, least, most)) = FUNCTIONS.iter().find(|(n, ..)| *n == function.text) else {
            return Err(Reported);
        };
        if arguments.len() < *least || most.is_some_and(|m| arguments.len() > m) {
            let expected = if most.is_some() { least.to_string() } else { format!("{least} or more") };
            let fact = TypesFact::Arguments { function: name.to_string(), expected, found: arguments.len() };
            self.faults.push(Fault::new(function.at, fact));
            return Err(Reported);
        }
        let drafts = drafts.into_iter().collect::<Result<Vec<_>, _>>()?;
        let ty = drafts[0].ty;
        for d in &drafts[1..] {
            self.unify(ty, d)?;
        }
        let mut drafts = drafts.into_iter().map(Box::new);
        let mut next = || drafts.next().ok_or(Reported);
        if let Some(op) = UnaryOp::ALL.into_iter().find(|op| op.name() == *name) {
            return Ok(Draft { kind: DraftKind::Unary { op, operand: next()? }, ty, at });
        }
        if *name == "fma" {
            return Ok(Draft { kind: DraftKind::Fma { a: next()?, b: next()?, c: next()? }, ty, at });
        }
        let (op, word) = match *name {
            "min" => (BinaryOp::Min, "min"),
            "max" => (BinaryOp::Max, "max"),
            _ => (BinaryOp::Pow, "pow"),
        };
        let mut result = *next()?;
        while let Ok(right) = next() {
            result = Draft { kind: DraftKind::Binary { op, word, left: Box::new(result), right }, ty, at };
        }
        Ok(result)
    }
}

/// The fault for an index where a value is expected.
fn index_as_value(expr: &Expr, ty: &str) -> Fault {
    let text = print_expr(expr);
    Fault::new(expr.at, TypesFact::IndexAsValue { text: text.clone() })
        .with_advice(format!("write `{text} as {ty}`, or another type: only `as` turns an index into a value"))
}
