//! The law `types`: ∀ expression: it has one type, its operation exists for that type, its literals fit.
use super::expressions::{Draft, DraftKind};
use super::infer::{TypeId, Unknowns};
use super::{BinaryOp, Expr, ExprKind, Type, UnaryOp, Value};
use crate::fault::{Fault, Faults, TypesFact};
use crate::region::Region;
use systolic_arith::{int_fits, parse_float};

/// Turns drafts into typed expressions once type inference is done.
pub struct Finisher<'a> {
    pub unknowns: &'a mut Unknowns,
    pub faults: &'a mut Faults,
    /// Unknowns already reported as having no type.
    pub reported: Vec<TypeId>,
    /// Whether some expressions already have faults. A missing type may then follow from them and is not reported.
    pub partial: bool,
}

impl Finisher<'_> {
    /// Gives default types to literals that nothing constrains: shift counts and operands of `as`.
    pub fn default_types(&mut self, draft: &Draft) {
        match &draft.kind {
            DraftKind::Binary { op: BinaryOp::Shl | BinaryOp::Shr, right, .. } => {
                self.unknowns.fall_back(right.ty, Type::I32);
            }
            DraftKind::Lookup { index, .. } => {
                let literals = index.iter().filter(|i| matches!(i.kind, DraftKind::Int(_)));
                literals.for_each(|i| self.unknowns.fall_back(i.ty, Type::I32));
            }
            DraftKind::Cast { operand } => match operand.kind {
                DraftKind::Float(_) => self.unknowns.fall_back(operand.ty, Type::F64),
                DraftKind::Int(_) => self.unknowns.fall_back(operand.ty, Type::I32),
                _ => {}
            },
            _ => {}
        }
        for child in draft.children() {
            self.default_types(child);
        }
    }

    /// The type of an unknown. If there is none, reports that once.
    pub fn ty(&mut self, id: TypeId, at: Region, what: impl FnOnce() -> String) -> Option<Type> {
        let ty = self.unknowns.get(id);
        if ty.is_none() && !self.partial && !self.reported.iter().any(|r| self.unknowns.same(*r, id)) {
            self.reported.push(id);
            let fault = Fault::new(at, TypesFact::NoType { what: what() });
            self.faults.push(fault.with_advice("give a literal its type, as in `0i32` or `0.0f32`"));
        }
        ty
    }

    pub fn finish(&mut self, draft: Draft) -> Option<Expr> {
        let at = draft.at;
        let ty = self.ty(draft.ty, at, || "this expression".to_string())?;
        let kind = match draft.kind {
            DraftKind::Int(value) => ExprKind::Literal(self.int(value, ty, at)?),
            DraftKind::Float(text) => ExprKind::Literal(self.float(&text, ty, at)?),
            DraftKind::Bool(value) => ExprKind::Literal(Value::Bool(value)),
            DraftKind::Element { element, index_at } => ExprKind::Element { element, index_at },
            DraftKind::Lookup { array, index } => {
                let index: Vec<Option<Expr>> = index.into_iter().map(|i| self.position(i)).collect();
                ExprKind::Lookup { array, index: index.into_iter().collect::<Option<_>>()? }
            }
            DraftKind::Read { variable, distance, index_at } => ExprKind::Read { variable, distance, index_at },
            DraftKind::Index(form) => ExprKind::Index(form),
            DraftKind::Holds(guard) => ExprKind::Holds(guard),
            DraftKind::Unary { op, operand } => {
                let operand = self.finish(*operand)?;
                self.unary(op, ty, at)?;
                ExprKind::Unary { op, operand: Box::new(operand) }
            }
            DraftKind::Binary { op, word, left, right } => {
                let left = self.finish(*left);
                let right = self.finish(*right);
                let (left, right) = (left?, right?);
                self.binary(op, word, &left, &right, at)?;
                contract(op, left, right)
            }
            DraftKind::Fma { a, b, c } => {
                let (a, b, c) = (self.finish(*a)?, self.finish(*b)?, self.finish(*c)?);
                self.needs(ty.is_float(), "fma", ty, at)?;
                ExprKind::Fma { a: Box::new(a), b: Box::new(b), c: Box::new(c) }
            }
            DraftKind::Compare { op, left, right } => {
                let left = self.finish(*left);
                let right = self.finish(*right);
                ExprKind::Compare { op, left: Box::new(left?), right: Box::new(right?) }
            }
            DraftKind::Cast { operand } => {
                let operand = self.finish(*operand)?;
                // As in Rust: a bool becomes an integer only, and nothing becomes a bool.
                let allowed = match (operand.ty, ty) {
                    (Type::Bool, to) => to.is_integer() || to == Type::Bool,
                    (_, to) => to != Type::Bool,
                };
                if !allowed {
                    let fact = TypesFact::NoCast { from: operand.ty.to_string(), to: ty.to_string() };
                    let fault = Fault::new(at, fact);
                    self.faults.push(match operand.ty {
                        Type::Bool => fault.with_advice("write `if … { 1.0 } else { 0.0 }`"),
                        _ => fault.with_advice("write `… != 0`"),
                    });
                    return None;
                }
                ExprKind::Cast { operand: Box::new(operand) }
            }
            DraftKind::If { guard, then, otherwise } => {
                let then = self.finish(*then);
                let otherwise = self.finish(*otherwise);
                ExprKind::If { guard, then: Box::new(then?), otherwise: Box::new(otherwise?) }
            }
            DraftKind::Select { condition, then, otherwise } => {
                let condition = self.finish(*condition);
                let then = self.finish(*then);
                let otherwise = self.finish(*otherwise);
                ExprKind::Select {
                    condition: Box::new(condition?),
                    then: Box::new(then?),
                    otherwise: Box::new(otherwise?),
                }
            }
        };
        Some(Expr { kind, ty, at })
    }

    /// An index that is a value, as an `i64`. What a `u64` has beyond that is as far outside as its largest number.
    fn position(&mut self, draft: Draft) -> Option<Expr> {
        let mut index = self.finish(draft)?;
        let at = index.at;
        if !index.ty.is_integer() {
            let fault = Fault::new(at, TypesFact::IndexType { ty: index.ty.to_string() });
            self.faults.push(fault.with_advice("an index that is a value has an integer type: write `… as i32`"));
            return None;
        }
        if index.ty == Type::U64 {
            let most = Expr { kind: ExprKind::Literal(Value::U64(i64::MAX as u64)), ty: Type::U64, at };
            let kind = ExprKind::Binary { op: BinaryOp::Min, left: Box::new(index), right: Box::new(most) };
            index = Expr { kind, ty: Type::U64, at };
        }
        Some(if index.ty == Type::I64 {
            index
        } else {
            Expr { kind: ExprKind::Cast { operand: Box::new(index) }, ty: Type::I64, at }
        })
    }

    /// An integer literal of a known type. Reports a value out of range.
    pub fn int(&mut self, value: i128, ty: Type, at: Region) -> Option<Value> {
        let fits = int_fits(value, ty);
        if fits.is_none() {
            let (low, high) = limits(ty);
            let fact = TypesFact::LiteralRange { text: value.to_string(), ty: ty.to_string(), low, high };
            self.faults.push(Fault::new(at, fact));
        }
        fits
    }

    /// A float literal of a known type. Reports a type that is not a float.
    pub fn float(&mut self, text: &str, ty: Type, at: Region) -> Option<Value> {
        let value = parse_float(text, ty);
        if value.is_none() {
            let fact = TypesFact::FloatLiteral { text: text.to_string(), ty: ty.to_string() };
            self.faults.push(Fault::new(at, fact));
        }
        value
    }

    fn unary(&mut self, op: UnaryOp, ty: Type, at: Region) -> Option<()> {
        let (allowed, word) = match op {
            UnaryOp::Neg => (ty.is_float() || (ty.is_integer() && ty.is_signed()), "unary -"),
            UnaryOp::Not => (ty.is_integer() || ty == Type::Bool, "!"),
            UnaryOp::Abs => (ty.is_float() || (ty.is_integer() && ty.is_signed()), "abs"),
            of_floats => (ty.is_float(), of_floats.name()),
        };
        self.needs(allowed, word, ty, at)
    }

    fn binary(&mut self, op: BinaryOp, word: &str, left: &Expr, right: &Expr, at: Region) -> Option<()> {
        let ty = left.ty;
        let allowed = match word {
            "&&" | "||" => ty == Type::Bool,
            "&" | "|" | "^" => ty.is_integer(),
            "pow" => ty.is_float(),
            "<<" | ">>" => {
                self.needs(right.ty.is_integer(), word, right.ty, right.at)?;
                ty.is_integer()
            }
            _ => ty.is_numeric(),
        };
        debug_assert!(!matches!(op, BinaryOp::Min | BinaryOp::Max) || word == "min" || word == "max");
        self.needs(allowed, word, ty, at)
    }

    fn needs(&mut self, allowed: bool, word: &str, ty: Type, at: Region) -> Option<()> {
        if !allowed {
            let fact = TypesFact::NoOperation { operation: word.to_string(), ty: ty.to_string() };
            let fault = Fault::new(at, fact);
            let logical = match word {
                "&" | "*" => Some("&&"),
                "|" | "+" => Some("||"),
                "^" | "-" => Some("!="),
                _ => None,
            };
            self.faults.push(match logical.filter(|_| ty == Type::Bool) {
                Some(logical) => {
                    fault.with_advice(format!("bools have `{logical}`; `as i32` makes the number 1 or 0 of one"))
                }
                None => fault,
            });
        }
        allowed.then_some(())
    }
}

