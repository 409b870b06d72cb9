//! Works around a bug of ptxas 13.0 for sm_90 and sm_100: when it turns `max(max(a, -b), c)` of signed integers into one
//! instruction, it drops the minus; the same with `min`. So no operand may be a negative that ptxas can recognise.
//!
//! ```text
//! before              after
//!
//! max(0 - x, y)       max(neg(x), y)          an explicit negative: `neg` hides it from ptxas
//! max(a * b, y)       max(veiled(a * b), y)   may be a negative
//! max(x - y, z)       max(x - y, z)           no negative: two different terms
//! ```
use crate::model::{Array, BinaryOp, Type, UnaryOp};
use crate::program::{Inst, Operation, ValueId};
use crate::schedule::Schedule;

/// An operand of `min` or `max`, hidden by `veiled` if it may be a negative.
pub fn operand(program: &Schedule, id: ValueId, name: &str) -> String {
    let hidden = is_at_risk(program.values[id.0].ty) && !is_plain(program, id);
    if hidden { format!("veiled({name})") } else { name.to_string() }
}

/// The value `x` of `0 - x`, `x * -1` and `-1 * x`. Of integers all three are the negative of `x`.
pub fn negated(program: &Schedule, op: BinaryOp, a: ValueId, b: ValueId) -> Option<ValueId> {
    let is = |id: ValueId, number: i64| match &program.values[id.0] {
        Inst { operation: Operation::Literal(bits), ty, .. } if ty.is_integer() => {
            let ones = u64::MAX >> (64 - 8 * ty.bytes());
            bits & ones == number as u64 & ones
        }
        _ => false,
    };
    match op {
        BinaryOp::Sub if is(a, 0) => Some(b),
        BinaryOp::Mul if is(a, -1) => Some(b),
        BinaryOp::Mul if is(b, -1) => Some(a),
        _ => None,
    }
}

/// The types that are compared as `i32`.
fn is_at_risk(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::I16 | Type::I32)
}

/// Whether a value is certainly no negative. A difference of two terms is none, unless the terms can cancel each other.
fn is_plain(program: &Schedule, id: ValueId) -> bool {
    let mut sum = Sum { program, terms: Vec::new(), numbers: 0, choices: Vec::new(), takes: false };
    sum.add(id) && sum.is_plain()
}

/// A value as a sum of terms that are added or subtracted.
struct Sum<'p> {
    program: &'p Schedule,
    terms: Vec<ValueId>,
    /// The number of literals in the sum, and of terms that may be a literal.
    numbers: usize,
    /// The literals that a selected term may be. If it is 0, the term vanishes.
    choices: Vec<u64>,
    /// Whether a term is subtracted.
    takes: bool,
}

impl Sum<'_> {
    /// Adds the terms of a value. Returns false if it is neither a sum nor a term.
    fn add(&mut self, id: ValueId) -> bool {
        let inst = &self.program.values[id.0];
        match &inst.operation {
            Operation::Literal(_) => self.numbers += 1,
            _ if self.has_no_parts(&inst.operation) => self.terms.push(id),
            Operation::Binary(BinaryOp::Add, a, b) => return self.add(*a) && self.add(*b),
            Operation::Binary(BinaryOp::Sub, a, b) => {
                if !self.add(*a) {
                    return false;
                }
                let before = self.terms.len();
                let is_known = self.add(*b);
                self.takes |= self.terms.len() > before;
                return is_known;
            }
            _ => match self.choices_of(id) {
                Some(choices) => {
                    self.numbers += usize::from(!choices.is_empty());
                    self.choices.extend(choices);
                    self.terms.push(id);
                }
                None => return false,
            },
        }
        true
    }

    /// The literals that a selected or carried value may be. `None` if it may be a value that ptxas can see into.
    fn choices_of(&self, id: ValueId) -> Option<Vec<u64>> {
        match &self.program.values[id.0].operation {
            Operation::Carried { register, .. } => self.choices_of_side(self.program.registers[register.0].value),
            Operation::Select(_, a, b) | Operation::Choose(_, a, b) => {
                Some([self.choices_of_side(*a)?, self.choices_of_side(*b)?].concat())
            }
            _ => None,
        }
    }

    /// The same for a value that is selected from or carried. It looks through one more select, and no further.
    fn choices_of_side(&self, id: ValueId) -> Option<Vec<u64>> {
        let side = |id: ValueId| match &self.program.values[id.0].operation {
            Operation::Literal(bits) => Some(vec![*bits]),
            operation if self.has_no_parts(operation) => Some(Vec::new()),
            _ => None,
        };
        match &self.program.values[id.0].operation {
            Operation::Select(_, a, b) | Operation::Choose(_, a, b) => Some([side(*a)?, side(*b)?].concat()),
            _ => side(id),
        }
    }

    /// Without a subtraction, nothing is negative. With one, there must be two different terms of which none can vanish.
    fn is_plain(&self) -> bool {
        let zero = self.choices.contains(&0) || (self.numbers > 1 && !self.choices.is_empty());
        let is_once = |(k, term): (usize, &ValueId)| !self.terms[..k].contains(term);
        !self.takes || (!zero && self.terms.len() > 1 && self.terms.iter().enumerate().all(is_once))
    }

    /// Whether ptxas cannot see how the value was computed: it comes from memory, from another lane, or from inline assembly.
    fn has_no_parts(&self, operation: &Operation) -> bool {
        match operation {
            // An element of a constant may be emitted as a literal.
            Operation::Load { array, .. } => matches!(array, Array::Parameter(_)),
            Operation::Staged { .. } | Operation::Shuffle { .. } | Operation::Rotate { .. } => true,
            Operation::Binary(BinaryOp::Min | BinaryOp::Max, ..) | Operation::Unary(UnaryOp::Neg, _) => true,
            Operation::Binary(op, a, b) => negated(self.program, *op, *a, *b).is_some(),
            _ => false,
        }
    }
}