/// Contracts a float sum with a product to one fused operation: the right product if there is one, otherwise the left.
fn contract(op: BinaryOp, left: Expr, right: Expr) -> ExprKind {
    let product = |e: &Expr| matches!(e.kind, ExprKind::Binary { op: BinaryOp::Mul, .. });
    if op == BinaryOp::Add && left.ty.is_float() {
        let (factors, rest) = if product(&right) { (right, left) } else { (left, right) };
        match factors.kind {
            ExprKind::Binary { op: BinaryOp::Mul, left: a, right: b } => {
                return ExprKind::Fma { a, b, c: Box::new(rest) };
            }
            kind => {
                let left = Expr { kind, ty: factors.ty, at: factors.at };
                return ExprKind::Binary { op, left: Box::new(left), right: Box::new(rest) };
            }
        }
    }
    ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }
}

/// The least and the greatest number of an integer type.
fn limits(ty: Type) -> (String, String) {
    let bits = ty.bytes() as u32 * 8;
    match (ty.is_integer(), ty.is_signed()) {
        (true, true) => ((-(1i128 << (bits - 1))).to_string(), ((1i128 << (bits - 1)) - 1).to_string()),
        (true, false) => ("0".to_string(), ((1i128 << bits) - 1).to_string()),
        _ => (String::new(), String::new()),
    }
}

impl Draft {
    fn children(&self) -> Vec<&Draft> {
        match &self.kind {
            DraftKind::Unary { operand, .. } | DraftKind::Cast { operand } => vec![operand],
            DraftKind::Binary { left, right, .. } | DraftKind::Compare { left, right, .. } => vec![left, right],
            DraftKind::Fma { a, b, c } => vec![a, b, c],
            DraftKind::If { then, otherwise, .. } => vec![then, otherwise],
            DraftKind::Select { condition, then, otherwise } => vec![condition, then, otherwise],
            DraftKind::Lookup { index, .. } => index.iter().collect(),
            _ => Vec::new(),
        }
    }
}
